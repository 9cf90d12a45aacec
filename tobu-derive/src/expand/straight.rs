//! The straight-line code that writes the fields of a message.

use super::{at, private, static_type};
use crate::ast::{Member, Message, Role};
use crate::attr::Kind;
use proc_macro2::TokenStream;
use quote::quote;

/// Messages with more fields are written by their tables alone: few of so many are set.
const MOST: usize = 256;

/// The most fields of a message with oneofs: a bit says of each whether oneofs come before it, and one of the end.
const MOST_WITH_ONEOFS: usize = 63;

/// The function `__straight`; nothing where the order of the fields is not known, or where there is nothing to gain. A
/// closure in its place would be compiled twice.
pub(super) fn expand(message: &Message) -> Option<TokenStream> {
    let container = &message.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let statics = container.generics.lifetimes().map(|_| quote!('static));
    let mut fields = message
        .members
        .iter()
        .filter(|member| member.role == Role::Field)
        .map(|member| Some((member.attrs.number.as_ref()?.value, member)))
        .collect::<Option<Vec<(u32, &Member)>>>()?;
    fields.sort_by_key(|(number, _)| *number);
    let presence = message.members.iter().find(|member| member.role == Role::Presence);
    let presence = presence.map(|member| &member.ident);
    let has_oneofs = message.members.iter().any(|member| member.role == Role::Oneof);
    if fields.is_empty() || fields.len() > if has_oneofs { MOST_WITH_ONEOFS } else { MOST } {
        return None;
    }
    let oneofs = |index: usize| {
        let index = index as u16;
        has_oneofs.then(|| quote!(let at = out.oneofs(#index, at);))
    };
    let writes = fields.iter().enumerate().map(|(index, (number, member))| {
        let name = &member.ident;
        let kind = member.attrs.kind.as_ref().map(|kind| kind.value);
        let write = match member.attrs.with {
            None => at(&member.ty, &quote!(#p::Member::write)),
            Some(_) => {
                let member = super::member(&p, &static_type(&member.ty), &member.attrs);
                quote!(#member::write)
            }
        };
        let (oneofs, code) = (oneofs(index), code(*number, kind, index));
        let write = match member.attrs.bit.as_ref().zip(presence) {
            None => quote!(#write(&message.#name, #code, out, at)),
            Some((bit, presence)) => {
                let bit = usize::from(bit.value);
                let put = quote!(#p::put_present(&message.#name, #code, out, at));
                quote!(if message.#presence.has(#bit) { #put } else { at })
            }
        };
        quote! {
            #oneofs
            let at = #write;
        }
    });
    let last = oneofs(fields.len());
    Some(quote! {
        unsafe fn __straight<__L>(
            message: *const ::core::primitive::u8,
            out: &mut #p::Straight<'_>,
            at: *mut ::core::primitive::u8,
        ) -> *mut ::core::primitive::u8 {
            // SAFETY: the function is given a message of the type, and each cursor is passed on.
            unsafe {
                let message = &*message.cast::<#ident<#(#statics),*>>();
                #(#writes)*
                #last
                at
            }
        }
    })
}

/// What the runtime knows of a field, in one word: the varint of its tag without a wire type as it lies in memory, how
/// many bytes that takes, the wire kind, and the index of the field. Kinds are in the order of the runtime's `WireKind`.
fn code(number: u32, kind: Option<Kind>, index: usize) -> u64 {
    let (mut rest, mut bytes, mut len) = (u64::from(number) << 3, 0, 0);
    loop {
        let more = if rest >= 0x80 { 0x80 } else { 0 };
        bytes |= (rest & 0x7f | more) << (8 * len);
        len += 1;
        rest >>= 7;
        if rest == 0 {
            let kind = kind.map_or(0, |kind| kind as u64 + 1);
            return bytes | len << 40 | kind << 44 | (index as u64) << 48;
        }
    }
}
