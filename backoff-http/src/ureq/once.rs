//! One attempt.

use std::io::{self, Cursor, Read};
use std::time::Duration;

use ::ureq::{Agent, AsSendBody, Body, Error, ResponseExt as _};
use http::uri::Scheme;
use http::{Request, Response, Uri};

use super::Failed;
use crate::deadline::DeadlineHeader;
use crate::{Operation, Rules};

/// What limits each attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The bytes of a failed answer that are read.
    pub(super) kept: usize,
    /// The timeout where nothing of the budget is left.
    pub(super) last_attempt: Duration,
    pub(super) header: Option<DeadlineHeader>,
}

impl Limits {
    /// Sends the request; an answer that is not final is a failure. `timeout` says how long it may take, given the agent's own
    /// timeout and that of the last attempt.
    pub(super) fn once(
        &self,
        agent: &Agent,
        mut request: Request<impl AsSendBody>,
        timeout: impl FnOnce(Option<Duration>, Duration) -> Option<Duration>,
        rules: &Rules,
        operation: &Operation,
    ) -> Result<Response<Body>, Failed> {
        let timeout = timeout(agent.config().timeouts().global, self.last_attempt);
        if let (Some(timeout), Some(header)) = (timeout, self.header) {
            header.write(request.headers_mut(), timeout);
        }
        // What is in its extensions can be a configuration, which can't be read back.
        let as_agent = request.extensions().is_empty();
        let is_read = as_agent && is_body_limited(agent);
        let uri = request.uri().clone();
        // The history is what tells a redirect that leads to the same address.
        let mut request = agent.configure_request(request).http_status_as_error(false).save_redirect_history(true);
        if timeout.is_some() {
            request = request.timeout_global(timeout);
        }
        match agent.run(request.build()) {
            Ok(response) => {
                let operation = operation.clone().redirected(was_redirected(&response));
                let verdict = rules.judge_status(&operation, response.status(), response.headers());
                if verdict.is_answer() {
                    return Ok(response);
                }
                let response = if is_read { response.map(|body| keep(body, self.kept)) } else { response };
                Err(Failed::answer(verdict, response))
            }
            Err(error) => {
                let operation = operation.clone().redirected(is_of_target(&error, &uri));
                Err(Failed::error(rules.judge_error(&operation, &error), error))
            }
        }
    }
}

/// Whether the time for a body is limited by the caller. Reading can't be given up later: a limit has to be set before the
/// request is sent, and then it would hold for answers that are returned too.
fn is_body_limited(agent: &Agent) -> bool {
    let timeouts = agent.config().timeouts();
    timeouts.recv_body.or(timeouts.per_call).or(timeouts.global).is_some()
}

/// Whether there was an answer before this one. Without a history, the agent's middleware made it.
fn was_redirected(response: &Response<Body>) -> bool {
    response.get_redirect_history().is_some_and(|history| history.len() > 1)
}

/// Whether an error is that of a redirect's target, if the request went to `uri`. Only those of an address tell.
fn is_of_target(error: &Error, uri: &Uri) -> bool {
    match error {
        Error::BadUri(_) => {
            uri.authority().is_some() && [Some(&Scheme::HTTP), Some(&Scheme::HTTPS)].contains(&uri.scheme())
        }
        Error::RequireHttpsOnly(_) => uri.scheme() == Some(&Scheme::HTTPS),
        _ => false,
    }
}

/// The same body with its beginning, or all of it, in memory. What fails on the way is found there by the next reader.
fn keep(body: Body, limit: usize) -> Body {
    let mut builder = Body::builder();
    if let Some(mime_type) = body.mime_type() {
        builder = builder.mime_type(mime_type);
    }
    if let Some(charset) = body.charset() {
        builder = builder.charset(charset);
    }
    let mut front = Vec::new();
    let mut rest = body.into_reader();
    // One byte more than is kept tells whether that was all.
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let read = rest.by_ref().take(most).read_to_end(&mut front);
    match read {
        Err(error) => builder.reader(Cursor::new(front).chain(Broken(Some(error)))),
        Ok(count) if count > limit => builder.reader(Cursor::new(front).chain(rest)),
        Ok(_) => builder.data(front),
    }
}

/// The place where a body broke off.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(self.0.take().unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_the_target_s_if_that_of_the_request_is_valid() {
        let uris = ["http://localhost/", "https://localhost/", "ftp://localhost/", "/no/host"];
        let all = |error: &Error| uris.map(|uri| is_of_target(error, &uri.parse().unwrap()));
        assert_eq!(all(&Error::BadUri(String::new())), [true, true, false, false]);
        assert_eq!(all(&Error::RequireHttpsOnly(String::new())), [false, true, false, false]);
        assert_eq!(all(&Error::HostNotFound), [false; 4]);
    }
}
