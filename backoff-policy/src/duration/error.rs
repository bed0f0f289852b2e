//! What is wrong with a text that is not a duration, and what to write instead.

use core::fmt;

use super::proposal::proposal;
use crate::error::Quote;
use crate::sentence::Sentence;
use crate::suggest;

/// A text that is not a duration.
///
/// ```
/// let error = backoff_policy::duration::parse("1e3s").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`1e3s` is not a duration: exponents are not accepted, write the number out, such as `1000s`"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DurationError {
    text: Quote,
    /// The part that is at fault: of a long text it may lie behind what is kept.
    part: Quote,
    /// Where the part begins in the text, in bytes; as far as that is kept.
    start: u8,
    fault: Fault,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Empty,
    EmptyFraction,
    EmptyWhole,
    Exponent,
    FractionNotLast,
    Negative,
    NoNumber,
    NoUnit,
    Order,
    Plus,
    Repeated,
    SecondPoint,
    Space,
    SpaceBeforeUnit,
    TooFine,
    TooLong,
    UnknownUnit,
}

impl DurationError {
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the quote, which is short")]
    pub(super) const fn new(text: &str, start: usize, end: usize, fault: Fault) -> Self {
        let (head, _) = text.as_bytes().split_at(end);
        let (_, part) = head.split_at(start);
        let part = match core::str::from_utf8(part) {
            Ok(part) => part,
            Err(_) => text,
        };
        let start = if start < Quote::CAPACITY { start } else { Quote::CAPACITY };
        Self { text: Quote::new(text), part: Quote::new(part), start: start as u8, fault }
    }

    /// The text that was given, cut to 40 bytes.
    ///
    /// ```
    /// assert_eq!(backoff_policy::duration::parse("5").unwrap_err().text(), "5");
    /// ```
    #[must_use]
    pub const fn text(&self) -> &str {
        self.text.as_str()
    }

    /// The part of the text that is at fault, cut to 40 bytes.
    ///
    /// ```
    /// assert_eq!(backoff_policy::duration::parse("1m 30sec").unwrap_err().part(), "sec");
    /// ```
    #[must_use]
    pub const fn part(&self) -> &str {
        self.part.as_str()
    }

    /// What stands in the text before the faulty part, the part, and what stands after it; none if that is not all kept.
    pub(super) const fn around(&self) -> Option<(&str, &str, &str)> {
        if self.text.is_cut() {
            return None;
        }
        let (head, rest) = self.text().as_bytes().split_at(self.start as usize);
        let Some((_, tail)) = rest.split_at_checked(self.part().len()) else { return None };
        match (core::str::from_utf8(head), core::str::from_utf8(tail)) {
            (Ok(head), Ok(tail)) => Some((head, self.part(), tail)),
            _ => None,
        }
    }

    /// Appends the text.
    pub(crate) const fn quote(&self, sentence: Sentence) -> Sentence {
        self.text.quote(sentence)
    }

    /// Says what is wrong, and what to write if that is clear.
    pub(crate) const fn explain(&self, sentence: Sentence) -> Sentence {
        let sentence = self.complain(sentence);
        match proposal(self, self.fault) {
            Some(text) => sentence.text("; did you mean `").text(text.as_str()).text("`?"),
            None => sentence,
        }
    }

    const fn complain(&self, sentence: Sentence) -> Sentence {
        let part = self.part();
        let about = self.part.quote(sentence.text("`"));
        match self.fault {
            Fault::Empty => sentence.text("the text is empty, write a duration such as `200ms` or `1m 30s`"),
            Fault::EmptyFraction | Fault::EmptyWhole => about.text("` needs digits on both sides of the point"),
            Fault::Exponent => sentence.text("exponents are not accepted, write the number out, such as `1000s`"),
            Fault::FractionNotLast => self
                .part
                .quote(sentence.text("only the last part may have a fraction, as in `1m 30.5s`, but `"))
                .text("` has one and is not the last"),
            Fault::Negative => sentence.text("a duration can't be negative, write it without `-`"),
            Fault::NoNumber => about.text("` has no number before it, write a duration such as `200ms`"),
            Fault::NoUnit => about.text("` has no unit, use h, m, s, ms, us or ns"),
            Fault::Order => sentence.text("larger units come first"),
            Fault::Plus => sentence.text("a sign is not accepted, write it without `+`"),
            Fault::Repeated => self.part.quote(sentence.text("the unit of `")).text("` stands twice, add the two up"),
            Fault::SecondPoint => about.text("` has two points, write one number such as `3.5`"),
            Fault::Space => sentence.text("a space may stand only between two parts, one at a time"),
            Fault::SpaceBeforeUnit => sentence.text("no space between a number and its unit"),
            Fault::TooFine => about.text("` is not a whole number of nanoseconds, write fewer digits after the point"),
            Fault::TooLong => about.text("` is too long, at most 18446744073709551615s fit"),
            Fault::UnknownUnit => {
                let sentence = self.part.quote(sentence.text("unknown unit `")).text("`, use h, m, s, ms, us or ns");
                let is_day = suggest::same(part, "d") || suggest::same(part, "day") || suggest::same(part, "days");
                if is_day { sentence.text("; a day is `24h`") } else { sentence }
            }
        }
    }
}

impl fmt::Display for DurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentence = self.quote(Sentence::new().text("`")).text("` is not a duration: ");
        fmt::Display::fmt(&self.explain(sentence), f)
    }
}

impl core::error::Error for DurationError {}
