//! What only async functions do.

use crate::shape::Shape;

pub(super) fn shapes() -> Vec<Shape> {
    vec![
        Shape::only_async(
            "spawned",
            "#[RETRY] async fn f(text: String) -> R<usize> { attempt().await?; Ok(text.len()) }",
            r#"assert_eq!(tokio::spawn(f("ab".into())).await.unwrap(), Ok(2));"#,
        ),
        Shape::only_async(
            "spawned, no `?` in the body",
            "#[RETRY] async fn f(text: String) -> R<usize> { attempt().await.map(|_| text.len()) }",
            r#"assert_eq!(tokio::spawn(f("ab".into())).await.unwrap(), Ok(2));"#,
        ),
        Shape::only_async(
            "`&self`, spawned",
            "struct S; impl S { #[RETRY] async fn f(&self, t: &str) -> R<usize> { attempt().await?; Ok(t.len()) } }",
            r#"assert_eq!(tokio::spawn(async { S.f("ab").await }).await.unwrap(), Ok(2));"#,
        ),
        Shape::only_async(
            "`&mut self` with a generic argument, spawned",
            "struct S(u32); impl S {
                #[RETRY] async fn f<T: AsRef<str> + Send + Sync>(&mut self, t: T) -> R<usize> {
                    self.0 += 1;
                    attempt().await?;
                    Ok(t.as_ref().len())
                }
            }",
            r#"let mut s = S(0); assert_eq!(tokio::spawn(async move { s.f("ab").await }).await.unwrap(), Ok(2));"#,
        ),
        Shape::only_async(
            "`self: Arc<Self>`, spawned",
            "use std::sync::Arc; struct S(u32); impl S {
                #[RETRY] async fn f(self: Arc<Self>) -> R<u32> { attempt().await?; Ok(self.0) }
            }",
            "assert_eq!(tokio::spawn(Arc::new(S(7)).f()).await.unwrap(), Ok(7));",
        ),
        Shape::only_async(
            "in a trait that demands `Send`, `&mut self`",
            "trait T { fn f(&mut self) -> impl Future<Output = R<u32>> + Send; } struct S(u32); impl T for S {
                #[RETRY] async fn f(&mut self) -> R<u32> { self.0 += 1; attempt().await }
            }",
            "assert_eq!(S(0).f().await, Ok(3));",
        ),
        Shape::only_async(
            "a method under `#[async_trait]`",
            "#[async_trait::async_trait] trait T { async fn f(&self, name: &str) -> R<usize>; } struct S;
            #[async_trait::async_trait] impl T for S {
                #[RETRY] async fn f(&self, name: &str) -> R<usize> { attempt().await?; Ok(name.len()) }
            }",
            r#"let object: &dyn T = &S; assert_eq!(object.f("ab").await, Ok(2));"#,
        ),
        Shape::only_async(
            "`&mut self` under `#[async_trait]`",
            "#[async_trait::async_trait] trait T { async fn f(&mut self) -> R<u32>; } struct S(u32);
            #[async_trait::async_trait] impl T for S {
                #[RETRY] async fn f(&mut self) -> R<u32> { self.0 += 1; attempt().await?; Ok(self.0) }
            }",
            "assert_eq!(S(0).f().await, Ok(3));",
        ),
        Shape::only_async(
            "a provided method under `#[async_trait]`",
            "#[async_trait::async_trait] trait T: Sync { #[RETRY] async fn f(&self) -> R<u32> { attempt().await } }
            struct S; impl T for S {}",
            "assert_eq!(S.f().await, Ok(3));",
        ),
        Shape::only_async(
            "a method under `#[async_trait(?Send)]`",
            "use std::rc::Rc;
            #[async_trait::async_trait(?Send)] trait T { async fn f(&self) -> R<u32>; } struct S(Rc<u32>);
            #[async_trait::async_trait(?Send)] impl T for S {
                #[RETRY] async fn f(&self) -> R<u32> { let kept = Rc::clone(&self.0); attempt().await?; Ok(*kept) }
            }",
            "assert_eq!(S(Rc::new(7)).f().await, Ok(7));",
        ),
        Shape::only_async(
            "an error that is not `Send`, spawned",
            "use std::rc::Rc;
            #[RETRY] async fn f() -> Result<u32, Rc<str>> { attempt().await.map_err(|_| Rc::from(\"down\")) }
            async fn outer() -> bool { f().await.is_ok() }",
            "assert!(tokio::spawn(outer()).await.unwrap());",
        ),
        Shape::only_async(
            "an argument that is `Send` but not `Sync`, spawned",
            "use std::cell::Cell;
            #[RETRY] async fn f(c: Cell<u32>) -> R<u32> { c.set(c.get() + 1); attempt().await?; Ok(c.get()) }",
            "assert!(tokio::spawn(f(Cell::new(0))).await.unwrap().is_ok());",
        ),
        Shape::only_async(
            "an argument that is `Send` but not `Sync`, spawned, with an option of the attribute",
            "use std::cell::Cell;
            #[RETRY] async fn f(c: Cell<u32>) -> R<u32> { c.set(c.get() + 1); attempt().await?; Ok(c.get()) }",
            "assert!(tokio::spawn(f(Cell::new(0))).await.unwrap().is_ok());",
        )
        .ours("clone(c)"),
        Shape::only_async(
            "an argument that is not `Send`",
            "use std::rc::Rc; #[RETRY] async fn f(n: Rc<u32>) -> R<u32> { attempt().await?; Ok(*n) }",
            "assert_eq!(f(Rc::new(7)).await, Ok(7));",
        ),
        Shape::only_async(
            "an async closure in the body that borrows from a `&mut` argument",
            "#[RETRY] async fn f(list: &mut Vec<u32>) -> R<()> {
                let n = attempt().await?;
                let mut add = async |x| { list.push(x); Ok::<_, Down>(()) };
                add(n).await?;
                add(n).await
            }",
            "let mut list = vec![]; assert_eq!(f(&mut list).await, Ok(())); assert_eq!(list, [3, 3]);",
        ),
        Shape::only_async(
            "recursive, boxed",
            "#[RETRY] async fn f(depth: u32) -> R<u32> {
                if depth == 0 { attempt().await } else { Box::pin(f(depth - 1)).await }
            }",
            "assert_eq!(f(2).await, Ok(3));",
        ),
        Shape::only_async(
            "one retried function calls another",
            "#[RETRY] async fn inner(n: &mut u32) -> R<u32> { *n += 1; attempt().await }
            #[RETRY] async fn f(n: &mut u32) -> R<u32> { inner(n).await }",
            "assert_eq!(f(&mut 0).await, Ok(3));",
        ),
        Shape::only_async(
            "twelve levels deep, spawned",
            "macro_rules! levels {
                ($inner:ident; $name:ident $($rest:ident)*) => {
                    #[RETRY] async fn $name(n: &u32) -> R<u32> { $inner(n).await }
                    levels!($name; $($rest)*);
                };
                ($last:ident;) => { async fn outermost() -> R<u32> { $last(&7).await } };
            }
            #[RETRY] async fn innermost(_n: &u32) -> R<u32> { attempt().await }
            levels!(innermost; l1 l2 l3 l4 l5 l6 l7 l8 l9 l10 l11);",
            "assert_eq!(tokio::spawn(outermost()).await.unwrap(), Ok(3));",
        ),
        Shape::only_async(
            "`tokio::join!` in the body",
            "#[RETRY] async fn f(n: u32) -> R<u32> {
                let (call, m) = tokio::join!(attempt(), async { n + 1 });
                Ok(call? + m)
            }",
            "assert_eq!(f(1).await, Ok(5));",
        ),
        Shape::only_async(
            "`tokio::select!` in the body",
            "#[RETRY] async fn f() -> R<u32> {
                tokio::select! {
                    call = attempt() => call,
                    () = std::future::pending() => Err(Down),
                }
            }",
            "assert_eq!(f().await, Ok(3));",
        ),
        Shape::only_async(
            "a task spawned in the body",
            "#[RETRY] async fn f() -> R<u32> { tokio::spawn(attempt()).await.unwrap() }",
            "assert_eq!(f().await, Ok(3));",
        ),
        Shape::only_async(
            "a lock held across an await, spawned",
            "use std::sync::Arc; use tokio::sync::Mutex;
            #[RETRY] async fn f(lock: Arc<Mutex<u32>>) -> R<u32> {
                let mut guard = lock.lock().await;
                *guard += 1;
                attempt().await?;
                Ok(*guard)
            }",
            "assert_eq!(tokio::spawn(f(Arc::default())).await.unwrap(), Ok(3));",
        ),
        Shape::only_async(
            "under `tokio::time::timeout`",
            "#[RETRY] async fn f(text: &str) -> R<usize> { attempt().await?; Ok(text.len()) }",
            r#"assert_eq!(tokio::time::timeout(std::time::Duration::from_secs(9), f("a")).await.unwrap(), Ok(1));"#,
        ),
    ]
}
