//! Type parameters, lifetimes and bounds.

use crate::shape::Shape;

pub(super) fn shapes() -> Vec<Shape> {
    vec![
        Shape::both(
            "a type parameter with a bound",
            "#[RETRY] ASYNC fn f<T: ToString>(t: T) -> R<String> { attempt().AWAIT?; Ok(t.to_string()) }",
            r#"assert_eq!(f(7).AWAIT, Ok("7".into()));"#,
        ),
        Shape::both(
            "a `where` clause and a const generic",
            "#[RETRY] ASYNC fn f<T, const N: usize>(a: [T; N]) -> R<usize> where T: Copy, [T; N]: Sized {
                attempt().AWAIT?;
                Ok(a.len())
            }",
            "assert_eq!(f::<u8, 2>([0; 2]).AWAIT, Ok(2));",
        ),
        Shape::both(
            "a type parameter that is only returned",
            "#[RETRY] ASYNC fn f<T: Default>() -> R<T> { attempt().AWAIT?; Ok(T::default()) }",
            "assert_eq!(f::<u8>().AWAIT, Ok(0));",
        ),
        Shape::both(
            "a generic error",
            "#[RETRY] ASYNC fn f<E: From<Down>>() -> Result<u32, E> { Ok(attempt().AWAIT?) }",
            "assert_eq!(f::<Down>().AWAIT, Ok(3));",
        ),
        Shape::both(
            "named lifetimes",
            "#[RETRY] ASYNC fn f<'a, 'b: 'a>(a: &'a str, b: &'b str) -> R<&'a str> {
                attempt().AWAIT?;
                Ok(if a.is_empty() { b } else { a })
            }",
            r#"assert_eq!(f("", "b").AWAIT, Ok("b"));"#,
        ),
        Shape::both(
            "an elided lifetime inside a type",
            "struct W<'a>(&'a str);
            #[RETRY] ASYNC fn f(x: Option<&str>, w: W<'_>) -> R<usize> {
                attempt().AWAIT?;
                Ok(x.map_or(0, str::len) + w.0.len())
            }",
            r#"assert_eq!(f(Some("a"), W("b")).AWAIT, Ok(2));"#,
        ),
        Shape::both(
            "`impl Trait` as an argument",
            "#[RETRY] ASYNC fn f(name: impl AsRef<str>) -> R<usize> { attempt().AWAIT?; Ok(name.as_ref().len()) }",
            r#"assert_eq!(f("ab".to_owned()).AWAIT, Ok(2));"#,
        ),
        Shape::both(
            "`&dyn Trait` as an argument",
            "#[RETRY] ASYNC fn f(name: &dyn ToString) -> R<usize> { attempt().AWAIT?; Ok(name.to_string().len()) }",
            "assert_eq!(f(&12).AWAIT, Ok(2));",
        ),
        Shape::both(
            "a bound with `for<'a>`",
            "#[RETRY] ASYNC fn f<F>(pick: F) -> R<usize> where F: for<'a> Fn(&'a str) -> &'a str {
                attempt().AWAIT?;
                Ok(pick(\"ab\").len())
            }",
            "fn first(text: &str) -> &str { &text[..1] } assert_eq!(f(first).AWAIT, Ok(1));",
        ),
        Shape::both(
            "a method of a generic impl",
            "struct S<T>(T); impl<T: Clone> S<T> {
                #[RETRY] ASYNC fn f(&self) -> R<T> { attempt().AWAIT?; Ok(self.0.clone()) }
            }",
            "assert_eq!(S(7).f().AWAIT, Ok(7));",
        ),
        Shape::both(
            "a generic method of a generic impl",
            "struct S<'a, T>(&'a T); impl<'a, T: PartialEq> S<'a, T> {
                #[RETRY] ASYNC fn f<U: Into<T>>(&self, other: U) -> R<&'a T> where U: Clone {
                    attempt().AWAIT?;
                    let _same = *self.0 == other.clone().into();
                    Ok(self.0)
                }
            }",
            "assert_eq!(S(&7_u32).f(7_u8).AWAIT, Ok(&7));",
        ),
        Shape::both(
            "an associated type in the signature",
            "#[RETRY] ASYNC fn f<I: Iterator + Clone>(list: I) -> R<Option<I::Item>> {
                attempt().AWAIT?;
                Ok(list.clone().next())
            }",
            "assert_eq!(f([1].into_iter()).AWAIT, Ok(Some(1)));",
        ),
        Shape::only_async(
            "an `AsyncFn` bound",
            "#[RETRY] async fn f<F: AsyncFn() -> R<u32>>(work: F) -> R<u32> { work().await }",
            "assert_eq!(f(async || attempt().await).await, Ok(3));",
        ),
        Shape::only_async(
            "an `AsyncFnMut` bound",
            "#[RETRY] async fn f<F: AsyncFnMut() -> R<u32>>(mut work: F) -> R<u32> { work().await }",
            "let mut n = 0; assert_eq!(f(async || { n += 1; attempt().await }).await, Ok(3)); assert_eq!(n, 3);",
        ),
    ]
}
