//! The rules as a table for people.

use std::fmt;

use http::StatusCode;

use super::{OnStatus, Rules};
use crate::grpc;
use crate::hint::Vendor;
use crate::{ErrorKind, Phase};

/// Prints every rule: one line for each status that is tried again, the methods, the errors, the headers.
///
/// ```
/// # use backoff_http::Rules;
/// let table = Rules::new().to_string();
/// assert!(table.starts_with("status                     tried again\n408 Request Timeout        any method"));
/// ```
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<27}tried again", "status")?;
        for status in 100..=999 {
            let again = match self.get_status(status) {
                OnStatus::Never => continue,
                OnStatus::IfAsked => "any method, if the server says when",
                OnStatus::IfRepeatable => "idempotent or with a key",
                OnStatus::Always => "any method",
            };
            writeln!(f, "{:<27}{again}", name(status))?;
        }
        writeln!(f, "{:<27}never", "any other")?;
        writeln!(f)?;
        writeln!(f, "{:<50}tried again", "error")?;
        for kind in ErrorKind::ALL {
            let again = if self.get_error(kind) { by_phase(kind) } else { "never" };
            writeln!(f, "{:<50}{again}", kind.to_string())?;
        }
        writeln!(f)?;
        if self.grpc != 0 {
            f.write_str("gRPC statuses that are tried again:")?;
            for status in (1..=16).filter(|status| self.get_grpc(*status)) {
                write!(f, " {status} {}", grpc::name(status))?;
            }
            writeln!(f)?;
        }
        f.write_str("idempotent methods:")?;
        for method in self.methods() {
            write!(f, " {method}")?;
        }
        f.write_str("\nheaders that are read: retry-after")?;
        for name in self.hints.iter().flat_map(Vendor::headers) {
            write!(f, ", {name}")?;
        }
        Ok(())
    }
}

fn name(status: u16) -> String {
    StatusCode::from_u16(status).map_or_else(
        |_| status.to_string(),
        |code| match code.canonical_reason() {
            Some(reason) => format!("{status} {reason}"),
            None => status.to_string(),
        },
    )
}

/// For which methods, as far as the kind alone decides it.
fn by_phase(kind: ErrorKind) -> &'static str {
    match kind.usual_phase() {
        Phase::NotSent => "any method",
        Phase::Sent | Phase::HeadersReceived => "idempotent, with a key, or not sent",
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rules {{\n{self}\n}}")
    }
}
