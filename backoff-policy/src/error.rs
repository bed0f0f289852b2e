//! The sentence that refuses a value.

use core::fmt;

use crate::duration::DurationError;
use crate::sentence::Sentence;
use crate::suggest;
use crate::{Field, FinalSleep, Jitter, limits};

/// A value that a policy does not accept: which field, what was given, what is accepted instead.
///
/// ```
/// let error = backoff_policy::limits::max_attempts(0).unwrap_err();
/// assert_eq!(error.field(), backoff_policy::Field::MaxAttempts);
/// assert_eq!(
///     error.to_string(),
///     "`max_attempts` can't be `0`: it counts the first attempt, so use 1 to 4294967295; leave it out for no limit"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConfigError {
    field: Field,
    problem: Problem,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Problem {
    Zero,
    Multiplier(f64),
    Duration(DurationError),
    Word(Quote),
}

impl ConfigError {
    pub(crate) const fn new(field: Field, problem: Problem) -> Self {
        Self { field, problem }
    }

    pub(crate) const fn unknown_word(field: Field, word: &str) -> Self {
        Self::new(field, Problem::Word(Quote::new(word)))
    }

    /// The field whose value was refused.
    ///
    /// ```
    /// let error = "half".parse::<backoff_policy::Jitter>().unwrap_err();
    /// assert_eq!(error.field(), backoff_policy::Field::Jitter);
    /// ```
    #[must_use]
    pub const fn field(&self) -> Field {
        self.field
    }

    /// The whole sentence. It can be made in a constant, which is how a wrong constant policy explains itself.
    ///
    /// ```
    /// let error = backoff_policy::limits::multiplier(f64::INFINITY).unwrap_err();
    /// assert!(error.sentence().as_str().starts_with("`multiplier` can't be `inf`: "));
    /// ```
    #[must_use]
    pub const fn sentence(&self) -> Sentence {
        let sentence = Sentence::new().text("`").text(self.field.name()).text("` can't be `");
        match &self.problem {
            Problem::Zero => sentence.text(self.zero()).text("`: ").text(self.accepted()),
            Problem::Multiplier(value) => sentence.float(*value).text("`: ").text(self.accepted()),
            Problem::Duration(error) => error.explain(error.quote(sentence).text("`: ")),
            Problem::Word(word) => self.explain_word(word.quote(sentence).text("`: "), word),
        }
    }

    const fn zero(&self) -> &'static str {
        if matches!(self.field, Field::MaxAttempts) { "0" } else { "0s" }
    }

    const fn accepted(&self) -> &'static str {
        match self.field {
            Field::Initial => "the first delay must be longer than zero, such as `200ms`",
            Field::Budget => "it is the total time of a run, such as `3.5s`, or \"unlimited\"",
            Field::Multiplier => {
                "it must be a finite number greater than 1, such as `2.0`; \
                 for a constant delay set `max_delay` equal to `initial`"
            }
            Field::MaxDelay => "it is the longest delay, such as `10s`; leave it out for no cap",
            Field::MaxAttempts => "it counts the first attempt, so use 1 to 4294967295; leave it out for no limit",
            Field::Jitter => "choose `none`, `full` or `equal`",
            Field::FinalSleep => "choose `trim`, `spread` or `skip`",
            Field::AttemptTimeout => "it is the longest time of one attempt, such as `5s`; leave it out for no limit",
            Field::MaxHint => "it is the longest server hint that is obeyed, such as `5m`",
        }
    }

    const fn explain_word(&self, sentence: Sentence, word: &Quote) -> Sentence {
        if matches!(self.field, Field::Jitter) && suggest::same(word.as_str(), "decorrelated") {
            return sentence.text(
                "it replaces the growth instead of spreading it, and piles a quarter of its draws on the cap; \
                 choose `full`",
            );
        }
        let sentence = sentence.text(self.accepted());
        let words = match self.field {
            Field::Jitter => Jitter::WORDS,
            Field::FinalSleep => FinalSleep::WORDS,
            Field::Budget => &[limits::UNLIMITED],
            _ => &[],
        };
        match suggest::nearest(word.as_str(), words) {
            Some(known) => sentence.text("; did you mean `").text(known).text("`?"),
            None => sentence,
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.sentence(), f)
    }
}

impl core::error::Error for ConfigError {}

/// The start of a text that someone wrote, kept for the sentence about it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quote {
    bytes: [u8; Self::CAPACITY],
    len: u8,
    is_cut: bool,
}

impl Quote {
    pub(crate) const CAPACITY: usize = 40;

    pub(crate) const fn new(text: &str) -> Self {
        let source = text.as_bytes();
        let mut len = source.len();
        if len > Self::CAPACITY {
            len = Self::CAPACITY;
            while source[len] & 0b1100_0000 == 0b1000_0000 {
                len -= 1;
            }
        }
        let mut bytes = [0; Self::CAPACITY];
        let mut i = 0;
        while i < len {
            bytes[i] = source[i];
            i += 1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "the capacity fits in a byte")]
        Self { bytes, len: len as u8, is_cut: len < source.len() }
    }

    /// Whether the text was longer than what is kept.
    pub(crate) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Appends what is kept, and an ellipsis if that is not all.
    pub(crate) const fn quote(&self, sentence: Sentence) -> Sentence {
        let sentence = sentence.text(self.as_str());
        if self.is_cut { sentence.text("…") } else { sentence }
    }

    pub(crate) const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.len as usize);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

impl fmt::Debug for Quote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
