//! Names: shadowed, raw, missing, from macros. Each module is a hostile crate in small.
#![allow(clippy::all, clippy::pedantic, reason = "what people write, not what they should")]

use backoff_core::testing::VirtualTime;

mod shadowed_prelude {
    #![allow(dead_code, non_snake_case, clippy::all, clippy::pedantic)]

    pub(super) enum Result {
        Ok,
        Err,
    }
    pub(super) enum Option {
        Some,
        None,
    }
    fn Ok() {}
    fn Err() {}
    fn Some() {}
    fn drop() {}
    struct Box;
    struct String;
    trait Iterator {}
    trait FnOnce {}
    trait FnMut {}
    trait Clone {}
    trait Future {}
    trait Into {}
    mod core {}
    mod std {}
    mod alloc {}
    mod backoff_core {}
    #[allow(unused_macros)]
    macro_rules! concat {
        () => {};
    }
    #[allow(unused_macros)]
    macro_rules! module_path {
        () => {};
    }

    #[::backoff_core::exponential_backoff(name = "x", clone(n), attempt = attempt, exhausted = |e| ::std::result::Result::Err(e.attempts()))]
    pub(super) fn sync(n: u32) -> ::std::result::Result<u32, u32> {
        if attempt.number() < 3 { ::std::result::Result::Err(0) } else { ::std::result::Result::Ok(n) }
    }

    #[::backoff_core::exponential_backoff(hint = |_| ::std::option::Option::None::<::std::time::Duration>, attempt_timeout = "1s", propagate)]
    pub(super) async fn asynchronous(n: &mut u32) -> ::std::option::Option<u32> {
        *n += 1;
        if *n < 3 { ::std::option::Option::None } else { ::std::option::Option::Some(*n) }
    }

    #[::backoff_core::exponential_backoff]
    pub(super) fn default_name() -> ::std::option::Option<u32> {
        ::std::option::Option::Some(1)
    }
}

mod without_prelude {
    #![no_implicit_prelude]

    #[::backoff_core::exponential_backoff(jitter = "equal")]
    pub(super) async fn asynchronous(n: &mut u32) -> ::std::result::Result<u32, ()> {
        *n += 1;
        if *n < 3 { ::std::result::Result::Err(()) } else { ::std::result::Result::Ok(*n) }
    }

    #[::backoff_core::exponential_backoff]
    pub(super) fn sync(n: &mut u32) -> ::std::option::Option<u32> {
        *n += 1;
        if *n < 3 { ::std::option::Option::None } else { ::std::option::Option::Some(*n) }
    }
}

mod shadowed_return_type {
    use backoff_core::exponential_backoff;

    pub(super) type Foo = ();
    enum Bar {
        Foo,
    }

    #[exponential_backoff]
    pub(super) async fn shadows() -> Result<Foo, ()> {
        use Bar::*;
        let _ = Foo;
        Ok(())
    }

    #[exponential_backoff]
    pub(super) fn shadows_sync() -> Result<Foo, ()> {
        use Bar::*;
        let _ = Foo;
        Ok(())
    }
}

mod raw {
    use backoff_core::event::Success;
    use backoff_core::exponential_backoff;
    use std::cell::Cell;

    #[exponential_backoff(clone(r#type), on_success = |event: &Success| seen.set(event.name))]
    pub(super) fn r#match(r#type: u8, seen: &Cell<&'static str>) -> Result<u8, ()> {
        Ok(r#type)
    }

    #[exponential_backoff(name = "given", on_success = |event| seen.set(event.name))]
    pub(super) fn named(seen: &Cell<&'static str>) -> Result<u8, ()> {
        let r#gen = 1;
        Ok(r#gen)
    }
}

mod from_macros {
    use backoff_core::exponential_backoff;

    macro_rules! method {
        ($v:vis $n:ident, $s:ident, $x:ident: $t:ty, $r:ty, $b:block, $initial:expr, $when:expr, $attempts:literal) => {
            #[exponential_backoff(initial = $initial, when = $when, max_attempts = $attempts)]
            $v fn $n(&$s, $x: $t) -> $r $b
        };
    }

    pub(super) struct S;

    impl S {
        method!(pub(super) f, self, x: &std::cell::Cell<u32>, Result<u32, u32>, {
            x.set(x.get() + 1);
            return if x.get() < 3 { Err(x.get()) } else { Ok(x.get()) }
        }, "1ms", |e| *e < 9, 5);
    }

    macro_rules! whole {
        ($f:item) => {
            #[exponential_backoff(initial = "1ms")]
            $f
        };
    }

    whole! {
        pub(super) fn item(calls: &mut u32) -> Option<u32> {
            *calls += 1;
            (*calls == 3).then_some(*calls)
        }
    }

    macro_rules! typed {
        ($t:ty) => {
            #[exponential_backoff(initial = "1ms")]
            pub(super) async fn generated(calls: &mut $t) -> Result<$t, std::num::ParseIntError> {
                *calls += 1;
                if *calls < 3 { "x".parse() } else { Ok(*calls) }
            }
        };
    }

    typed!(u32);
}

mod through_another_crate {
    /// What a framework does: it re-exports the engine and names the way to it.
    pub(super) mod framework {
        #[allow(unused_imports, reason = "reached through a macro")]
        pub(crate) mod __dep {
            pub(crate) use ::backoff_core::*;
        }

        macro_rules! job {
            ($name:ident, $body:block) => {
                #[$crate::through_another_crate::framework::__dep::exponential_backoff(
                                                    crate = $crate::through_another_crate::framework::__dep,
                                                    initial = "1ms"
                                                )]
                pub(crate) fn $name(calls: &mut u32) -> Option<u32> {
                    *calls += 1;
                    if *calls < 3 { None } else { $body }
                }
            };
        }
        pub(crate) use job;
    }

    framework::job!(work, { Some(7) });
}

/// Runs in virtual time.
fn virtually<T>(run: impl FnOnce() -> T) -> T {
    let time = VirtualTime::new();
    let _guard = time.enter();
    run()
}

#[tokio::test]
async fn every_name_of_the_prelude_is_shadowed() {
    assert!(matches!(VirtualTime::new().scope(shadowed_prelude::asynchronous(&mut 0)).await, Some(3)));
    assert_eq!(virtually(|| shadowed_prelude::sync(7)), Ok(7));
    assert_eq!(virtually(shadowed_prelude::default_name), Some(1));
}

#[tokio::test]
async fn there_is_no_prelude() {
    assert_eq!(VirtualTime::new().scope(without_prelude::asynchronous(&mut 0)).await, Ok(3));
    assert_eq!(virtually(|| without_prelude::sync(&mut 0)), Some(3));
}

#[tokio::test]
async fn the_body_shadows_the_names_in_the_return_type() {
    assert_eq!(VirtualTime::new().scope(shadowed_return_type::shadows()).await, Ok(()));
    assert_eq!(virtually(shadowed_return_type::shadows_sync), Ok(()));
}

#[test]
fn a_method_whose_parts_come_through_a_macro() {
    assert_eq!(virtually(|| from_macros::S.f(&std::cell::Cell::new(0))), Ok(3));
}

#[test]
fn a_whole_function_that_comes_through_a_macro() {
    assert_eq!(virtually(|| from_macros::item(&mut 0)), Some(3));
}

#[tokio::test]
async fn a_type_that_comes_through_a_macro() {
    assert_eq!(VirtualTime::new().scope(from_macros::generated(&mut 0)).await, Ok(3));
}

#[test]
fn the_engine_is_reached_through_another_crate() {
    assert_eq!(virtually(|| through_another_crate::work(&mut 0)), Some(7));
}

#[test]
fn the_name_in_events_is_the_path_without_a_raw_prefix() {
    let seen = std::cell::Cell::new("");
    raw::r#match(1, &seen).unwrap();
    assert_eq!(seen.get(), "attribute_hygiene::raw::match");
    raw::named(&seen).unwrap();
    assert_eq!(seen.get(), "given");
}
