//! What six typical functions become, in full. `BACKOFF_SNAPSHOTS=write cargo test -p backoff-macros` writes the files
//! anew, to be read before they are committed.

use std::path::Path;

use super::expanded;

/// The expansion as a person would write it.
fn printed(arguments: &str, function: &str) -> String {
    let output = expanded(arguments, function).to_string();
    let file = syn::parse_file(&output).unwrap_or_else(|error| panic!("{error}: {output}"));
    prettyplease::unparse(&file)
}

fn check(name: &str, arguments: &str, function: &str) {
    let attribute = if arguments.is_empty() {
        "#[exponential_backoff]".into()
    } else {
        format!("#[exponential_backoff({arguments})]")
    };
    let text = format!("// {attribute}\n// {function}\n\n{}", printed(arguments, function));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/snapshots").join(name).with_extension("rs.txt");
    if std::env::var_os("BACKOFF_SNAPSHOTS").is_some() {
        std::fs::write(&path, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{name} has changed");
}

#[test]
fn a_poll() {
    check("poll", "", "fn reward(repo: &Repo, id: u64) -> Option<Reward> { repo.get(id) }");
}

#[test]
fn a_method_with_a_policy_and_a_predicate() {
    check(
        "method",
        "initial = \"100ms\", max_delay = \"10s\", max_attempts = 4, jitter = \"full\", when = ApiError::is_transient",
        "async fn charge(&mut self, order: &Order) -> Result<Receipt, ApiError> { self.client.charge(order).await }",
    );
}

#[test]
fn any_value_with_until() {
    check(
        "until",
        "budget = \"5s\", until = |response: &Response| response.status() < 500",
        "fn page(http: &Client, url: &str) -> Response { http.get(url) }",
    );
}

#[test]
fn everything_that_is_evaluated_at_each_call() {
    check(
        "evaluated",
        "policy = self.retry, max_attempts = LIMIT, deadline = end, clone(request), attempt = attempt, \
         hint = ApiError::retry_after, on_retry = |retry| log(retry), exhausted = |end| Err(end.into())",
        "fn send(&self, request: Request, end: Instant) -> Result<Reply, GaveUp> { self.client.send(request, attempt.remaining()) }",
    );
}

#[test]
fn an_async_function_with_timeouts_that_returns_impl_trait() {
    check(
        "timeout",
        "attempt_timeout = \"5s\", propagate",
        "async fn rows(db: &Db) -> Result<impl Iterator<Item = Row> + '_, std::io::Error> { db.rows().await }",
    );
}

#[test]
fn a_function_under_guards() {
    check(
        "guarded",
        "jitter = \"full\", breaker = BREAKER, retry_budget = BUDGET",
        "async fn charge(&self, order: &Order) -> Result<Receipt, ApiError> { self.client.charge(order).await }",
    );
}
