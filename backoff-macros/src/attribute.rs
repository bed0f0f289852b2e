//! The whole way from tokens to tokens.

use crate::token::TokenStream;
use crate::{check, errors, expand, model, parse};

/// What the attribute makes of a function. On any error the function comes back as it was, once, with all errors of the run.
pub(crate) fn attribute(arguments: TokenStream, function: TokenStream) -> TokenStream {
    let mut errors = errors::Errors::new();
    let options = parse::options(arguments, &mut errors);
    let item = parse::item(function);
    let mut model = model::Model::new(options, &mut errors);
    if let Some(name) = expand::name_of_self(&item) {
        model.rename_self(&name);
    }
    let function = check::function(&item, &model, &mut errors);
    match (function, errors.into_compile_errors()) {
        (Some(function), None) => expand::function(&function, &model),
        (_, errors) => {
            let mut tokens = item.plain();
            tokens.extend(errors.unwrap_or_default());
            tokens
        }
    }
}
