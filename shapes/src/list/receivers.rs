//! What a method is called on.

use crate::shape::Shape;

pub(super) fn shapes() -> Vec<Shape> {
    vec![
        Shape::both(
            "no receiver: an associated function",
            "struct S; impl S { #[RETRY] ASYNC fn f() -> R<u32> { attempt().AWAIT } }",
            "assert_eq!(S::f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`&self`",
            "struct S; impl S { #[RETRY] ASYNC fn f(&self) -> R<u32> { attempt().AWAIT } }",
            "assert_eq!(S.f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`&mut self`",
            "struct S(u32); impl S { #[RETRY] ASYNC fn f(&mut self) -> R<u32> { self.0 += 1; attempt().AWAIT } }",
            "let mut s = S(0); assert_eq!(s.f().AWAIT, Ok(3)); assert_eq!(s.0, 3);",
        ),
        Shape::both(
            "`self`, only read",
            "struct S(String); impl S {
                #[RETRY] ASYNC fn f(self) -> R<usize> { attempt().AWAIT?; Ok(self.0.len()) }
            }",
            r#"assert_eq!(S("ab".into()).f().AWAIT, Ok(2));"#,
        ),
        Shape::both(
            "`mut self`",
            "struct S(Vec<u32>); impl S {
                #[RETRY] ASYNC fn f(mut self) -> R<usize> { self.0.push(1); attempt().AWAIT?; Ok(self.0.len()) }
            }",
            "assert_eq!(S(vec![]).f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`self`, consumed by the body",
            "struct S(String); impl S {
                #[RETRY] ASYNC fn f(self) -> R<String> { let text = self.0; attempt().AWAIT?; Ok(text) }
            }",
            r#"assert_eq!(S("ab".into()).f().AWAIT, Ok("ab".into()));"#,
        ),
        Shape::both(
            "`self`, cloned in the body",
            "struct S(String); impl S {
                #[RETRY] ASYNC fn f(self) -> R<String> { let text = self.0.clone(); attempt().AWAIT?; Ok(text) }
            }",
            r#"assert_eq!(S("ab".into()).f().AWAIT, Ok("ab".into()));"#,
        ),
        Shape::both(
            "`self: &Self`",
            "struct S; impl S { #[RETRY] ASYNC fn f(self: &Self) -> R<u32> { attempt().AWAIT } }",
            "assert_eq!(S.f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`self: &mut Self`",
            "struct S(u32); impl S {
                #[RETRY] ASYNC fn f(self: &mut Self) -> R<u32> { self.0 += 1; attempt().AWAIT }
            }",
            "let mut s = S(0); assert_eq!(s.f().AWAIT, Ok(3)); assert_eq!(s.0, 3);",
        ),
        Shape::both(
            "`self: Box<Self>`",
            "struct S; impl S { #[RETRY] ASYNC fn f(self: Box<Self>) -> R<u32> { let _ = &self; attempt().AWAIT } }",
            "assert_eq!(Box::new(S).f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`self: Rc<Self>`",
            "use std::rc::Rc; struct S; impl S {
                #[RETRY] ASYNC fn f(self: Rc<Self>) -> R<u32> { let _kept = Rc::clone(&self); attempt().AWAIT }
            }",
            "assert_eq!(Rc::new(S).f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`self: Arc<Self>`",
            "use std::sync::Arc; struct S; impl S {
                #[RETRY] ASYNC fn f(self: Arc<Self>) -> R<u32> { let _kept = Arc::clone(&self); attempt().AWAIT }
            }",
            "assert_eq!(Arc::new(S).f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`self: &Arc<Self>`",
            "use std::sync::Arc; struct S; impl S {
                #[RETRY] ASYNC fn f(self: &Arc<Self>) -> R<u32> { let _kept = Arc::clone(self); attempt().AWAIT }
            }",
            "assert_eq!(Arc::new(S).f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`self: Pin<&mut Self>`, consumed by `get_mut`",
            "use std::pin::Pin; struct S(u32); impl S {
                #[RETRY] ASYNC fn f(self: Pin<&mut Self>) -> R<u32> { self.get_mut().0 += 1; attempt().AWAIT }
            }",
            "assert_eq!(Pin::new(&mut S(0)).f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`mut self: Pin<&mut Self>`, reborrowed by `as_mut`",
            "use std::pin::Pin; struct S(u32); impl S {
                #[RETRY] ASYNC fn f(mut self: Pin<&mut Self>) -> R<u32> {
                    self.as_mut().get_mut().0 += 1;
                    attempt().AWAIT
                }
            }",
            "assert_eq!(Pin::new(&mut S(0)).f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`&self` that returns a part of it",
            "struct S(String); impl S {
                #[RETRY] ASYNC fn f<'a>(&'a self, _key: &str) -> R<&'a str> { attempt().AWAIT?; Ok(self.0.as_str()) }
            }",
            r#"assert_eq!(S("ab".into()).f("k").AWAIT, Ok("ab"));"#,
        ),
        Shape::both(
            "`&mut self` that returns a `&` to a field that it only reads",
            "struct S(String, u32); impl S {
                #[RETRY] ASYNC fn f(&mut self) -> R<&str> { self.1 += 1; attempt().AWAIT?; Ok(self.0.as_str()) }
            }",
            r#"assert_eq!(S("ab".into(), 0).f().AWAIT, Ok("ab"));"#,
        ),
        Shape::both(
            "`&mut self` that returns a `&` to a field that it changes",
            "struct S(String); impl S {
                #[RETRY] ASYNC fn f(&mut self) -> R<&str> { self.0.push('a'); attempt().AWAIT?; Ok(self.0.as_str()) }
            }",
            r#"assert_eq!(S(String::new()).f().AWAIT, Ok("aaa"));"#,
        ),
        Shape::both(
            "`&self` with an owned argument, only read",
            "struct S(u32); impl S {
                #[RETRY] ASYNC fn f(&self, text: String) -> R<usize> { attempt().AWAIT?; Ok(text.len()) }
            }",
            r#"let s = S(0); let _ = s.0; assert_eq!(s.f("ab".into()).AWAIT, Ok(2));"#,
        ),
        Shape::both(
            "`&mut self` that returns a `&mut` into it",
            "struct S(String); impl S {
                #[RETRY] ASYNC fn f(&mut self) -> R<&mut String> { attempt().AWAIT?; Ok(&mut self.0) }
            }",
            r#"assert_eq!(S("ab".into()).f().AWAIT, Ok(&mut "ab".into()));"#,
        ),
        Shape::both(
            "a method in the impl of a trait",
            "trait T { ASYNC fn f(&self) -> R<u32>; } struct S; impl T for S {
                #[RETRY] ASYNC fn f(&self) -> R<u32> { attempt().AWAIT }
            }",
            "assert_eq!(S.f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "`&mut self` in the impl of a trait",
            "trait T { ASYNC fn f(&mut self) -> R<u32>; } struct S(u32); impl T for S {
                #[RETRY] ASYNC fn f(&mut self) -> R<u32> { self.0 += 1; attempt().AWAIT }
            }",
            "assert_eq!(S(0).f().AWAIT, Ok(3));",
        ),
        Shape::both(
            "a provided method of a trait",
            "trait T { #[RETRY] ASYNC fn f(&self) -> R<u32> { attempt().AWAIT } } struct S; impl T for S {}",
            "assert_eq!(S.f().AWAIT, Ok(3));",
        ),
        Shape::blocking(
            "a method called through `dyn Trait`",
            "trait T { fn f(&self) -> R<u32>; } struct S; impl T for S { #[RETRY] fn f(&self) -> R<u32> { attempt() } }",
            "let object: &dyn T = &S; assert_eq!(object.f(), Ok(3));",
        ),
        Shape::both(
            "`Self`, its constants and its constructor",
            "struct S(u32); impl S {
                const ONE: u32 = 1;
                #[RETRY] ASYNC fn f(&self) -> R<u32> {
                    let Self(n) = self;
                    let made = Self(n + Self::ONE);
                    attempt().AWAIT?;
                    Ok(made.0)
                }
            }",
            "assert_eq!(S(1).f().AWAIT, Ok(2));",
        ),
        Shape::both(
            "`&mut self` with arguments",
            "struct S(Vec<u32>); impl S {
                #[RETRY] ASYNC fn f(&mut self, n: u32, name: &str) -> R<usize> {
                    self.0.push(n);
                    attempt().AWAIT?;
                    Ok(self.0.len() + name.len())
                }
            }",
            r#"assert_eq!(S(vec![]).f(1, "ab").AWAIT, Ok(5));"#,
        ),
    ]
}
