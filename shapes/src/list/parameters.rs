//! What a function is given.

use crate::shape::Shape;

pub(super) fn shapes() -> Vec<Shape> {
    vec![
        Shape::both("none", "#[RETRY] ASYNC fn f() -> R<u32> { attempt().AWAIT }", "assert_eq!(f().AWAIT, Ok(3));"),
        Shape::both(
            "`Copy` by value",
            "#[RETRY] ASYNC fn f(a: u8, b: bool) -> R<u8> { attempt().AWAIT?; Ok(a + u8::from(b)) }",
            "assert_eq!(f(1, true).AWAIT, Ok(2));",
        ),
        Shape::both(
            "owned, only read",
            "#[RETRY] ASYNC fn f(text: String) -> R<usize> { attempt().AWAIT?; Ok(text.len()) }",
            r#"assert_eq!(f("ab".into()).AWAIT, Ok(2));"#,
        ),
        Shape::both(
            "owned, only read, no `?` in the body",
            "#[RETRY] ASYNC fn f(text: String) -> R<usize> { attempt().AWAIT.map(|_| text.len()) }",
            r#"assert_eq!(f("ab".into()).AWAIT, Ok(2));"#,
        ),
        Shape::both(
            "owned, consumed by the body",
            "#[RETRY] ASYNC fn f(text: String) -> R<String> { let mine = text; attempt().AWAIT?; Ok(mine) }",
            r#"assert_eq!(f("ab".into()).AWAIT, Ok("ab".into()));"#,
        ),
        Shape::both(
            "owned, consumed, with an option of the attribute",
            "#[RETRY] ASYNC fn f(text: String) -> R<String> { let mine = text; attempt().AWAIT?; Ok(mine) }",
            r#"assert_eq!(f("ab".into()).AWAIT, Ok("ab".into()));"#,
        )
        .ours("clone(text)"),
        Shape::both(
            "owned, cloned in the body",
            "#[RETRY] ASYNC fn f(text: String) -> R<String> { let mine = text.clone(); attempt().AWAIT?; Ok(mine) }",
            r#"assert_eq!(f("ab".into()).AWAIT, Ok("ab".into()));"#,
        ),
        Shape::both(
            "`&T`",
            "#[RETRY] ASYNC fn f(text: &str) -> R<usize> { attempt().AWAIT?; Ok(text.len()) }",
            r#"assert_eq!(f("ab").AWAIT, Ok(2));"#,
        ),
        Shape::both(
            "`&mut T`, changed",
            "#[RETRY] ASYNC fn f(list: &mut Vec<u8>) -> R<usize> { list.push(1); attempt().AWAIT?; Ok(list.len()) }",
            "assert_eq!(f(&mut vec![]).AWAIT, Ok(3));",
        ),
        Shape::both(
            "`&mut T`, passed on as `&mut T`",
            "fn add(n: &mut u32) { *n += 1; }
            #[RETRY] ASYNC fn f(n: &mut u32) -> R<u32> { add(n); attempt().AWAIT?; Ok(*n) }",
            "assert_eq!(f(&mut 0).AWAIT, Ok(3));",
        ),
        Shape::both(
            "`&mut T`, passed on to a generic function",
            "fn take<T>(_: T) {}
            #[RETRY] ASYNC fn f(n: &mut u32) -> R<u32> { take(n); attempt().AWAIT }",
            "assert_eq!(f(&mut 0).AWAIT, Ok(3));",
        ),
        Shape::both(
            "`&mut T`, passed on as `&mut *n`",
            "fn take<T>(_: T) {}
            #[RETRY] ASYNC fn f(n: &mut u32) -> R<u32> { take(&mut *n); attempt().AWAIT }",
            "assert_eq!(f(&mut 0).AWAIT, Ok(3));",
        ),
        Shape::both(
            "`mut n`, changed",
            "#[RETRY] ASYNC fn f(mut n: u32) -> R<bool> { n += 1; attempt().AWAIT?; Ok(n > 0) }",
            "assert_eq!(f(0).AWAIT, Ok(true));",
        ),
        Shape::both(
            "`mut list`, changed",
            "#[RETRY] ASYNC fn f(mut list: Vec<u8>) -> R<bool> { list.push(1); attempt().AWAIT?; Ok(!list.is_empty()) }",
            "assert_eq!(f(vec![]).AWAIT, Ok(true));",
        ),
        Shape::both(
            "patterns: tuple, slice, struct",
            "struct P { x: u8, y: u8 }
            #[RETRY] ASYNC fn f((a, b): (u8, u8), [c, ..]: [u8; 2], P { x, .. }: P) -> R<u8> {
                attempt().AWAIT?;
                Ok(a + b + c + x)
            }",
            "let p = P { x: 4, y: 0 }; let _ = p.y; assert_eq!(f((1, 2), [3, 0], p).AWAIT, Ok(10));",
        ),
        Shape::both(
            "the pattern `_`",
            "#[RETRY] ASYNC fn f(_: String, _b: String) -> R<u32> { attempt().AWAIT }",
            "assert_eq!(f(String::new(), String::new()).AWAIT, Ok(3));",
        ),
        Shape::both(
            "`&self` and a pattern",
            "struct S; impl S {
                #[RETRY] ASYNC fn f(&self, (a, b): (u8, u8)) -> R<u8> { attempt().AWAIT?; Ok(a + b) }
            }",
            "assert_eq!(S.f((1, 2)).AWAIT, Ok(3));",
        ),
        Shape::both(
            "a closure that is `Fn`",
            "#[RETRY] ASYNC fn f(work: impl Fn(u32) -> u32) -> R<u32> { let n = attempt().AWAIT?; Ok(work(n)) }",
            "assert_eq!(f(|n| n + 1).AWAIT, Ok(4));",
        ),
        Shape::both(
            "a closure that is `FnMut`",
            "#[RETRY] ASYNC fn f(mut work: impl FnMut()) -> R<u32> { work(); attempt().AWAIT }",
            "let mut n = 0; assert_eq!(f(|| n += 1).AWAIT, Ok(3)); assert_eq!(n, 3);",
        ),
        Shape::both(
            "`&mut dyn FnMut`",
            "#[RETRY] ASYNC fn f(work: &mut dyn FnMut()) -> R<u32> { work(); attempt().AWAIT }",
            "let mut n = 0; assert_eq!(f(&mut || n += 1).AWAIT, Ok(3)); assert_eq!(n, 3);",
        ),
        Shape::both(
            "a closure that is `FnOnce`, called",
            "#[RETRY] ASYNC fn f<F: FnOnce() -> u32>(work: F) -> R<u32> { let n = work(); attempt().AWAIT?; Ok(n) }",
            "assert_eq!(f(|| 7).AWAIT, Ok(7));",
        ),
        Shape::both(
            "a closure that is `FnOnce + Clone`, with an option of the attribute",
            "#[RETRY] ASYNC fn f<F: FnOnce() -> u32 + Clone>(work: F) -> R<u32> {
                let n = work();
                attempt().AWAIT?;
                Ok(n)
            }",
            "assert_eq!(f(|| 7).AWAIT, Ok(7));",
        )
        .ours("clone(work)"),
        Shape::both(
            "attributes on parameters",
            "#[RETRY] ASYNC fn f(#[allow(unused)] a: u8, #[cfg(any())] b: Nothing, #[cfg(all())] c: u8) -> R<u8> {
                attempt().AWAIT?;
                Ok(c)
            }",
            "assert_eq!(f(1, 2).AWAIT, Ok(2));",
        ),
        Shape::both(
            "two owned, one consumed, with an option of the attribute",
            "#[RETRY] ASYNC fn f(kept: Vec<u8>, text: String) -> R<usize> {
                let mine = text;
                attempt().AWAIT?;
                Ok(kept.len() + mine.len())
            }",
            r#"assert_eq!(f(vec![1], "ab".into()).AWAIT, Ok(3));"#,
        )
        .ours("clone(text)"),
        Shape::both(
            "`mut work: Pin<&mut T>`, reborrowed",
            "use std::pin::Pin;
            #[RETRY] ASYNC fn f(mut work: Pin<&mut u32>) -> R<u32> {
                *work.as_mut().get_mut() += 1;
                attempt().AWAIT?;
                Ok(*work)
            }",
            "assert_eq!(f(Pin::new(&mut 0)).AWAIT, Ok(3));",
        ),
        Shape::both(
            "a `Cell` by value",
            "use std::cell::Cell;
            #[RETRY] ASYNC fn f(c: Cell<u32>) -> R<u32> { c.set(c.get() + 1); attempt().AWAIT?; Ok(c.get()) }",
            "assert_eq!(f(Cell::new(0)).AWAIT, Ok(3));",
        ),
    ]
}
