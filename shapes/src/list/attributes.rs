//! What else stands before the function.

use crate::shape::Shape;

pub(super) fn shapes() -> Vec<Shape> {
    vec![
        Shape::both(
            "docs, `#[must_use]`, `#[inline]`, `#[cold]` above",
            r#"/// Documented.
            #[must_use = "why"] #[inline] #[cold] #[RETRY] pub(crate) ASYNC fn f() -> R<u32> { attempt().AWAIT }"#,
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "docs, `#[must_use]`, `#[inline]`, `#[cold]` below",
            r#"#[RETRY]
            /// Documented.
            #[must_use = "why"] #[inline] #[cold] pub(crate) ASYNC fn f() -> R<u32> { attempt().AWAIT }"#,
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`#[deprecated]`",
            "#[deprecated] #[RETRY] ASYNC fn f() -> R<u32> { attempt().AWAIT }",
            "#[allow(deprecated)] let call = f().AWAIT; assert_eq!(call, Ok(3));",
        ),
        Shape::both(
            "`#[cfg_attr(.., retry)]`",
            "#[cfg_attr(all(), RETRY)] ASYNC fn f() -> R<u32> { attempt().AWAIT }",
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`#[cfg(..)]` below",
            "#[RETRY] #[cfg(all())] ASYNC fn f() -> R<u32> { attempt().AWAIT }
            #[RETRY] #[cfg(any())] ASYNC fn f() -> NoSuchType {}",
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "an inner attribute in the body",
            "#[RETRY] ASYNC fn f() -> R<u32> { #![allow(unused_mut)] let mut n = attempt().AWAIT?; Ok(n) }",
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`#[tracing::instrument]` above",
            "#[tracing::instrument(skip_all)] #[RETRY] ASYNC fn f(n: u32) -> R<u32> { Ok(attempt().AWAIT? + n) }",
            "assert_eq!(f(1).AWAIT, Ok(4));",
        ),
        Shape::both(
            "`#[tracing::instrument]` below",
            "#[RETRY] #[tracing::instrument(skip_all)] ASYNC fn f(n: u32) -> R<u32> { Ok(attempt().AWAIT? + n) }",
            "assert_eq!(f(1).AWAIT, Ok(4));",
        ),
        Shape::only_async(
            "`#[tokio::main]` above",
            "#[tokio::main] #[RETRY] async fn main() -> R<()> { attempt().await?; Ok(()) }",
            "",
        ),
        Shape::only_async(
            "`#[tokio::main]` below",
            "#[RETRY] #[tokio::main] async fn main() -> R<()> { attempt().await?; Ok(()) }",
            "",
        ),
        Shape::blocking("`#[test]` above", "#[test] #[RETRY] fn f() -> R<()> { attempt()?; Ok(()) }", "").test(),
        Shape::blocking("`#[test]` below", "#[RETRY] #[test] fn f() -> R<()> { attempt()?; Ok(()) }", "").test(),
        Shape::only_async(
            "`#[tokio::test]` above",
            "#[tokio::test] #[RETRY] async fn f() -> R<()> { attempt().await?; Ok(()) }",
            "",
        )
        .test(),
        Shape::only_async(
            "`#[tokio::test]` below",
            "#[RETRY] #[tokio::test] async fn f() -> R<()> { attempt().await?; Ok(()) }",
            "",
        )
        .test(),
        Shape::both(
            "`unsafe fn`",
            "#[RETRY] ASYNC unsafe fn f(n: *const u32) -> R<u32> { attempt().AWAIT?; Ok(unsafe { *n }) }",
            "let n = 7; assert_eq!(unsafe { f(&raw const n).AWAIT }, Ok(7));",
        ),
        Shape::blocking(
            "`extern \"C\" fn`, `#[unsafe(no_mangle)]`",
            r#"#[unsafe(no_mangle)] #[RETRY] extern "C" fn probe_f(n: u32) -> Option<u32> { Some(attempt().ok()? + n) }"#,
            "assert_eq!(probe_f(1), Some(4));",
        )
        .retry_if("missing"),
        Shape::both(
            "`#[allow(..)]` and `#[expect(..)]`",
            "#[allow(non_snake_case)] #[RETRY] #[expect(unused_variables)] ASYNC fn F(n: u32) -> R<u32> { attempt().AWAIT }",
            "assert_eq!(F(1).AWAIT, Ok(3));",
        ),
        Shape::blocking(
            "`#[track_caller]`",
            "#[RETRY] #[track_caller] fn f() -> R<u32> { let _ = std::panic::Location::caller(); attempt() }",
            "assert_eq!(f(), Ok(3));",
        ),
    ]
}
