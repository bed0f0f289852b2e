//! What the attribute sees in a function's header and in what stands around it.

use super::{PLAIN, expanded, refused, words};

/// What `#[async_trait]` makes of a method, with this in it.
fn of_async_trait(inside: &str) -> String {
    format!(
        "fn f<'a, 'async_trait>(&'a self) -> Pin<Box<dyn Future<Output = Option<u8>> + 'async_trait>> \
         {{ Box::pin(async move {{ {inside} }}) }}"
    )
}

#[test]
fn options_of_a_method_in_an_async_trait_mention_the_name_that_self_has_there() {
    let method = of_async_trait("let __me = self; let __ret: Option<u8> = { body }; __ret");
    let words = words("retry_budget = self.tokens, when = |e| other(e, self.x)", &method);
    assert!(words.contains("__me . tokens") && words.contains("other e , __me . x"), "{words}");
    assert!(!words.contains("self . tokens"));
}

#[test]
fn a_method_of_another_form_is_refused() {
    let known = "let __ret: Option<u8> = { body }; __ret";
    assert_eq!(refused("", &of_async_trait(known)), [""; 0]);
    for unknown in [
        "let __ret = { body }; __ret",
        "let __ret: = { body }; __ret",
        "let other: Option<u8> = { body }; other",
        "body",
    ] {
        let sentences = refused("", &of_async_trait(unknown));
        assert!(
            sentences.iter().any(|said| said.contains("its body is not of a form that is known here")),
            "{unknown}"
        );
    }
}

#[test]
fn parameters_are_found_in_every_pattern() {
    let unknown = |name: &str, parameters: &str| {
        refused(&format!("clone({name})"), &format!("fn f({parameters}) -> Option<u8> {{ body }}"))
    };
    for (name, parameters) in [
        ("b", "a: u8, b: u8"),
        ("B", "a: u8, B: u8"),
        ("b", "a: Map<u8, u8>, mut b: u8"),
        ("x", "path::Point(x): Point"),
        ("x", "Point { x, y: other }: Point"),
        ("other", "Point { x, y: other }: Point"),
        ("x", "#[attr(hidden)] x: u8"),
    ] {
        assert_eq!(unknown(name, parameters), [""; 0], "{name} of {parameters}");
    }
    let sentence = |name: &str, has: &str| [format!("`{name}` is not a parameter of this function; it has {has}")];
    assert_eq!(unknown("attr", "#[attr(hidden)] x: u8"), sentence("attr", "`x`"));
    assert_eq!(unknown("y", "Point { x, y: other }: Point"), sentence("y", "`x`, `other`"));
    assert_eq!(unknown("path", "path::Point(x): Point"), sentence("path", "`x`"));
    assert_eq!(
        unknown("self", "self"),
        ["`self` can't be cloned for each attempt, because it can't be bound again: clone it in the body"]
    );
}

#[test]
fn a_mutable_borrow_can_be_returned_unless_an_argument_lends_it() {
    let is_refused = |function: &str| !refused("", function).is_empty();
    assert!(is_refused("fn f<'a>(x: &'a mut u8) -> Option<&'a mut u8> { body }"));
    assert!(is_refused("fn f(x: &mut u8) -> Option<&mut u8> { body }"));
    assert!(!is_refused("fn f<'a, 'b>(x: &'a mut u8, y: &'b u8) -> Option<&'b mut u8> { body }"));
    assert!(!is_refused("fn f() -> Option<&'static mut u8> { body }"));
    assert!(!is_refused("fn f(&self, x: &mut u8) -> Option<&mut u8> { body }"), "it is borrowed from `self`");
    assert!(is_refused("fn f(&mut self, x: &u8) -> Option<&mut u8> { body }"));
    assert!(is_refused("fn f(self: Pin<&mut Self>) -> Option<&mut u8> { body }"));
    assert!(is_refused("fn f(self, x: &mut u8) -> Option<&mut u8> { body }"));
}

#[test]
fn what_only_makes_a_future_is_refused() {
    let makes = "this function only makes a future, and retrying that would run nothing: write `async fn` instead";
    let pinned =
        format!("{makes}; if `#[async_recursion]` has made that of an `async fn`, it stands below this attribute");
    for output in [
        "impl Future<Output = Option<u8>>",
        "impl std::future::Future<Output = Option<u8>> + Send",
        "Pin<Box<dyn Future<Output = Option<u8>>>>",
        "::core::pin::Pin<Box<dyn Future<Output = Option<u8>>>>",
        "BoxFuture<'static, Option<u8>>",
    ] {
        let makes = if output.contains("Pin") { pinned.as_str() } else { makes };
        assert_eq!(refused("", &format!("fn f() -> {output} {{ body }}")), [makes], "{output}");
    }
    for output in [
        "Option<BoxFuture<'static, u8>>",
        "Pin<Box<Option<u8>>>",
        "::std::option::Option<u8>",
        "impl Outcome",
        "IoFuture<u8>",
    ] {
        assert_eq!(refused("", &format!("fn f() -> {output} {{ body }}")), [""; 0], "{output}");
    }
}

#[test]
fn a_second_attribute_is_noticed_under_another_name() {
    let twice = "`#[exponential_backoff]` stands twice on this function, which would multiply the attempts: keep one";
    for function in [PLAIN, "async fn f(&self) -> Option<u8> { body }", "fn f() -> Option<u8> { #![inline] body }"] {
        let once = expanded("", function).to_string();
        assert_eq!(refused("", &once), [twice], "{function}");
    }
    let boxed = "fn f<'async_trait>() -> Pin<Box<dyn Future<Output = Option<u8>> + Send + 'async_trait>> {
        Box::pin(async move { let __ret: Option<u8> = { body }; __ret }) }";
    assert_eq!(refused("", boxed), [""; 0]);
    assert_eq!(refused("", &expanded("", boxed).to_string()), [twice]);
    assert_eq!(refused("", "fn f() -> Option<u8> { use std::fmt; body }"), [""; 0]);
    assert_eq!(refused("", "fn f<J: crate::async_trait::Job>() -> Option<u8> { body }"), [""; 0]);
}

#[test]
fn parts_of_a_parameter_that_look_like_a_name_are_none() {
    let clone = |name: &str, parameters: &str| {
        refused(&format!("clone({name})"), &format!("fn f({parameters}) -> Option<u8> {{ body }}"))
    };
    assert_eq!(clone("text", "text:&str"), [""; 0], "a colon that touches what follows");
    assert_eq!(clone("left", "Point { x: left }: Point"), [""; 0]);
    assert_eq!(clone("x", "Point { x: left }: Point"), ["`x` is not a parameter of this function; it has `left`"]);
}

#[test]
fn the_arrow_of_a_function_type_closes_no_angle() {
    let plan = |generics: &str| words("max_attempts = LIMIT", &format!("fn f<{generics}>() -> Option<u8> {{ body }}"));
    assert!(plan("T: Map<fn(u8) -> u8, LIMIT>").contains("__BACKOFF_PLAN"));
    assert!(!plan("T: Map<fn(u8) -> u8, u8>, const LIMIT: u32").contains("__BACKOFF_PLAN"));
}

#[test]
fn a_named_lifetime_is_found_wherever_it_stands() {
    let is_refused = |function: &str| !refused("", function).is_empty();
    assert!(is_refused("fn f<'a>(x: &'a mut u8) -> &'a mut Option<u8> { body }"));
    assert!(!is_refused("fn f<'a, 'b>(x: &'a mut u8, y: &'b u8) -> &'b mut Option<u8> { body }"));
    assert!(!is_refused("fn f<'b>(x: &mut u8, y: &'b u8) -> (&'b mut u8, u8) { body }"));
}

#[test]
fn a_function_without_a_body_is_refused_whatever_it_ends_with() {
    let sentence =
        ["a function without a body has nothing to retry: put `#[exponential_backoff]` on the implementations"];
    for function in ["fn f() -> Option<u8>;", "fn f() -> (u8, u8)", "fn f() -> [u8; 2]"] {
        assert_eq!(refused("", function), sentence, "{function}");
    }
}

#[test]
fn what_is_refused_stays_for_its_callers_without_a_second_attribute() {
    for function in [
        "#[exponential_backoff] fn f() -> Option<u8> { body }",
        "#[inline] #[exponential_backoff(propagate)] #[must_use] fn f() -> Option<u8> { body }",
    ] {
        let words = words("max_attempts = 0", function);
        let kept = words.split(" : : core").next().unwrap_or_default();
        assert!(kept.ends_with("fn f - > Option < u8 > body"), "{words}");
        assert!(!words.split(' ').any(|word| word == "exponential_backoff"), "{words}");
    }
}

#[test]
fn an_impl_trait_in_the_return_type_becomes_a_hole_without_its_parentheses() {
    let typed = |output: &str| {
        let text = expanded("", &format!("fn f() -> {output} {{ body }}")).to_string().replace(' ', "");
        let (_, closure) = text.split_once("||->").expect("a closure");
        closure.split_once('{').expect("its body").0.to_owned()
    };
    assert_eq!(typed("Option<&'static (impl A + B)>"), "Option<&'static_>");
    assert_eq!(typed("Option<(impl A, impl B)>"), "Option<(_,_)>");
    assert_eq!(typed("Option<[impl A; 2]>"), "Option<[_;2]>");
    assert_eq!(typed("Option<(implement)>"), "Option<(implement)>");
    assert_eq!(typed("Option<[impl A]>"), "Option<[_]>");
}

#[test]
fn a_method_of_an_async_trait_ends_with_its_outcome() {
    let known = of_async_trait("let __me = self; let __ret: Option<u8> = { body }; __ret")
        .replace("&'a self", "&'a self, x: u8");
    let words = words("clone(x)", &known);
    assert!(words.ends_with("consume x ; __backoff_outcome ; __ret"), "{words}");
    let other = of_async_trait("let y = x; let __me = self; let __ret: Option<u8> = { body }; __ret");
    assert!(self::words("retry_budget = self.tokens", &other).contains("__me . tokens"));
}
