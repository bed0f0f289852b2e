//! Names that are shadowed, raw, missing or from macros, and crates with strict lints.

use crate::shape::Shape;

pub(super) fn shapes() -> Vec<Shape> {
    vec![
        Shape::both(
            "the prelude is shadowed",
            "mod hostile {
                #![allow(dead_code, non_snake_case, unused_imports)]
                use super::{POLICY, attempt, failed};
                enum Result { Ok, Err } enum Option { Some, None }
                fn Ok() {} fn Err() {} fn Some() {} fn drop() {}
                struct Box; struct String; trait Iterator {} trait FnOnce {} trait FnMut {} trait Clone {}
                trait Future {} trait Into {}
                #[RETRY] pub(super) ASYNC fn f() -> ::std::result::Result<u32, ::probe::Down> { attempt().AWAIT }
            }",
            "assert_eq!(hostile::f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "modules named `std` and `core` stand beside it",
            "mod hostile {
                #![allow(unused_imports)]
                use super::{POLICY, attempt, failed};
                mod std {} mod core {}
                #[RETRY] pub(super) ASYNC fn f() -> Result<u32, ::probe::Down> { attempt().AWAIT }
            }",
            "assert_eq!(hostile::f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "a module named `tokio` stands beside it",
            "mod hostile {
                #![allow(unused_imports)]
                use super::{POLICY, attempt, failed};
                mod tokio {}
                #[RETRY] pub(super) ASYNC fn f() -> Result<u32, ::probe::Down> { attempt().AWAIT }
            }",
            "assert_eq!(hostile::f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`#![no_implicit_prelude]`",
            "mod bare {
                #![no_implicit_prelude]
                #![allow(unused_imports)]
                use super::{POLICY, attempt, failed};
                #[RETRY] pub(super) ASYNC fn f() -> ::std::result::Result<u32, ::probe::Down> { attempt().AWAIT }
            }",
            "assert_eq!(bare::f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "a `#![no_std]` crate",
            "extern crate std; use std::prelude::rust_2024::*;
            #[RETRY] ASYNC fn f() -> R<u32> { attempt().AWAIT }",
            "core::assert_eq!(f().AWAIT, Ok(3));",
        )
        .in_crate("#![no_std]"),
        Shape::both(
            "the body shadows the return type",
            "type Foo = (); #[allow(dead_code)] enum Bar { Foo }
            #[RETRY] ASYNC fn f() -> R<Foo> { use Bar::*; let _ = Foo; attempt().AWAIT?; Ok(()) }",
            "assert_eq!(f().AWAIT, Ok(()));",
        ),
        Shape::both(
            "raw identifiers",
            "#[RETRY] ASYNC fn r#match(r#type: u32) -> R<u32> { Ok(attempt().AWAIT? + r#type) }",
            "assert_eq!(r#match(1).AWAIT, Ok(4));",
        ),
        Shape::both(
            "a raw method name",
            "struct S; impl S {
                #[RETRY] ASYNC fn r#match(&self, r#type: u32) -> R<u32> { Ok(attempt().AWAIT? + r#type) }
            }",
            "assert_eq!(S.r#match(1).AWAIT, Ok(4));",
        ),
        Shape::both(
            "parameters named like what a loop needs",
            "#[RETRY] ASYNC fn f(result: u32, err: u32, val: u32, delay: u32, run: u32, outcome: u32) -> R<u32> {
                Ok(attempt().AWAIT? + result + err + val + delay + run + outcome)
            }",
            "assert_eq!(f(1, 1, 1, 1, 1, 1).AWAIT, Ok(9));",
        ),
        Shape::both(
            "parameters named like the locals of these attributes",
            "#[RETRY] ASYNC fn f(__attempt: u32, __start: u32, __backon_builder: u32, __run: u32) -> R<u32> {
                Ok(attempt().AWAIT? + __attempt + __start + __backon_builder + __run)
            }",
            "assert_eq!(f(1, 1, 1, 1).AWAIT, Ok(7));",
        ),
        Shape::both(
            "items in the body",
            "#[RETRY] ASYNC fn f() -> R<u32> {
                const ONE: u32 = 1;
                static TWO: u32 = 2;
                struct Pair(u32, u32);
                impl Pair { fn sum(&self) -> u32 { self.0 + self.1 } }
                Ok(attempt().AWAIT? + Pair(ONE, TWO).sum())
            }",
            "assert_eq!(f().AWAIT, Ok(6));",
        ),
        Shape::both(
            "made by `macro_rules!` from parts",
            "macro_rules! method {
                ($v:vis $n:ident, $s:ident, $x:ident: $t:ty, $r:ty, $b:block) => {
                    #[RETRY] $v ASYNC fn $n(&$s, $x: $t) -> $r $b
                };
            }
            struct S(u32); impl S {
                method!(pub(crate) f, self, n: u32, R<u32>, { Ok(attempt().AWAIT? + n + self.0) });
            }",
            "assert_eq!(S(1).f(1).AWAIT, Ok(5));",
        ),
        Shape::both(
            "a whole function passed through `macro_rules!`",
            "macro_rules! whole { ($f:item) => { #[RETRY] $f }; }
            whole! { ASYNC fn f(n: u32) -> R<u32> { Ok(attempt().AWAIT? + n) } }",
            "assert_eq!(f(1).AWAIT, Ok(4));",
        ),
        Shape::both(
            "in a function's body",
            "",
            "#[RETRY] ASYNC fn f(n: u32) -> R<u32> { Ok(attempt().AWAIT? + n) } assert_eq!(f(1).AWAIT, Ok(4));",
        ),
        Shape::both(
            "`#![deny(warnings)]`",
            "#[RETRY] ASYNC fn f(n: u32) -> R<u32> { let call = attempt().AWAIT?; Ok(call + n) }",
            "assert_eq!(f(1).AWAIT, Ok(4));",
        )
        .in_crate("#![deny(warnings)]"),
        Shape::both(
            "`#![deny(warnings)]`, a method",
            "struct S(u32); impl S { #[RETRY] ASYNC fn f(&self) -> R<u32> { Ok(attempt().AWAIT? + self.0) } }",
            "assert_eq!(S(1).f().AWAIT, Ok(4));",
        )
        .in_crate("#![deny(warnings)]"),
        Shape::both(
            "`#![forbid(unsafe_code, unused)]`",
            "#[RETRY] ASYNC fn f(n: u32) -> R<u32> { let call = attempt().AWAIT?; Ok(call + n) }",
            "assert_eq!(f(1).AWAIT, Ok(4));",
        )
        .in_crate("#![forbid(unsafe_code, unused)]"),
    ]
}
