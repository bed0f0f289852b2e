//! From what happened to a verdict.

use std::error::Error;
use std::time::SystemTime;

use http::{HeaderMap, StatusCode};

use super::{OnStatus, Rules};
use crate::grpc;
use crate::hint::Vendor;
use crate::inspect::{self, Fault, inspect};
use crate::verdict::{Subject, Verdict, Why};
use crate::{ErrorKind, Operation, Phase};

impl Rules {
    /// Judges an answer by its status and headers. Reads the wall clock, for a hint that is a date.
    ///
    /// ```
    /// # use backoff_http::{Operation, Rules};
    /// # use http::{HeaderMap, Method, StatusCode};
    /// let post = Operation::new(Method::POST);
    /// let verdict = Rules::new().judge_status(&post, StatusCode::SERVICE_UNAVAILABLE, &HeaderMap::new());
    /// assert!(!verdict.is_retry());
    /// assert_eq!(
    ///     verdict.to_string(),
    ///     "POST is not idempotent and the request may have been carried out: send an idempotency key"
    /// );
    /// ```
    #[must_use]
    pub fn judge_status(&self, operation: &Operation, status: StatusCode, headers: &HeaderMap) -> Verdict {
        self.judge_status_at(operation, status, headers, SystemTime::now())
    }

    /// As [`judge_status`](Self::judge_status), at a given time.
    ///
    /// ```
    /// # use backoff_http::{Operation, Rules};
    /// # use http::{HeaderMap, StatusCode};
    /// # use std::time::SystemTime;
    /// let mut headers = HeaderMap::new();
    /// headers.insert("retry-after", "Thu, 01 Jan 1970 00:00:07 GMT".parse().unwrap());
    /// let (operation, epoch) = (Operation::repeatable(), SystemTime::UNIX_EPOCH);
    /// let verdict = Rules::new().judge_status_at(&operation, StatusCode::TOO_MANY_REQUESTS, &headers, epoch);
    /// assert_eq!(verdict.hint().unwrap().delay().as_secs(), 7);
    /// ```
    #[must_use]
    pub fn judge_status_at(
        &self,
        operation: &Operation,
        status: StatusCode,
        headers: &HeaderMap,
        now: SystemTime,
    ) -> Verdict {
        if self.grpc != 0 && status == StatusCode::OK {
            if let Some(code) = grpc::status(headers) {
                return self.judge_grpc(operation, code, headers, now);
            }
        }
        let advice = self.hints.read(headers, now);
        let failed = status.is_client_error() || status.is_server_error();
        let why = match (advice.retry, self.get_status(status.as_u16())) {
            (Some(false), on_status) if failed || on_status != OnStatus::Never => Why::ServerSaidNo,
            (Some(true), _) if failed => self.if_first(operation, Why::ServerSaidYes),
            (_, OnStatus::Never) => Why::Final,
            (_, OnStatus::IfAsked) if advice.wait.is_none() => Why::NotAsked,
            (_, OnStatus::IfAsked | OnStatus::Always) => self.if_first(operation, Why::NotCarriedOut),
            (_, OnStatus::IfRepeatable) => self.if_repeatable(operation),
        };
        Verdict::new(operation, Subject::Status(status), why, advice.wait)
    }

    /// Judges an error by its whole `source()` chain. See [`inspect`](crate::inspect::inspect()). If a failure of one of this
    /// crate's adapters is in it, its own verdict is the answer: it knows its request, and the server's hint.
    ///
    /// ```
    /// # use backoff_http::{Operation, Rules};
    /// # use http::Method;
    /// # use std::io::{Error, ErrorKind};
    /// let refused = Error::from(ErrorKind::ConnectionRefused);
    /// assert!(Rules::new().judge_error(&Operation::new(Method::POST), &refused).is_retry());
    /// ```
    #[must_use]
    pub fn judge_error(&self, operation: &Operation, error: &(dyn Error + 'static)) -> Verdict {
        match inspect::verdict(error) {
            Some(verdict) => verdict.clone(),
            None => self.judge_fault(operation, inspect(error)),
        }
    }

    /// Judges a fault that was found by other means.
    ///
    /// ```
    /// # use backoff_http::{ErrorKind, Operation, Phase, Rules};
    /// # use backoff_http::inspect::Fault;
    /// # use http::Method;
    /// let lost = Fault { kind: ErrorKind::Reset, phase: Phase::Sent };
    /// assert!(!Rules::new().judge_fault(&Operation::new(Method::POST), lost).is_retry());
    /// assert!(Rules::new().judge_fault(&Operation::new(Method::PUT), lost).is_retry());
    /// ```
    #[must_use]
    pub fn judge_fault(&self, operation: &Operation, fault: Fault) -> Verdict {
        let mut fault = fault;
        if operation.is_redirected() {
            // What led to the target was sent, and valid.
            fault.phase = fault.phase.max(Phase::Sent);
            if fault.kind == ErrorKind::Request {
                fault.kind = ErrorKind::Redirect;
            }
        }
        let why = match fault.phase {
            _ if !self.get_error(fault.kind) => Why::Final,
            Phase::NotSent => self.unless_stuck(operation, Why::NotSent),
            Phase::Sent | Phase::HeadersReceived => self.if_repeatable(operation),
        };
        Verdict::new(operation, Subject::Fault(fault), why, None)
    }

    fn judge_grpc(&self, operation: &Operation, code: u32, headers: &HeaderMap, now: SystemTime) -> Verdict {
        let advice = self.hints.and(Vendor::Grpc).read(headers, now);
        let why = match advice.retry {
            _ if !self.get_grpc(code) => Why::Final,
            Some(false) => Why::ServerSaidNo,
            _ => self.unless_stuck(operation, Why::Repeatable),
        };
        let wait = advice.wait.or_else(|| grpc::retry_info(headers));
        Verdict::new(operation, Subject::Grpc(code), why, wait)
    }

    /// The reason to try again, unless it is that of a redirect's target: it knows nothing of what the server before it did.
    fn if_first(&self, operation: &Operation, why: Why) -> Why {
        match self.if_repeatable(operation) {
            Why::NotIdempotent if operation.is_redirected() => Why::NotIdempotent,
            _ => self.unless_stuck(operation, why),
        }
    }

    fn if_repeatable(&self, operation: &Operation) -> Why {
        let why = match operation.method() {
            Some(method) if self.is_idempotent(method) => Why::Idempotent,
            _ if operation.is_keyed() => Why::Keyed,
            _ if operation.is_declared_repeatable() => Why::Repeatable,
            _ => return Why::NotIdempotent,
        };
        self.unless_stuck(operation, why)
    }

    /// The reason to try again, unless the body is gone.
    #[expect(clippy::unused_self, reason = "it is one of the rules")]
    fn unless_stuck(&self, operation: &Operation, why: Why) -> Why {
        if operation.is_replayable() { why } else { Why::NotReplayable }
    }
}
