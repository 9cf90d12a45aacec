//! Generates the functions that find out which members of a message are set, and that write members that are leaves.

use super::{at, at_member, private, statics_of};
use crate::ast::{Member, Message, Role};
use crate::attr::Kind;
use proc_macro2::TokenStream;
use quote::quote;

/// Returns the function `__presence`; `None` for a message without fields and oneofs. A closure would be compiled twice.
pub(super) fn expand(message: &Message) -> Option<TokenStream> {
    let container = &message.container;
    let ident = &container.ident;
    let statics = statics_of(container);
    let members = message.members.iter().filter(|member| member.is_content());
    let masks = members.clone().enumerate().filter_map(|(index, member)| {
        let is_set = is_set(message, member)?;
        Some(quote!(set |= if #is_set { masks[#index] } else { 0 };))
    });
    let masks: TokenStream = masks.collect();
    let count = members.count();
    (!masks.is_empty()).then(|| {
        quote! {
            unsafe fn __presence<__L>(
                message: *const ::core::primitive::u8,
                masks: &[::core::primitive::u64],
            ) -> ::core::primitive::u64 {
                // SAFETY: the library calls the function only with the address of a live message of this type.
                let message = unsafe { &*message.cast::<#ident<#(#statics),*>>() };
                let mut set = 0;
                if let ::core::option::Option::Some(masks) = masks.first_chunk::<#count>() {
                    #masks
                }
                set
            }
        }
    })
}

/// Returns the expression for whether a member is set; `None` for a member that is neither a field nor a oneof.
fn is_set(message: &Message, member: &Member) -> Option<TokenStream> {
    let p = private(&message.container.krate);
    let (name, ty) = (&member.ident, &member.ty);
    let presence = message.members.iter().find(|member| member.role == Role::Presence);
    match (member.role, member.attrs.bit.as_ref().zip(presence)) {
        (Role::Oneof, _) => Some(at(ty, &quote!(#p::OneofMember::is_set(&message.#name)))),
        (Role::Field, Some((bit, presence))) => {
            let (bit, presence) = (usize::from(bit.value), &presence.ident);
            Some(quote!(message.#presence.has(#bit)))
        }
        (Role::Field, None) => {
            let member_of = match member.attrs.with {
                None => quote!(#p::Member),
                Some(_) => super::member(&p, &super::static_type(ty), &member.attrs),
            };
            Some(at_member(ty, &member.attrs, &quote!(#member_of::is_set(&message.#name))))
        }
        _ => None,
    }
}

/// Returns the function `__leaves`, which writes the members that are leaves in the order of their numbers; `None` if no field
/// without a conversion has a number in its attributes.
pub(super) fn leaves(message: &Message) -> Option<TokenStream> {
    let container = &message.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let statics = statics_of(container);
    let members = message.members.iter().filter(|member| member.is_content());
    let count = members.clone().count();
    let mut fields = Vec::new();
    for (index, member) in members.enumerate() {
        if let (Role::Field, Some(number), None) = (member.role, &member.attrs.number, &member.attrs.with) {
            fields.push((number.value, index, member));
        }
    }
    fields.sort_by_key(|(number, ..)| *number);
    let writes = fields.iter().map(|(number, index, member)| {
        let (name, is_set) = (&member.ident, is_set(message, member));
        let field = leaf_field(*number, member.attrs.kind.as_ref().map(|kind| kind.value));
        let is_leaf = at(&member.ty, &quote!(#p::Member::is_leaf(&message.#name)));
        let write = at(&member.ty, &quote!(#p::Member::write(&message.#name, #field, at, limit)));
        quote! {
            if #is_leaf && leaves & masks[#index] != 0 && #is_set {
                at = #write;
                if at.is_null() {
                    return at;
                }
            }
        }
    });
    let writes: TokenStream = writes.collect();
    (!writes.is_empty()).then(|| {
        quote! {
            unsafe fn __leaves<__L>(
                message: *const ::core::primitive::u8,
                masks: &[::core::primitive::u64],
                leaves: ::core::primitive::u64,
                mut at: *mut ::core::primitive::u8,
                limit: ::core::primitive::usize,
            ) -> *mut ::core::primitive::u8 {
                let ::core::option::Option::Some(masks) = masks.first_chunk::<#count>() else { return at };
                // SAFETY: the library calls the function only with the address of a live message of this type, and with a
                // cursor and a limit that `Member::write` allows. Each write gets the cursor that the write before it
                // returned.
                unsafe {
                    let message = &*message.cast::<#ident<#(#statics),*>>();
                    #writes
                    at
                }
            }
        }
    })
}

/// Packs a field into 64 bits: the varint of its tag without the wire type, in memory order, the number of bytes in this
/// varint, and the wire kind. The numbers of the kinds are those of the runtime's `WireKind`.
fn leaf_field(number: u32, kind: Option<Kind>) -> u64 {
    let (mut rest, mut bytes, mut len) = (u64::from(number) << 3, 0, 0);
    loop {
        let more = if rest >= 0x80 { 0x80 } else { 0 };
        bytes |= (rest & 0x7f | more) << (8 * len);
        len += 1;
        rest >>= 7;
        if rest == 0 {
            let kind = kind.map_or(0, |kind| kind as u64 + 1);
            return bytes | len << 40 | kind << 44;
        }
    }
}
