//! A bar for what takes long: on standard error, and only if that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that counts up to `length`.
pub(super) fn bar(length: u64, message: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:40} {percent:>3} %  {eta} left") {
        bar.set_style(style);
    }
    bar.set_message(message.to_owned());
    bar
}
