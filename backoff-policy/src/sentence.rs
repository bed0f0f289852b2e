//! Text that can be put together in a constant, so that a compile error can name the value it refuses.

mod digits;

use core::fmt;
use core::time::Duration;

use crate::duration;
use digits::Digits;

/// A short text on the stack, built with `const` functions.
///
/// Holds [`Sentence::CAPACITY`] bytes; what does not fit is left out and an ellipsis says so.
///
/// ```
/// use backoff_policy::sentence::Sentence;
/// const TEXT: Sentence = Sentence::new().text("at most ").number(7);
/// assert_eq!(TEXT.as_str(), "at most 7");
/// ```
#[derive(Clone, Copy)]
pub struct Sentence {
    bytes: [u8; Self::CAPACITY],
    len: usize,
    full: bool,
}

impl Sentence {
    /// How many bytes a sentence can hold.
    pub const CAPACITY: usize = 240;
    const ELLIPSIS: &'static str = "…";

    /// An empty sentence.
    ///
    /// ```
    /// assert_eq!(backoff_policy::sentence::Sentence::new().as_str(), "");
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; Self::CAPACITY], len: 0, full: false }
    }

    /// Appends text, whole characters only.
    ///
    /// ```
    /// # use backoff_policy::sentence::Sentence;
    /// assert_eq!(Sentence::new().text("µ").as_str(), "µ");
    /// ```
    #[must_use]
    pub const fn text(mut self, text: &str) -> Self {
        if self.full {
            return self;
        }
        let bytes = text.as_bytes();
        let room = Self::CAPACITY - Self::ELLIPSIS.len() - self.len;
        let mut count = bytes.len();
        if count > room {
            count = room;
            while count > 0 && is_continuation(bytes[count]) {
                count -= 1;
            }
            self.full = true;
        }
        self.append(bytes, count);
        if self.full {
            self.append(Self::ELLIPSIS.as_bytes(), Self::ELLIPSIS.len());
        }
        self
    }

    const fn append(&mut self, bytes: &[u8], count: usize) {
        let mut i = 0;
        while i < count {
            self.bytes[self.len + i] = bytes[i];
            i += 1;
        }
        self.len += count;
    }

    /// Appends a whole number in decimal.
    ///
    /// ```
    /// # use backoff_policy::sentence::Sentence;
    /// assert_eq!(Sentence::new().number(u128::from(u64::MAX)).as_str(), "18446744073709551615");
    /// ```
    #[must_use]
    pub const fn number(self, number: u128) -> Self {
        self.padded(number, 1)
    }

    /// Appends a whole number with leading zeros up to `width` digits.
    #[must_use]
    const fn padded(self, mut number: u128, width: usize) -> Self {
        let mut digits = [b'0'; 39];
        let mut start = digits.len();
        while number > 0 || digits.len() - start < width {
            start -= 1;
            digits[start] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        let (_, digits) = digits.split_at(start);
        self.text(ascii(digits))
    }

    /// Appends `whole.fraction`, where `fraction` counts units of `10^-digits`, without trailing zeros.
    ///
    /// ```
    /// # use backoff_policy::sentence::Sentence;
    /// assert_eq!(Sentence::new().decimal(3, 500_000_000, 9).as_str(), "3.5");
    /// ```
    #[must_use]
    pub const fn decimal(self, whole: u128, mut fraction: u128, mut digits: usize) -> Self {
        while digits > 0 && fraction % 10 == 0 {
            fraction /= 10;
            digits -= 1;
        }
        let sentence = self.number(whole);
        if digits == 0 { sentence } else { sentence.text(".").padded(fraction, digits) }
    }

    /// Appends a number as `-0.5`, `NaN`, `inf` or, far from one, `1.5e300`: the fewest digits that read back as the same
    /// number, so that what is just below one is not shown as one.
    ///
    /// ```
    /// # use backoff_policy::sentence::Sentence;
    /// assert_eq!(Sentence::new().float(-0.5).as_str(), "-0.5");
    /// assert_eq!(Sentence::new().float(1e300).as_str(), "1e300");
    /// assert_eq!(Sentence::new().float(0.9999999999999999).as_str(), "0.9999999999999999");
    /// assert_eq!(Sentence::new().float(f64::NAN).as_str(), "NaN");
    /// ```
    #[must_use]
    pub const fn float(self, value: f64) -> Self {
        if value.is_nan() {
            return self.text("NaN");
        }
        let sentence = if value.is_sign_negative() { self.text("-") } else { self };
        let size = value.abs();
        if size.is_infinite() {
            return sentence.text("inf");
        }
        if size == 0.0 {
            return sentence.text("0");
        }
        let digits = Digits::of(size);
        let point = digits.point();
        let far = point.unsigned_abs() as usize;
        match point {
            -5..=0 => sentence.text("0.").padded(0, far).text(digits.split(0).1),
            1..=9 => {
                let (whole, fraction) = digits.split(far);
                sentence.text(whole).padded(0, far - whole.len()).fraction(fraction)
            }
            _ => {
                let (first, fraction) = digits.split(1);
                let sentence = sentence.text(first).fraction(fraction).text(if point > 0 { "e" } else { "e-" });
                sentence.number((point - 1).unsigned_abs() as u128)
            }
        }
    }

    /// Appends the digits behind the point, if there are any.
    #[must_use]
    const fn fraction(self, digits: &str) -> Self {
        if digits.is_empty() { self } else { self.text(".").text(digits) }
    }

    /// Appends a duration in the grammar of [`duration::parse`].
    ///
    /// ```
    /// # use backoff_policy::sentence::Sentence;
    /// # use core::time::Duration;
    /// assert_eq!(Sentence::new().duration(Duration::from_secs(90)).as_str(), "1m 30s");
    /// ```
    #[must_use]
    pub const fn duration(self, duration: Duration) -> Self {
        duration::write(self, duration)
    }

    /// The text so far.
    ///
    /// ```
    /// # use backoff_policy::sentence::Sentence;
    /// assert_eq!(Sentence::new().text("a").text("b").as_str(), "ab");
    /// ```
    #[must_use]
    pub const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "",
        }
    }

    /// Stops constant evaluation, and so compilation, with this sentence; at run time it panics.
    ///
    /// # Panics
    /// Always: that is what it is for.
    ///
    /// ```should_panic
    /// backoff_policy::sentence::Sentence::new().text("no").refuse();
    /// ```
    pub const fn refuse(&self) -> ! {
        panic!("{}", self.as_str())
    }
}

const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

const fn ascii(bytes: &[u8]) -> &str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => "",
    }
}

impl Default for Sentence {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
