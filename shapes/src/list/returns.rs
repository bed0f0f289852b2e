//! What a function returns.

use crate::shape::Shape;

pub(super) fn shapes() -> Vec<Shape> {
    vec![
        Shape::both(
            "`std::result::Result`",
            "#[RETRY] ASYNC fn f() -> ::std::result::Result<u32, Down> { attempt().AWAIT }",
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "an alias of `Result`",
            "type Answer = Result<u32, Down>; #[RETRY] ASYNC fn f() -> Answer { attempt().AWAIT }",
            "assert_eq!(f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`io::Result`",
            "use std::io; #[RETRY] ASYNC fn f() -> io::Result<u32> { attempt().AWAIT.map_err(io::Error::other) }",
            "assert_eq!(f().AWAIT.unwrap(), 3);",
        ),
        Shape::both(
            "`anyhow::Result`",
            "#[RETRY] ASYNC fn f() -> anyhow::Result<u32> { Ok(attempt().AWAIT?) }",
            "assert_eq!(f().AWAIT.unwrap(), 3);",
        ),
        Shape::both(
            "`Result<_, Box<dyn Error>>`",
            "#[RETRY] ASYNC fn f() -> Result<u32, Box<dyn std::error::Error>> { Ok(attempt().AWAIT?) }",
            "assert_eq!(f().AWAIT.unwrap(), 3);",
        ),
        Shape::both(
            "an error that implements nothing",
            "struct Bare; #[RETRY] ASYNC fn f() -> Result<u32, Bare> { attempt().AWAIT.map_err(|_| Bare) }",
            "assert!(f().AWAIT.is_ok());",
        ),
        Shape::both(
            "`Result<(), E>`",
            "#[RETRY] ASYNC fn f() -> R<()> { attempt().AWAIT?; Ok(()) }",
            "assert_eq!(f().AWAIT, Ok(()));",
        ),
        Shape::both(
            "`Result<Option<T>, E>`",
            "#[RETRY] ASYNC fn f() -> R<Option<u32>> { attempt().AWAIT.map(Some) }",
            "assert_eq!(f().AWAIT, Ok(Some(3)));",
        ),
        Shape::both(
            "`Option`",
            "#[RETRY] ASYNC fn f() -> Option<u32> { attempt().AWAIT.ok() }",
            "assert_eq!(f().AWAIT, Some(3));",
        )
        .retry_if("missing"),
        Shape::both(
            "`Option`, left by `?`",
            "#[RETRY] ASYNC fn f() -> Option<u32> { let n = attempt().AWAIT.ok()?; Some(n) }",
            "assert_eq!(f().AWAIT, Some(3));",
        )
        .retry_if("missing"),
        Shape::both(
            "a number, without a condition",
            "#[allow(dead_code)] fn is_early(n: &u32) -> bool { *n < 3 }
            #[RETRY] ASYNC fn f() -> u32 { attempt().AWAIT.unwrap_or(0) }",
            "assert_eq!(f().AWAIT, 3);",
        )
        .retry_if("is_early"),
        Shape::both(
            "a number, with a condition",
            "#[allow(dead_code)] fn is_early(n: &u32) -> bool { *n < 3 }
            #[RETRY] ASYNC fn f() -> u32 { attempt().AWAIT.unwrap_or(0) }",
            "assert_eq!(f().AWAIT, 3);",
        )
        .ours("until = |n| *n >= 3")
        .retry_if("is_early"),
        Shape::both(
            "a tuple, with a condition",
            "#[allow(dead_code)] fn is_early(pair: &(&str, bool)) -> bool { !pair.1 }
            #[RETRY] ASYNC fn f(name: &str) -> (&str, bool) { (name, attempt().AWAIT.is_ok()) }",
            r#"assert_eq!(f("a").AWAIT, ("a", true));"#,
        )
        .ours("until = |pair| pair.1")
        .retry_if("is_early"),
        Shape::both(
            "`Poll`, with a condition",
            "use std::task::Poll;
            #[allow(dead_code)] fn is_early(poll: &Poll<u32>) -> bool { poll.is_pending() }
            #[RETRY] ASYNC fn f() -> Poll<u32> { attempt().AWAIT.map_or(Poll::Pending, Poll::Ready) }",
            "assert_eq!(f().AWAIT, Poll::Ready(3));",
        )
        .ours("until = Poll::is_ready")
        .retry_if("is_early"),
        Shape::both(
            "an own type named `Result`, with a condition",
            "mod own {
                #[derive(Debug, PartialEq)] pub enum Result { Done, Again }
                impl Result { pub fn is_done(&self) -> bool { *self == Self::Done } }
            }
            #[allow(dead_code)] fn is_early(answer: &own::Result) -> bool { !answer.is_done() }
            #[RETRY] ASYNC fn f() -> own::Result {
                if attempt().AWAIT.is_ok() { own::Result::Done } else { own::Result::Again }
            }",
            "assert_eq!(f().AWAIT, own::Result::Done);",
        )
        .ours("until = own::Result::is_done")
        .retry_if("is_early"),
        Shape::both(
            "`Result<impl Trait, E>`",
            "#[RETRY] ASYNC fn f() -> R<impl Iterator<Item = u32>> { let n = attempt().AWAIT?; Ok(0..n) }",
            "assert_eq!(f().AWAIT.unwrap().count(), 3);",
        ),
        Shape::both(
            "`Result<_, impl Error>`",
            "#[RETRY] ASYNC fn f() -> Result<u32, impl std::error::Error> { attempt().AWAIT }",
            "assert_eq!(f().AWAIT.unwrap(), 3);",
        ),
        Shape::both(
            "`Result<Box<dyn Fn()>, E>`, two closures coerced",
            "#[RETRY] ASYNC fn f() -> R<Box<dyn Fn() -> u32 + Send>> {
                let n = attempt().AWAIT?;
                if n > 5 {
                    return Ok(Box::new(|| 0));
                }
                Ok(Box::new(move || n))
            }",
            "assert_eq!(f().AWAIT.unwrap()(), 3);",
        ),
        Shape::both(
            "a value that the return type coerces",
            "#[RETRY] ASYNC fn f(text: &String) -> R<&str> { attempt().AWAIT?; Ok(text) }",
            r#"assert_eq!(f(&"ab".into()).AWAIT, Ok("ab"));"#,
        ),
        Shape::both(
            "a borrow of an argument",
            "#[RETRY] ASYNC fn f(list: &[u8]) -> R<&u8> { attempt().AWAIT?; Ok(&list[0]) }",
            "assert_eq!(f(&[7]).AWAIT, Ok(&7));",
        ),
        Shape::both(
            "a `&mut` from an argument",
            "#[RETRY] ASYNC fn f(list: &mut Vec<u8>) -> R<&mut u8> { attempt().AWAIT?; Ok(&mut list[0]) }",
            "assert_eq!(f(&mut vec![7]).AWAIT, Ok(&mut 7));",
        ),
        Shape::both(
            "an integer whose type only the signature says",
            r#"#[RETRY] ASYNC fn f() -> Result<u8, Box<dyn std::error::Error>> { attempt().AWAIT?; Ok("7".parse()?) }"#,
            "assert_eq!(f().AWAIT.unwrap(), 7);",
        ),
        Shape::blocking(
            "a `fn` that makes an `impl Future`",
            "#[RETRY] fn f() -> impl Future<Output = R<u32>> { async { attempt_async().await } }",
            "assert_eq!(block_on(f()), Ok(3));",
        ),
        Shape::blocking(
            "a `fn` that makes a `Pin<Box<dyn Future>>`",
            "use std::pin::Pin;
            #[RETRY] fn f() -> Pin<Box<dyn Future<Output = R<u32>> + Send>> { Box::pin(attempt_async()) }",
            "assert_eq!(block_on(f()), Ok(3));",
        ),
    ]
}
