//! `derive(Message)`: the shape of a struct.

use super::names::Names;
use super::{
    at, at_member, extra, extras, filled_from, number, option, private, static_type, storage, straight,
};
use crate::ast::{Member, Message, Role};
use crate::attr::FieldAttrs;
use proc_macro2::{Span, TokenStream};
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
    // A static cannot name the lifetimes of the impl around it.
    let statics: Vec<TokenStream> = container.generics.lifetimes().map(|_| quote!('static)).collect();
    let presence = message.members.iter().find(|member| member.role == Role::Presence);
    let is_owned = super::is_owned(container, message.members.iter().map(|member| &member.ty));
    // Of generated types these are given by their addresses: the compiler finds their types and their offsets, and has less
    // to do. Mistakes of people are explained better where each is asked for by its type.
    let is_plain =
        |attrs: &FieldAttrs| container.attrs.stated.is_some() && attrs.bit.is_none() && attrs.with.is_none();
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
            if is_plain(&member.attrs) {
                return by_address(message, member, name, is_owned);
            }
            let offset =
                |member: &syn::Ident| quote!(::core::mem::offset_of!(#ident<#(#statics),*>, #member));
            let role = match member.role {
                Role::Oneof => {
                    let ty = static_type(&member.ty);
                    let shape = at(&ty, &quote!(<#ty as #p::OneofMember>::described));
                    quote!(#p::Role::Oneof(#shape))
                }
                Role::Unknown => quote!(#p::Role::Unknown),
                Role::Field | Role::Presence | Role::Skipped => {
                    let bit = member.attrs.bit.as_ref().zip(presence).map(|(bit, presence)| {
                        let (bit, words) = (bit.value, &presence.ty);
                        let (member, presence) = (offset(&member.ident), offset(&presence.ident));
                        quote!(#p::PresenceBit::of::<#words>(#member, #presence, #bit))
                    });
                    let storage = storage(container, &member.ty, &member.attrs, bit);
                    quote!(#p::Role::Field(#storage))
                }
            };
            let (offset, number) = (offset(&member.ident), number(&member.attrs));
            quote! {
                #p::MemberShape {
                    offset: #offset as ::core::primitive::u32,
                    number: #number,
                    name: #p::Name(#name),
                    role: #role,
                }
            }
        });
    let members: Vec<TokenStream> = members.collect();
    let (names, extras) = (names.all(), extras(&said));
    let members = match container.attrs.stated {
        None => quote!(&[#(#members),*]),
        Some(_) => quote! {
            &const {
                let base = ::core::mem::MaybeUninit::<#ident<#(#statics),*>>::uninit();
                let base = base.as_ptr();
                // SAFETY: the members are those of the struct.
                unsafe { [#(#members),*] }
            }
        },
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
    let size = quote!(::core::mem::size_of::<#ident<#(#statics),*>>());
    let straight = straight::expand(message);
    let written = straight.is_some().then(|| quote!(.straight(straight::<__L>)));
    let reset = reset_skipped(message);
    let filled = message
        .members
        .iter()
        .filter(|member| matches!(member.role, Role::Field | Role::Oneof))
        .map(|member| (&member.ty, &member.attrs));
    let filled_from = filled_from(container, filled, |attrs| is_owned && is_plain(attrs));
    let named = named(message, bound_name);
    quote! {
        #filled_from
        #named
        static CELLS: #p::MessageCells = #p::MessageCells::new();
        #[automatically_derived]
        // SAFETY: the shape has the members of the struct, at the offsets that the compiler says.
        unsafe impl #impl_generics #p::Member for #ident #ty_generics #where_clause {
            const STORAGE: #p::Storage = #p::Storage::Message(<Self as #p::Message>::shape);
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
                #straight
                // Generic: so it is compiled by crates that use the type, and only there. And not inlined: each part of
                // a crate that has it inlined has a copy of all that it refers to.
                #[inline(never)]
                fn shape<__L>() -> &'static #p::MessageShape {
                    const {
                        &#p::MessageShape::new(#names, #schema, #members, &CELLS)
                            .size(#size)#extras #built #extendable #renamed #written #reset
                    }
                }
                shape::<()>()
            }
        }
    }
}

/// A member with its shape, by its address.
fn by_address(message: &Message, member: &Member, name: u32, is_owned: bool) -> TokenStream {
    let p = private(&message.container.krate);
    let ident = &member.ident;
    let address = quote!(base, &raw const (*base).#ident);
    let shape = match (member.role, &member.attrs.number) {
        (Role::Field, Some(number)) => {
            let (number, function) = (number.value, if is_owned { quote!(owned) } else { quote!(field) });
            quote!(#p::MemberShape::#function(#address, #name, #number))
        }
        (Role::Oneof, _) => {
            let function = if is_owned { quote!(owned_oneof) } else { quote!(oneof) };
            quote!(#p::MemberShape::#function(#address, #name))
        }
        _ => quote!(#p::MemberShape::unknown(#address)),
    };
    at(&member.ty, &shape)
}

/// `Extra { ... }` of a member that is not a field, and has another name for serde.
fn renamed_only(p: &TokenStream, index: usize, name: &str) -> TokenStream {
    let index = u32::try_from(index).expect("types have not so many members");
    let name = option(Some(name));
    quote!(#p::Extra { index: #index, serde_name: #name, attributes: #p::Attributes::NONE })
}

/// The impl of `MessageName`; nothing where only the descriptor knows the name.
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

/// What gives the members that are skipped their defaults again; nothing where there are none.
fn reset_skipped(message: &Message) -> Option<TokenStream> {
    let p = private(&message.container.krate);
    let ident = &message.container.ident;
    let statics = message.container.generics.lifetimes().map(|_| quote!('static));
    let skipped: Vec<_> = message
        .members
        .iter()
        .filter(|member| member.role == Role::Skipped)
        .map(|member| {
            let (ident, ty) = (&member.ident, &static_type(&member.ty));
            quote! {
                if let ::core::option::Option::Some(value) = #p::Defaulted::<#ty>(::core::marker::PhantomData).make() {
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
                // SAFETY: the function is given a message of the type.
                let message = unsafe { &mut *message.cast::<#ident<#(#statics),*>>() };
                #(#skipped)*
            })
        }
    })
}

/// The function that makes the empty value of the struct.
fn empty(message: &Message) -> TokenStream {
    let p = private(&message.container.krate);
    let skips = message.members.iter().any(|member| member.role == Role::Skipped);
    let (mut made, mut makers, mut value) = (Vec::new(), Vec::new(), Vec::new());
    for (index, member) in message.members.iter().enumerate() {
        let (ident, ty) = (&member.ident, &member.ty);
        // Of a value that there may be none of, the function asks first.
        let mut ask = |maker| {
            let name = format_ident!("made_{index}", span = Span::mixed_site());
            makers.push(maker);
            made.push(name.clone());
            quote!(#name)
        };
        let member = match member.role {
            Role::Field => {
                let trait_of = super::member(&p, ty, &member.attrs);
                let maker = at_member(ty, &member.attrs, &quote!(#trait_of::empty()));
                if member.attrs.with.is_none() { ask(maker) } else { maker }
            }
            Role::Oneof => quote!(::core::option::Option::None),
            Role::Unknown => quote!(#p::UnknownFields::new()),
            Role::Presence => quote!(#p::Presence::new()),
            Role::Skipped => ask(quote!(#p::Defaulted::<#ty>(::core::marker::PhantomData).make())),
        };
        value.push(quote!(#ident: #member));
    }
    let undefaulted = skips.then(|| quote!(#[allow(unused_imports)] use #p::Undefaulted as _;));
    let by_members = match made.is_empty() {
        true => quote!(::core::option::Option::Some(Self { #(#value),* })),
        // One way out: the compiler takes more than quadratic time for one per member.
        false => quote! {
            match (#(#makers,)*) {
                (#(::core::option::Option::Some(#made),)*) => ::core::option::Option::Some(Self { #(#value),* }),
                _ => ::core::option::Option::None,
            }
        },
    };
    let attrs = &message.container.attrs;
    let by_default = quote!(::core::option::Option::Some(<Self as ::core::default::Default>::default()));
    // The compiler has seen the types of members already where a type states its schema, as long as no lifetimes were made
    // `'static` for it, and all members are given by their addresses.
    let is_seen = attrs.stated.is_some()
        && message.container.generics.params.is_empty()
        && message.members.iter().all(|member| member.attrs.with.is_none() && member.attrs.bit.is_none());
    let value = match attrs.direct {
        None => by_members,
        // It is compiled once already.
        Some(_) if is_seen => by_default,
        Some(_) => quote! {
            // Never run: each member must be of a type that its shape is of, with the lifetimes that it has.
            if false {
                return #by_members;
            }
            #by_default
        },
    };
    quote! {
        #[inline]
        fn empty() -> ::core::option::Option<Self> {
            #undefaulted
            #value
        }
    }
}
