//! Expands `derive(Message)`: the shape of a struct, which describes its members to the library.

use super::names::Names;
use super::{
    at, at_member, extra, extras, filled_from, number, option, presence, private, statics_of, stored,
};
use crate::ast::{Member, Message, Role};
use crate::valid;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

pub(super) fn expand(message: &Message) -> TokenStream {
    let container = &message.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    let rust_name = container.rust_name();
    let bound_name = container.attrs.message.as_ref().map(|name| &*name.value);
    let names = &mut Names::new(&rust_name);
    let schema = container.schema(&quote!(#p::bind_message), &quote!(#p::declare_message), bound_name, names);
    let statics = statics_of(&message.container);
    let is_owned = super::is_owned(container, message.members.iter().map(|member| &member.ty));
    let mut said = Vec::new();
    let members =
        message.members.iter().filter(|member| member.is_content()).enumerate().map(|(index, member)| {
            let usual = if member.role == Role::Unknown { "unknown_fields" } else { &member.proto_name() };
            let renamed = (*member.serde_name != *usual).then_some(&*member.serde_name);
            said.extend(match member.role {
                Role::Field => extra(container, index, renamed, &member.ty, &member.attrs),
                _ => renamed.map(|name| renamed_only(&p, index, name)),
            });
            let name = if member.role == Role::Unknown { 0 } else { names.add(&member.proto_name()) };
            member_shape(message, member, name, is_owned)
        });
    let members: Vec<TokenStream> = members.collect();
    let (names, extras) = (names.all(), extras(&said));
    let members = match members.is_empty() {
        true => quote!(&[]),
        false => {
            let members = with_base(ident, &statics, &quote!([#(#members),*]));
            quote!(&const { #members })
        }
    };
    let empty = empty(message);
    let direct = container
        .attrs
        .direct
        .is_some()
        .then(|| quote!(const DIRECT: ::core::primitive::bool = #p::fills_itself::<Self>();));
    let register = container.register();
    let built = container.attrs.stated.is_none().then(|| quote!(.built_by(#p::build_table)));
    let extendable = container.attrs.extendable.is_some().then(|| quote!(.extendable()));
    let container_name = &container.serde_name;
    let renamed = (*container_name != rust_name).then(|| quote!(.serde_name(#container_name)));
    let own = quote!(#ident<#(#statics),*>);
    let presence = presence::expand(message);
    let leaves = presence::leaves(message);
    let written = leaves.is_some().then(|| quote!(.leaves(__leaves::<__L>)));
    let present = presence.is_some().then(|| quote!(.presence(__presence::<__L>)));
    let reset = reset_skipped(message);
    let (protos, kept) = (protos(message), kept(message));
    let ignores = container.attrs.json_ignore_unknown.is_some().then(|| quote!(.json_ignore_unknown()));
    let said = [&renamed, &reset, &built, &ignores];
    let unusual = said
        .iter()
        .any(|said| said.is_some())
        .then(|| quote!(.unusual(&const { #p::Unusual::NONE #(#said)* })));
    let filled_from = filled(message, is_owned);
    let named = named(message, bound_name);
    quote! {
        #filled_from
        #named
        #kept
        static CELLS: #p::MessageCells = #p::MessageCells::new();
        #presence
        #leaves
        // The function is generic, so only crates that use the type compile it. It is not inlined, because otherwise each
        // codegen unit with a call would have a copy of everything to which the function refers.
        #[inline(never)]
        fn __shape<__L>() -> &'static #p::MessageShape {
            const {
                &#p::MessageShape::new(#names, #schema, #members, &CELLS)
                    .of::<#own>()#extras #extendable #present #written #unusual #protos
            }
        }
        #[automatically_derived]
        // SAFETY: the shape lists the members of the struct, and the compiler computes their offsets.
        unsafe impl #impl_generics #p::Member for #ident #ty_generics #where_clause {
            const STORAGE: #p::Storage = #p::Storage::Message(__shape::<()>);
            #direct
            #register
            #[inline]
            fn cells() -> ::core::option::Option<&'static #p::MessageCells> {
                ::core::option::Option::Some(&CELLS)
            }
            #empty
        }
        #[automatically_derived]
        impl #impl_generics #p::Message for #ident #ty_generics #where_clause {
            #[inline]
            fn shape() -> &'static #p::MessageShape {
                __shape::<()>()
            }
        }
    }
}

/// Returns a block in which `base` is the address of a struct that is never read, and whose value is `expression`.
fn with_base(ident: &Ident, statics: &[TokenStream], expression: &TokenStream) -> TokenStream {
    quote! {
        let mut base = ::core::mem::MaybeUninit::<#ident<#(#statics),*>>::uninit();
        let base = base.as_mut_ptr();
        // SAFETY: the expression only takes addresses of members of the struct, and `base` points to memory for the whole
        // struct.
        unsafe { #expression }
    }
}

/// Returns checks that fail to compile if a conversion needs a member for proto values and the message has no such member. The
/// checks are not part of the shape, because the compiler evaluates the shape only if the type is used.
fn kept(message: &Message) -> TokenStream {
    let p = private(&message.container.krate);
    let keeps = message.members.iter().any(|member| member.role == Role::Protos);
    let checks = message.members.iter().filter_map(|member| {
        let with = &member.attrs.with.as_ref()?.value;
        let member_of = super::member(&p, &super::static_type(&member.ty), &member.attrs);
        Some(at(with, &quote!(const _: () = #member_of::STORED.is_kept(#keeps);)))
    });
    checks.collect()
}

/// Returns `.protos(...)` if a member keeps proto values.
fn protos(message: &Message) -> Option<TokenStream> {
    let p = private(&message.container.krate);
    let member = message.members.iter().find(|member| member.role == Role::Protos)?;
    let ident = &member.ident;
    let address = at(&member.ty, &quote!(#p::protos_at(base, &raw mut (*base).#ident)));
    let offset = with_base(&message.container.ident, &statics_of(&message.container), &address);
    // SAFETY: the address is the address of the member in the struct at `base`.
    Some(quote!(.protos(const { #offset })))
}

/// True if `MemberShape::owned` makes the shape of the member. `owned` also checks that the member borrows nothing, so `filled`
/// needs no check. The error message of `owned` is less clear, so the macro uses it only for scalars in generated code, where
/// the check cannot fail.
fn is_asked(message: &Message, member: &Member, is_owned: bool) -> bool {
    is_owned
        && message.container.attrs.stated.is_some()
        && member.attrs.bit.is_none()
        && member.attrs.with.is_none()
        && valid::is_scalar(&member.ty)
}

/// Returns the shape of a member. The compiler infers the type and the offset from the member's address. The macro does not
/// repeat the type in the shape, because the type could have another meaning there: its lifetimes could be different, or a
/// macro in it could depend on its position.
fn member_shape(message: &Message, member: &Member, name: u32, is_owned: bool) -> TokenStream {
    let p = private(&message.container.krate);
    let (ident, attrs) = (&member.ident, &member.attrs);
    let number = number(attrs);
    let address = quote!(base, &raw mut (*base).#ident);
    let is_asked = is_asked(message, member, is_owned);
    let shape = match member.role {
        Role::Oneof => {
            let oneof = match message.container.attrs.stated {
                Some(_) => quote!(STATED),
                None => quote!(DESCRIBED),
            };
            quote!(#p::MemberShape::oneof(#address, #name, <_ as #p::OneofMember>::#oneof))
        }
        Role::Unknown => quote!(#p::MemberShape::unknown(#address)),
        Role::Field | Role::Presence | Role::Protos | Role::Skipped => {
            match (presence_bit(message, member), &attrs.with) {
                (Some((presence, bit)), _) => {
                    // An error about the field points at the type of the field, an error about the presence bits at the type of
                    // their member.
                    let address = at(&member.ty, &address);
                    let words = &presence.ident;
                    let words = at(&presence.ty, &quote!(&raw mut (*base).#words));
                    let stored = at(&member.ty, &quote!(<_ as #p::Member>::WITH_BIT));
                    let option = with_base(
                        &message.container.ident,
                        &statics_of(&message.container),
                        &quote!(#p::BitOption::of_bit(#address, #words, #bit, #stored)),
                    );
                    return quote!(#p::MemberShape::with_bit(#address, #name, #number, &const { #option }));
                }
                (None, None) if is_asked => quote!(#p::MemberShape::owned(#address, #name, #number)),
                (None, _) => {
                    let stored = stored(&p, &member.ty, attrs);
                    quote!(#p::MemberShape::field(#address, #name, #number, #stored))
                }
            }
        }
    };
    at_member(&member.ty, attrs, &shape)
}

/// Returns the member with the presence bits, and the bit of `member`; `None` if `member` has no bit.
fn presence_bit<'m>(message: &'m Message, member: &Member) -> Option<(&'m Member, u16)> {
    let presence = message.members.iter().find(|member| member.role == Role::Presence)?;
    Some((presence, member.attrs.bit.as_ref()?.value))
}

/// Returns the impl of `FilledFrom`, which says that decoding may fill the type from an input that the type borrows from.
fn filled(message: &Message, is_owned: bool) -> TokenStream {
    let p = private(&message.container.krate);
    let filled = message.members.iter().filter(|member| matches!(member.role, Role::Field | Role::Oneof));
    // A value that a conversion returns borrows nothing. `empty` checks this.
    let asked = |member: &&Member| member.attrs.with.is_none() && !is_asked(message, member, is_owned);
    let checks = filled.clone().filter(asked).map(|member| {
        let ident = &member.ident;
        let kind = if member.role == Role::Oneof { quote!(oneof) } else { quote!(field) };
        at(&member.ty, &quote!(#p::Fill::#kind(&raw mut (*value).#ident).filled_from::<'__de>();))
    });
    let checks = checks.collect::<TokenStream>();
    let (ident, (_, generics, _)) = (&message.container.ident, message.container.generics.split_for_impl());
    let checks = (!checks.is_empty()).then(|| {
        quote! {
            let value = ::core::ptr::null_mut::<#ident #generics>();
            // SAFETY: no code calls the function around this block, so the block never runs. The compiler only checks its
            // types.
            unsafe { #checks }
        }
    });
    let checks = checks.unwrap_or_default();
    filled_from(&message.container, filled.map(|member| &member.ty), &checks)
}

/// Returns `Extra { ... }` for a member that is not a field and has another name in serde.
fn renamed_only(p: &TokenStream, index: usize, name: &str) -> TokenStream {
    let index = u32::try_from(index).expect("a type does not have so many members");
    let name = option(Some(name));
    quote!(#p::Extra { index: #index, serde_name: #name, attributes: #p::Attributes::NONE })
}

/// Returns the impl of `MessageName`; `None` if only the descriptor knows the name.
fn named(message: &Message, bound_name: Option<&str>) -> Option<TokenStream> {
    let container = &message.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    let full_name = match (&container.attrs.descriptor, bound_name) {
        (Some(_), bound_name) => bound_name?.to_owned(),
        (None, _) => container.declared_name(),
    };
    let type_url = format!("type.googleapis.com/{full_name}");
    Some(quote! {
        #[automatically_derived]
        impl #impl_generics #p::MessageName for #ident #ty_generics #where_clause {
            const FULL_NAME: &'static ::core::primitive::str = #full_name;
            const TYPE_URL: &'static ::core::primitive::str = #type_url;
        }
    })
}

/// Returns the function that resets skipped members to their defaults; `None` if no member is skipped.
fn reset_skipped(message: &Message) -> Option<TokenStream> {
    let p = private(&message.container.krate);
    let ident = &message.container.ident;
    let statics = statics_of(&message.container);
    let skipped: Vec<_> = message
        .members
        .iter()
        .filter(|member| member.role == Role::Skipped)
        .map(|member| {
            let ident = &member.ident;
            quote! {
                if let ::core::option::Option::Some(value) = #p::Defaulted::of(&message.#ident).make() {
                    message.#ident = value;
                }
            }
        })
        .collect();
    (!skipped.is_empty()).then(|| {
        quote! {
            .reset_skipped(|message: *mut ::core::primitive::u8| {
                #[allow(unused_imports)]
                use #p::Undefaulted as _;
                // SAFETY: the library calls the function only with the address of a live message of this type, and nothing
                // else refers to the message.
                let message = unsafe { &mut *message.cast::<#ident<#(#statics),*>>() };
                #(#skipped)*
            })
        }
    })
}

/// Returns the function that creates the empty value of the struct.
fn empty(message: &Message) -> TokenStream {
    let p = private(&message.container.krate);
    let skips = message.members.iter().any(|member| member.role == Role::Skipped);
    let (mut made, mut makers, mut value) = (Vec::new(), Vec::new(), Vec::new());
    for (index, member) in message.members.iter().enumerate() {
        let (ident, ty) = (&member.ident, &member.ty);
        // A member may have no empty value. Therefore the function creates the values of all members before it creates the
        // struct.
        let mut ask = |maker| {
            let name = format_ident!("made_{index}", span = Span::mixed_site());
            makers.push(maker);
            made.push(name.clone());
            quote!(#name)
        };
        let member = match member.role {
            Role::Field => {
                let member_of = super::inferred(&p, ty, &member.attrs);
                ask(at_member(ty, &member.attrs, &quote!(#member_of::empty())))
            }
            Role::Oneof => quote!(::core::option::Option::None),
            Role::Unknown => quote!(#p::UnknownFields::new()),
            Role::Presence => quote!(#p::Presence::new()),
            Role::Protos => quote!(#p::Protos::new()),
            Role::Skipped => ask(quote!(#p::Defaulted::<#ty>(::core::marker::PhantomData).make())),
        };
        value.push(quote!(#ident: #member));
    }
    let undefaulted = skips.then(|| quote!(#[allow(unused_imports)] use #p::Undefaulted as _;));
    let by_members = match made.is_empty() {
        true => quote!(::core::option::Option::Some(Self { #(#value),* })),
        // The function has one exit, because one exit per member would take the compiler more than quadratic time.
        false => quote! {
            match (#(#makers,)*) {
                (#(::core::option::Option::Some(#made),)*) => ::core::option::Option::Some(Self { #(#value),* }),
                _ => ::core::option::Option::None,
            }
        },
    };
    let value = match message.container.attrs.direct {
        // `Default` is compiled anyway, so a call adds little code.
        Some(_) if message.members.iter().all(|member| member.attrs.with.is_none()) => {
            quote!(::core::option::Option::Some(<Self as ::core::default::Default>::default()))
        }
        _ => by_members,
    };
    let tied = tied(message);
    quote! {
        #[inline]
        fn empty() -> ::core::option::Option<Self> {
            #tied
            #undefaulted
            #value
        }
    }
}

/// Returns a closure that compiles only if the struct has the members that the macro saw, because an attribute macro may have
/// replaced the struct after this macro. A union does not compile, because it needs `unsafe`. A packed struct does not compile,
/// because Rust allows no references to its members.
fn tied(message: &Message) -> TokenStream {
    let members = message.members.iter().enumerate().map(|(index, member)| {
        let name = format_ident!("member_{index}", span = Span::mixed_site());
        let ident = &member.ident;
        (quote!(#ident: #name), quote!(let _ = #name;))
    });
    let (members, used): (Vec<_>, Vec<_>) = members.unzip();
    let value = Ident::new("value", Span::mixed_site());
    quote! {
        let _ = |#value: &Self| {
            let Self { #(#members),* } = #value;
            #(#used)*
        };
    }
}
