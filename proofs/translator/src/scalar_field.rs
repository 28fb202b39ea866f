//! Reading hacspec's `public_nat_mod!`, which declares the scalar field.

use syn::parse::{Parse, ParseStream};

use crate::calls::hexadecimal;
use crate::refusal::{Place, Translated};

/// The macro's four arguments.
struct Arguments {
    type_name: syn::Ident,
    modulus: syn::LitStr,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let label = |expected: &str| -> syn::Result<()> {
            let found: syn::Ident = input.parse()?;
            input.parse::<syn::Token![:]>()?;
            if found == expected { Ok(()) } else { Err(syn::Error::new(found.span(), format!("not `{expected}`"))) }
        };
        label("type_name")?;
        let type_name = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        label("type_of_canvas")?;
        input.parse::<syn::Ident>()?;
        input.parse::<syn::Token![,]>()?;
        label("bit_size_of_field")?;
        input.parse::<syn::LitInt>()?;
        input.parse::<syn::Token![,]>()?;
        label("modulo_value")?;
        let modulus = input.parse()?;
        Ok(Self { type_name, modulus })
    }
}

/// The modulus, in hexadecimal digits, of the field that a macro's call declares.
pub fn read(place: &Place, found: &syn::Macro) -> Translated<String> {
    if !found.path.is_ident("public_nat_mod") {
        return place.refuse("a macro other than `public_nat_mod!`");
    }
    let Ok(arguments) = found.parse_body::<Arguments>() else {
        return place.refuse("`public_nat_mod!` with arguments that are not understood");
    };
    if arguments.type_name != "Scalar" {
        return place.refuse("a field whose type is not called `Scalar`");
    }
    hexadecimal(&arguments.modulus.value(), place)
}
