//! `derive(Deserialize)`: merging in place, and serde's trait on top of it.

use super::{at, deserialize_generics, inline, is_many, marked, private, told};
use crate::ast::{Container, Enumeration, Form, Input, Member, Message, Oneof, Role};
use crate::valid;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, LifetimeParam};

pub(super) fn expand(input: &Input) -> TokenStream {
    match input {
        Input::Message(message) => self::message(message),
        Input::Oneof(oneof) => self::oneof(oneof),
        Input::Enumeration(enumeration) => self::enumeration(enumeration),
    }
}

fn message(message: &Message) -> TokenStream {
    let container = &message.container;
    let p = private(&container.krate);
    let members: Vec<&Member> =
        message.members.iter().filter(|member| member.role != Role::Skipped).collect();
    let names: Vec<&String> = members.iter().map(|member| &member.serde_name).collect();
    let empty = message.members.iter().map(|member| {
        let ident = &member.ident;
        let value = empty(&p, member);
        quote!(#ident: #value)
    });
    let clear = message.members.iter().map(|member| {
        let ident = &member.ident;
        match member.role {
            Role::Field | Role::Unknown => at(&member.ty, &quote!(#p::Merge::clear(&mut self.#ident);)),
            Role::Oneof | Role::Skipped => {
                let value = self::empty(&p, member);
                quote!(self.#ident = #value;)
            }
        }
    });
    let by = quote!(merge_name);
    let told = members.iter().map(|member| told(&p, &by, member));
    let few = few(&p, &members);
    let name = match in_order(&members).first() {
        Some(&first) if few.is_some() => {
            let (index, told, first) = (first as u16, told.clone(), told.clone().nth(first));
            quote!(const { #p::name_text(&const { #p::marked_first(&[#(#told),*], #index, #first) }) })
        }
        _ => marked(&p, told),
    };
    let into = |mode: TokenStream| {
        let visitor = quote!(__Visitor::<#p::#mode>(self, ::core::marker::PhantomData #few));
        quote!(#p::serde::Deserializer::deserialize_struct(__deserializer, #name, __MEMBERS, #visitor))
    };
    let (merge, refill) = (into(quote!(Merging)), into(quote!(Refilling)));
    let skipped = message.members.iter().filter(|member| member.role == Role::Skipped).map(|member| {
        let ident = &member.ident;
        quote!(self.#ident = ::core::default::Default::default();)
    });
    let more = quote! {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn refill<__D: #p::serde::Deserializer<'__de>>(
            &mut self,
            __count: &mut ::core::primitive::u32,
            __deserializer: __D,
        ) -> ::core::result::Result<(), __D::Error> {
            if ::core::mem::replace(__count, 1) != 0 {
                return #p::Merge::merge(self, __deserializer);
            }
            #(#skipped)*
            #refill
        }
    };
    let keeps = members.iter().map(|member| match member.role {
        Role::Oneof => quote!(true),
        _ => {
            let ty = &member.ty;
            quote!(<#ty as #p::Merge<'__de>>::KEEPS)
        }
    });
    let keeps = quote!(false #(|| #keeps)*);
    let visitor = message_visitor(container, &members);
    let impls = impls(
        container,
        Some(members.len()),
        keeps,
        quote!(Self { #(#empty),* }),
        merge,
        quote!(#(#clear)*),
        more,
    );
    quote!(const __MEMBERS: &[&::core::primitive::str] = &[#(#names),*]; #visitor #impls)
}

/// What is besides in the visitor of a message of a few numbers, which is read in the place of the caller: as a type and
/// as its value.
fn few(p: &TokenStream, members: &[&Member]) -> Option<TokenStream> {
    let mut numbers = 0;
    for member in members.iter().filter(|member| member.role != Role::Unknown) {
        match member.role {
            Role::Field if valid::is_scalar(&member.ty) => numbers += 1,
            _ => return None,
        }
    }
    (1..=4).contains(&numbers).then(|| quote!(, #p::Few))
}

fn empty(p: &TokenStream, member: &Member) -> TokenStream {
    match member.role {
        Role::Field | Role::Unknown => at(&member.ty, &quote!(#p::Merge::empty())),
        Role::Oneof => quote!(::core::option::Option::None),
        Role::Skipped => quote!(::core::default::Default::default()),
    }
}

/// The visitor of a struct: by key where the format has keys, in order where it has none.
fn message_visitor(container: &Container, members: &[&Member]) -> TokenStream {
    let p = private(&container.krate);
    let expecting = format!("struct {}", container.serde_name);
    let expecting_all = format!("{expecting} with {} members", members.len());
    let order = in_order(members);
    let values: Vec<_> = (order.iter().enumerate().map(|(position, &index)| {
        let member = members[index];
        let ident = &member.ident;
        let into = match member.role {
            Role::Oneof => quote!(IntoOneof),
            _ if is_many(members.len()) => quote!(IntoApart),
            _ => quote!(Into),
        };
        let told = |member: Option<&&Member>| match member {
            // One function of so many members would take the compiler minutes.
            Some(member) if !is_many(members.len()) => told(&p, &quote!(merge_name), member),
            _ => quote!(#p::OTHER_NAME),
        };
        let next = order.get(position + 1).and_then(|&next| members.get(next));
        let (own, next, place) = (told(Some(&member)), told(next), index as u16);
        let told = quote!(const { #p::name_text(&const { #p::lead_name(#place, #own, #next) }) });
        let seed = quote!(#p::#into::<_, __M>(&mut __this.#ident, &mut __counts[#index], #told));
        at(&member.ty, &quote!(#p::serde::de::MapAccess::next_value_seed(&mut __map, #seed)?))
    }))
    .collect();
    let finish = members.iter().enumerate().map(|(index, member)| {
        let ident = &member.ident;
        let finish = if member.role == Role::Oneof { quote!(finish_oneof) } else { quote!(finish) };
        at(&member.ty, &quote!(<__M as #p::Mode>::#finish(&mut __this.#ident, __counts[#index]);))
    });
    let unknown_key = quote!(#p::serde::de::MapAccess::next_value_seed(&mut __map, #p::Ignored)?);
    let next_key = quote!(#p::serde::de::MapAccess::next_key_seed(&mut __map, #p::Key(__MEMBERS))?);
    let few = few(&p, members);
    let straight = straight(&order, &values, &next_key);
    let dispatch = dispatch(&order, values, &unknown_key);
    let count = members.len();
    let inline = inline(count);
    let (this, counts) = match count {
        0 => (quote!(_), quote!()),
        _ => {
            let zero = quote!(<<__M as #p::Mode>::Count as ::core::default::Default>::default());
            (quote!(__this), quote!(let mut __counts = [#zero; #count];))
        }
    };
    let read = match &few {
        Some(_) => quote! {
            let mut __next = #next_key;
            #straight
            while let ::core::option::Option::Some(__index) = __next {
                '__members: { #dispatch }
                __next = #next_key;
            }
        },
        None => quote! {
            while let ::core::option::Option::Some(__index) = #next_key {
                '__members: { #dispatch }
            }
        },
    };
    let body = quote! {
        // By value and inlined, the map access is taken apart into registers.
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn visit_map<__A: #p::serde::de::MapAccess<'__de>>(
            self,
            mut __map: __A,
        ) -> ::core::result::Result<(), __A::Error> {
            let #this = self.0;
            #counts
            #read
            if <__M as #p::Mode>::REFILLS {
                #(#finish)*
            }
            ::core::result::Result::Ok(())
        }
        #inline
        fn visit_seq<__A: #p::serde::de::SeqAccess<'__de>>(
            self,
            __seq: __A,
        ) -> ::core::result::Result<(), __A::Error> {
            #p::serde::de::Visitor::visit_map(self, #p::InOrder::new(__seq, #count, #expecting_all))
        }
    };
    visitor(container, "__Visitor", &expecting, |target| target, Some(few), &body)
}

/// The places of the members in the order in which they are written: by number.
fn in_order(members: &[&Member]) -> Vec<usize> {
    let number = |member: &Member| member.attrs.number.as_ref().map_or(u32::MAX, |number| number.value);
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|&index| number(members[index]));
    order
}

/// Reads the members that come in order from the first on, if `__next` is that, and the key after them. It is not in the
/// loop: so the compiler knows of each member where it is.
fn straight(order: &[usize], values: &[TokenStream], next_key: &TokenStream) -> TokenStream {
    let (Some(first), Some((last, values))) = (order.first(), values.split_last()) else { return quote!() };
    quote! {
        if ::core::matches!(__next, ::core::option::Option::Some(#first)) {
            '__straight: {
                #(if !#values { break '__straight; })*
                #last;
            }
            __next = #next_key;
        }
    }
}

/// Reads the member at `__index`, and as many of those after it as come in order: each of `values`, which are of the
/// members in `order`, tells whether the next one comes. They stand in nested blocks, which are left at their ends, so that
/// one runs into the next.
fn dispatch(order: &[usize], values: Vec<TokenStream>, unknown_key: &TokenStream) -> TokenStream {
    if is_many(values.len()) {
        // One function of so many would take the compiler minutes; and these do not tell.
        return quote! {
            match __index {
                #(#order => { #values; })*
                _ => { #unknown_key; }
            }
        };
    }
    let labels: Vec<_> = (0..values.len())
        .map(|index| syn::Lifetime::new(&format!("'__member{index}"), proc_macro2::Span::call_site()))
        .collect();
    let mut body = quote! {
        match __index {
            #(#order => break #labels,)*
            _ => {
                #unknown_key;
                break '__members;
            }
        }
    };
    let last = values.len().saturating_sub(1);
    for (index, (label, value)) in labels.iter().zip(values).enumerate() {
        let read = match index == last {
            true => quote!(#value;),
            false => quote! {
                if !#value {
                    break '__members;
                }
            },
        };
        body = quote! {
            #label: { #body }
            #read
        };
    }
    body
}

fn oneof(oneof: &Oneof) -> TokenStream {
    let container = &oneof.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let variants: Vec<_> = oneof.variants.iter().filter(|variant| !variant.skipped).collect();
    let inline = inline(variants.len());
    let names: Vec<&String> = variants.iter().map(|variant| &variant.serde_name).collect();
    let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let unknown = format!("not a variant of oneof {}, expected {list}", container.serde_name);
    let expecting = format!("oneof {}", container.serde_name);
    let arms = variants.iter().enumerate().map(|(index, variant)| {
        let name = &variant.ident;
        let empty = at(&variant.ty, &quote!(#p::Merge::empty()));
        quote! {
            #index => match self.0 {
                ::core::option::Option::Some(#ident::#name(__value)) => {
                    #p::serde::de::VariantAccess::newtype_variant_seed(__variant, #p::MergeInto(__value))
                }
                __slot => {
                    let mut __value = #empty;
                    #p::serde::de::VariantAccess::newtype_variant_seed(__variant, #p::MergeInto(&mut __value))?;
                    *__slot = ::core::option::Option::Some(#ident::#name(__value));
                    ::core::result::Result::Ok(())
                }
            },
        }
    });
    let slot = |target: TokenStream| quote!(::core::option::Option<#target>);
    let variant_visitor = visitor(
        container,
        "__VariantVisitor",
        &expecting,
        slot,
        None,
        &quote! {
            #inline
            fn visit_enum<__A: #p::serde::de::EnumAccess<'__de>>(
                self,
                __enum: __A,
            ) -> ::core::result::Result<(), __A::Error> {
                let (__index, __variant) = #p::serde::de::EnumAccess::variant_seed(__enum, #p::Key(__VARIANTS))?;
                match __index {
                    #(#arms)*
                    _ => ::core::result::Result::Err(#p::serde::de::Error::custom(#unknown)),
                }
            }
        },
    );
    let unset = |name: TokenStream| {
        quote! {
            #[inline]
            fn #name<__E: #p::serde::de::Error>(self) -> ::core::result::Result<(), __E> {
                *self.0 = ::core::option::Option::None;
                ::core::result::Result::Ok(())
            }
        }
    };
    let (visit_none, visit_unit) = (unset(quote!(visit_none)), unset(quote!(visit_unit)));
    let option_visitor = visitor(
        container,
        "__OptionVisitor",
        &expecting,
        slot,
        None,
        &quote! {
            #visit_none
            #visit_unit
            #[inline]
            fn visit_some<__D: #p::serde::Deserializer<'__de>>(
                self,
                __deserializer: __D,
            ) -> ::core::result::Result<(), __D::Error> {
                __deserialize_variant(self.0, __deserializer)
            }
        },
    );
    let human_readable = quote!(#p::serde::Deserializer::is_human_readable(&__deserializer));
    let name = container.name_for(&human_readable, &quote!(#p::MESSAGE));
    let generics = deserialize_generics(&container.generics);
    let (impl_generics, _, _) = generics.split_for_impl();
    let (_, ty_generics, where_clause) = container.generics.split_for_impl();
    // A function of its own has the type's lifetimes as parameters, and its deserializer's type after them.
    let mut with_type = generics.clone();
    with_type.params.push(syn::parse_quote!(__D: #p::serde::Deserializer<'__de>));
    let (fn_generics, _, _) = with_type.split_for_impl();
    quote! {
        const __VARIANTS: &[&::core::primitive::str] = &[#(#names),*];
        #variant_visitor
        #option_visitor
        #[inline]
        fn __deserialize_variant #fn_generics (
            __slot: &mut ::core::option::Option<#ident #ty_generics>,
            __deserializer: __D,
        ) -> ::core::result::Result<(), __D::Error> #where_clause {
            let __name = #name;
            #p::serde::Deserializer::deserialize_enum(__deserializer, __name, __VARIANTS, __VariantVisitor(__slot))
        }
        #[automatically_derived]
        impl #impl_generics #p::MergeOneof<'__de> for #ident #ty_generics #where_clause {
            #[inline]
            fn merge_oneof<__D: #p::serde::Deserializer<'__de>>(
                __slot: &mut ::core::option::Option<Self>,
                __deserializer: __D,
            ) -> ::core::result::Result<(), __D::Error> {
                #p::serde::Deserializer::deserialize_option(__deserializer, __OptionVisitor(__slot))
            }
        }
        #[automatically_derived]
        impl #impl_generics #p::serde::Deserialize<'__de> for #ident #ty_generics #where_clause {
            #[inline]
            fn deserialize<__D: #p::serde::Deserializer<'__de>>(
                __deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                let mut __slot = ::core::option::Option::None;
                __deserialize_variant(&mut __slot, __deserializer)?;
                match __slot {
                    ::core::option::Option::Some(__value) => ::core::result::Result::Ok(__value),
                    ::core::option::Option::None => {
                        ::core::result::Result::Err(#p::serde::de::Error::custom(#unknown))
                    }
                }
            }
        }
    }
}

fn enumeration(enumeration: &Enumeration) -> TokenStream {
    let container = &enumeration.container;
    let p = private(&container.krate);
    let empty = match &enumeration.form {
        Form::Open => quote!(Self(0)),
        Form::Closed(values) => {
            let default = values.iter().find(|value| value.number == 0).or(values.first());
            let ident = default.map(|value| &value.ident);
            quote!(Self::#ident)
        }
    };
    let merge = quote! {
        *self = #p::deserialize_enumeration(__deserializer)?;
        ::core::result::Result::Ok(())
    };
    let clear = quote!(*self = #empty;);
    let list = quote! {
        #[inline]
        fn merge_list<__D: #p::serde::Deserializer<'__de>>(
            __list: &mut ::std::vec::Vec<Self>,
            __deserializer: __D,
        ) -> ::core::result::Result<(), __D::Error> {
            #p::merge_enumerations(__list, __deserializer)
        }
        #[inline]
        fn refill_list<__D: #p::serde::Deserializer<'__de>>(
            __list: &mut ::std::vec::Vec<Self>,
            __count: &mut ::core::primitive::u32,
            __deserializer: __D,
        ) -> ::core::result::Result<(), __D::Error> {
            #p::refill_enumerations(__list, __count, __deserializer)
        }
    };
    impls(container, None, quote!(false), empty, merge, quote!(#clear), list)
}

/// `Merge`, and `Deserialize` as empty and merge; `members` is how many a message has.
fn impls(
    container: &Container,
    members: Option<usize>,
    keeps: TokenStream,
    empty: TokenStream,
    merge: TokenStream,
    clear: TokenStream,
    list: TokenStream,
) -> TokenStream {
    let p = private(&container.krate);
    let inline = inline(members.unwrap_or_default());
    // A message is ProtoJSON in other formats that people read.
    let read = quote!(#p::Merge::merge(&mut __value, __deserializer));
    let read = match members {
        Some(_) => quote! {
            if #p::serde::Deserializer::is_human_readable(&__deserializer) {
                #p::merge_foreign(&mut __value, __deserializer)
            } else {
                #read
            }
        },
        None => read,
    };
    let held = match members {
        Some(_) => quote!(Message),
        None => quote!(Enum),
    };
    let in_place = match members {
        Some(_) => quote! {
            if #p::serde::Deserializer::is_human_readable(&__deserializer) {
                #p::Merge::clear(__place);
                return #p::merge_foreign(__place, __deserializer);
            }
            #p::Merge::refill(__place, &mut 0, __deserializer)
        },
        None => quote!(#p::Merge::merge(__place, __deserializer)),
    };
    let ident = &container.ident;
    let generics = deserialize_generics(&container.generics);
    let (impl_generics, _, _) = generics.split_for_impl();
    let (_, ty_generics, where_clause) = container.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #p::Merge<'__de> for #ident #ty_generics #where_clause {
            const HELD: #p::Held = #p::Held::#held;
            const KEEPS: ::core::primitive::bool = #keeps;

            #inline
            fn empty() -> Self {
                #empty
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn merge<__D: #p::serde::Deserializer<'__de>>(
                &mut self,
                __deserializer: __D,
            ) -> ::core::result::Result<(), __D::Error> {
                #merge
            }
            #inline
            fn clear(&mut self) {
                #clear
            }
            #list
        }
        #[automatically_derived]
        impl #impl_generics #p::serde::Deserialize<'__de> for #ident #ty_generics #where_clause {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn deserialize<__D: #p::serde::Deserializer<'__de>>(
                __deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                let mut __value = <Self as #p::Merge<'__de>>::empty();
                // No `?` and no combinator: so the compiler moves the value less often.
                match #read {
                    ::core::result::Result::Ok(()) => ::core::result::Result::Ok(__value),
                    ::core::result::Result::Err(__error) => ::core::result::Result::Err(__error),
                }
            }
            #[inline]
            fn deserialize_in_place<__D: #p::serde::Deserializer<'__de>>(
                __deserializer: __D,
                __place: &mut Self,
            ) -> ::core::result::Result<(), __D::Error> {
                #in_place
            }
        }
    }
}

/// A visitor around a mutable reference to the type, or to what `slot` makes of it; `modal`, maybe with more in it, where it
/// does either of the two things that a `Mode` says.
fn visitor(
    container: &Container,
    name: &str,
    expecting: &str,
    slot: impl Fn(TokenStream) -> TokenStream,
    modal: Option<Option<TokenStream>>,
    body: &TokenStream,
) -> TokenStream {
    let p = private(&container.krate);
    let ident = &container.ident;
    let name = quote::format_ident!("{name}");
    let (_, ty_generics, where_clause) = container.generics.split_for_impl();
    let slot = slot(quote!(#ident #ty_generics));
    let (mut generics, mut impl_generics) =
        (with_borrow(&container.generics), with_borrow(&deserialize_generics(&container.generics)));
    if modal.is_some() {
        generics.params.push(syn::parse_quote!(__M));
        impl_generics.params.push(syn::parse_quote!(__M: #p::Mode));
    }
    let rest = modal.map(|rest| quote!(, ::core::marker::PhantomData<__M> #rest));
    let (struct_generics, visitor_generics, _) = generics.split_for_impl();
    let (impl_generics, _, _) = impl_generics.split_for_impl();
    quote! {
        struct #name #struct_generics (&'__m mut #slot #rest) #where_clause;
        impl #impl_generics #p::serde::de::Visitor<'__de> for #name #visitor_generics #where_clause {
            type Value = ();
            fn expecting(&self, __formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Formatter::write_str(__formatter, #expecting)
            }
            #body
        }
    }
}

fn with_borrow(generics: &Generics) -> Generics {
    let mut out = generics.clone();
    out.params.insert(0, syn::GenericParam::Lifetime(LifetimeParam::new(syn::parse_quote!('__m))));
    out
}
