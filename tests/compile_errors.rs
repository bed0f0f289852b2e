//! What the compiler says to mistakes, word for word. The texts of rustc belong to the toolchain that CONTRIBUTING names;
//! after a change, `TRYBUILD=overwrite cargo test --test compile_errors` writes them anew, to be read before they are
//! committed.

#[test]
fn mistakes_are_explained_where_they_are() {
    let tests = trybuild::TestCases::new();
    tests.compile_fail("tests/ui/refused/*.rs");
    tests.compile_fail("tests/ui/options/*.rs");
    tests.compile_fail("tests/ui/body/*.rs");
    tests.compile_fail("tests/ui/policy/*.rs");
}
