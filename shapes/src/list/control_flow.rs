//! How a body is left.

use crate::shape::Shape;

pub(super) fn shapes() -> Vec<Shape> {
    vec![
        Shape::both(
            "by `?`",
            "#[RETRY] ASYNC fn f() -> R<u32> { let n = attempt().AWAIT?; Ok(n + 1) }",
            "assert_eq!(f().AWAIT, Ok(4));",
        ),
        Shape::both(
            "by `?` that converts the error",
            "#[derive(Debug, PartialEq)] struct Mine;
            impl From<Down> for Mine { fn from(_: Down) -> Self { Self } }
            #[RETRY] ASYNC fn f() -> Result<u32, Mine> { Ok(attempt().AWAIT?) }",
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "by `return`",
            "#[RETRY] ASYNC fn f() -> R<u32> {
                if let Err(error) = attempt().AWAIT {
                    return Err(error);
                }
                Ok(3)
            }",
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "by `return` at the end",
            "#[RETRY] ASYNC fn f() -> R<u32> { return attempt().AWAIT; }",
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "by `?` in the arguments of a macro",
            r#"#[RETRY] ASYNC fn f() -> R<String> { Ok(format!("{}", attempt().AWAIT?)) }"#,
            r#"assert_eq!(f().AWAIT, Ok("3".into()));"#,
        ),
        Shape::both(
            "by `return` in a macro: `anyhow::bail!`",
            r#"#[RETRY] ASYNC fn f() -> anyhow::Result<u32> {
                match attempt().AWAIT {
                    Ok(n) => Ok(n),
                    Err(error) => anyhow::bail!("{error}"),
                }
            }"#,
            "assert_eq!(f().AWAIT.unwrap(), 3);",
        ),
        Shape::both(
            "by `return` in a macro: `anyhow::ensure!`",
            r#"#[RETRY] ASYNC fn f() -> anyhow::Result<()> {
                let call = attempt().AWAIT;
                anyhow::ensure!(call.is_ok(), "down");
                Ok(())
            }"#,
            "f().AWAIT.unwrap();",
        ),
        Shape::both(
            "`?` in a closure of the body",
            "#[RETRY] ASYNC fn f() -> R<u32> {
                let call = attempt().AWAIT;
                let add = |n: u32| -> R<u32> { Ok(n + call.clone()?) };
                add(1)
            }",
            "assert_eq!(f().AWAIT, Ok(4));",
        ),
        Shape::both(
            "`return` in a closure of the body",
            "#[RETRY] ASYNC fn f() -> R<u32> {
                let n = attempt().AWAIT?;
                let large = |n: u32| { if n > 2 { return true; } false };
                if large(n) { Ok(n) } else { Err(Down) }
            }",
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`?` and `return` in a function inside of the body",
            "#[RETRY] ASYNC fn f() -> R<u32> {
                fn inner(call: R<u32>) -> R<u32> {
                    let n = call?;
                    return Ok(n);
                }
                inner(attempt().AWAIT)
            }",
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`?` on an `Option` in a closure of the body",
            "#[RETRY] ASYNC fn f(text: &str) -> R<usize> {
                attempt().AWAIT?;
                let first = |text: &str| Some(text.split(' ').next()?.len());
                first(text).ok_or(Down)
            }",
            r#"assert_eq!(f("ab c").AWAIT, Ok(2));"#,
        ),
        Shape::only_async(
            "`?` and `return` in an async block of the body",
            "#[RETRY] async fn f() -> R<u32> {
                let block = async {
                    let n = attempt().await?;
                    if n > 5 {
                        return Err(Down);
                    }
                    Ok(n)
                };
                block.await
            }",
            "assert_eq!(f().await, Ok(3));",
        ),
        Shape::both(
            "labels of its own, `'block` and `'retry`",
            "#[RETRY] ASYNC fn f() -> R<u32> {
                let mut n = 0;
                'block: { if n == 0 { break 'block; } n = 9; }
                'retry: loop { loop { n += 1; break 'retry; } }
                Ok(attempt().AWAIT? + n)
            }",
            "assert_eq!(f().AWAIT, Ok(4));",
        ),
        Shape::both(
            "`return` inside of a block that is labelled `'block`",
            "#[RETRY] ASYNC fn f() -> R<u32> {
                let n = 'block: {
                    match attempt().AWAIT {
                        Ok(n) => break 'block n,
                        Err(error) => return Err(error),
                    }
                };
                Ok(n)
            }",
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "out of a `loop`",
            "#[RETRY] ASYNC fn f() -> R<u32> { loop { return attempt().AWAIT; } }",
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`?` inside of `for` and `match`",
            "#[RETRY] ASYNC fn f(list: &[u32]) -> R<u32> {
                let mut sum = 0;
                for n in list {
                    match n {
                        0 => continue,
                        n => sum += n + attempt().AWAIT?,
                    }
                }
                Ok(sum)
            }",
            "assert_eq!(f(&[0, 1, 0]).AWAIT, Ok(4));",
        ),
        Shape::both(
            "`let .. else` and a chain of `let`",
            "#[RETRY] ASYNC fn f(text: Option<&str>) -> R<usize> {
                let Ok(n) = attempt().AWAIT else { return Err(Down) };
                if let Some(text) = text && n > 2 && !text.is_empty() { Ok(text.len()) } else { Ok(0) }
            }",
            r#"assert_eq!(f(Some("ab")).AWAIT, Ok(2));"#,
        ),
        Shape::both(
            "an `unsafe` block as the body",
            "#[RETRY] ASYNC fn f(n: &u32) -> R<u32> { unsafe { attempt().AWAIT?; Ok(*std::ptr::from_ref(n)) } }",
            "assert_eq!(f(&7).AWAIT, Ok(7));",
        ),
        Shape::both(
            "a method chain instead of `?`",
            "#[RETRY] ASYNC fn f() -> R<u32> { attempt().AWAIT.map(|n| n + 1).map_err(|error| error.clone()) }",
            "assert_eq!(f().AWAIT, Ok(4));",
        ),
    ]
}
