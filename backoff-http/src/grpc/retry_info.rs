//! `google.rpc.RetryInfo` in the details of a status: a protobuf message in base64, of which two numbers matter.

use std::time::Duration;

use backoff_core::RetryAfter;
use http::HeaderMap;

const RETRY_INFO: &[u8] = b"google.rpc.RetryInfo";

/// Details that are longer are not looked at.
const LONGEST: usize = 64 * 1_024;

/// How long the `RetryInfo` in `grpc-status-details-bin` asks to wait. None if there is none, or if it makes no sense; a
/// negative wait is none. Never panics.
///
/// ```
/// # use http::HeaderMap;
/// let mut headers = HeaderMap::new();
/// let details = "CA4aMwoodHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBjLlJldHJ5SW5mbxIHCgUIAhCAZQ==";
/// headers.insert("grpc-status-details-bin", details.parse().unwrap());
/// let wait = backoff_http::grpc::retry_info(&headers).unwrap();
/// assert_eq!(wait.delay(), std::time::Duration::new(2, 12_928));
/// ```
#[must_use]
pub fn retry_info(headers: &HeaderMap) -> Option<RetryAfter> {
    let value = headers.get("grpc-status-details-bin")?.as_bytes();
    if value.len() > LONGEST {
        return None;
    }
    let status = base64(value)?;
    let any = fields(&status).filter_map(Field::message_if(3)).find(|any| is_retry_info(any))?;
    let info = fields(any).find_map(Field::message_if(2))?;
    let delay = fields(info).find_map(Field::message_if(1)).unwrap_or_default();
    duration(delay).map(RetryAfter::after)
}

fn is_retry_info(any: &[u8]) -> bool {
    let url = fields(any).find_map(Field::message_if(1)).unwrap_or_default();
    url.rsplit(|byte| *byte == b'/').next() == Some(RETRY_INFO)
}

/// A `google.protobuf.Duration`.
fn duration(message: &[u8]) -> Option<Duration> {
    let number = |wanted| fields(message).filter_map(Field::number_if(wanted)).last().unwrap_or(0);
    let nanos = u32::try_from(number(2)).ok().filter(|nanos| *nanos < 1_000_000_000)?;
    // A negative number of seconds is one beyond the largest of 64 bits with a sign.
    let seconds = i64::try_from(number(1)).ok()?;
    Some(Duration::new(u64::try_from(seconds).ok()?, nanos))
}

/// A field of a message: its number, and what it holds.
enum Field<'a> {
    Number(u64, u64),
    Message(u64, &'a [u8]),
    Other,
}

impl<'a> Field<'a> {
    fn message_if(wanted: u64) -> impl FnMut(Self) -> Option<&'a [u8]> {
        move |field| match field {
            Self::Message(number, bytes) if number == wanted => Some(bytes),
            _ => None,
        }
    }

    fn number_if(wanted: u64) -> impl FnMut(Self) -> Option<u64> {
        move |field| match field {
            Self::Number(number, value) if number == wanted => Some(value),
            _ => None,
        }
    }
}

/// The fields of a message, up to the first that makes no sense.
fn fields(mut bytes: &[u8]) -> impl Iterator<Item = Field<'_>> {
    std::iter::from_fn(move || {
        let tag = varint(&mut bytes)?;
        let number = tag >> 3;
        Some(match tag & 7 {
            0 => Field::Number(number, varint(&mut bytes)?),
            1 => take(&mut bytes, 8).map(|_| Field::Other)?,
            2 => {
                let length = usize::try_from(varint(&mut bytes)?).ok()?;
                Field::Message(number, take(&mut bytes, length)?)
            }
            5 => take(&mut bytes, 4).map(|_| Field::Other)?,
            _ => return None,
        })
    })
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

/// A number in groups of seven bits, the lowest first, ten at most.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for place in 0..10 {
        let byte = *take(bytes, 1)?.first()?;
        number |= u64::from(byte & 127).checked_shl(place * 7)?;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

/// Base64 with the usual alphabet, padded or not.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        if group.len() == 1 {
            return None;
        }
        let bits = group.iter().try_fold(0_u32, |bits, digit| {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            Some(bits << 6 | u32::from(value))
        })?;
        let [_, all @ ..] = (bits << (6 * (4 - group.len()))).to_be_bytes();
        bytes.extend_from_slice(&all[..group.len() - 1]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(number: u8, bytes: &[u8]) -> Vec<u8> {
        let mut field = vec![number << 3 | 2, u8::try_from(bytes.len()).unwrap()];
        field.extend_from_slice(bytes);
        field
    }

    fn encoded(bytes: &[u8]) -> String {
        const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for group in bytes.chunks(3) {
            let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
            for digit in 0..=group.len() {
                text.push(char::from(ALPHABET[usize::try_from(bits >> (18 - 6 * digit) & 63).unwrap()]));
            }
        }
        text
    }

    /// Details with numbers of both fixed sizes and another message first, and then a `RetryInfo` with this duration.
    fn details(duration: &[u8]) -> HeaderMap {
        let fixed = b"\x49\x08\x01\x08\x01\x08\x01\x08\x01\x4d\x08\x01\x08\x01".to_vec();
        let other = [message(1, b"type.googleapis.com/google.rpc.DebugInfo"), message(2, b"\x0a\x01x")].concat();
        let info = message(1, duration);
        let retry = [message(1, b"type.googleapis.com/google.rpc.RetryInfo"), message(2, &info)].concat();
        let status = [b"\x08\x0e".to_vec(), message(2, b"busy"), fixed, message(3, &other), message(3, &retry)];
        header(&encoded(&status.concat()))
    }

    fn header(text: &str) -> HeaderMap {
        HeaderMap::from_iter([("grpc-status-details-bin".parse().unwrap(), text.parse().unwrap())])
    }

    /// A `RetryInfo` of seven seconds behind so much else that the text is so long.
    fn details_of(length: usize) -> HeaderMap {
        let retry = message(1, b"type.googleapis.com/google.rpc.RetryInfo");
        let retry = message(3, &[retry, message(2, &message(1, b"\x08\x07"))].concat());
        let other = length / 4 * 3 - retry.len() - 4;
        let size = [other & 127 | 128, other >> 7 & 127 | 128, other >> 14].map(|bits| u8::try_from(bits).unwrap());
        header(&encoded(&[vec![2 << 3 | 2], size.to_vec(), vec![b'x'; other], retry].concat()))
    }

    #[test]
    fn sixty_four_kibibytes_are_looked_at_and_no_more() {
        for (length, right) in [(2_000, Some(7)), (65_536, Some(7)), (65_540, None)] {
            let details = details_of(length);
            assert_eq!(details["grpc-status-details-bin"].len(), length);
            assert_eq!(retry_info(&details).map(|wait| wait.delay().as_secs()), right, "{length}");
        }
    }

    #[test]
    fn a_wait_is_found_among_other_details() {
        let wait = |duration: &[u8]| retry_info(&details(duration)).map(RetryAfter::delay);
        assert_eq!(wait(b"\x08\x07"), Some(Duration::from_secs(7)));
        assert_eq!(wait(b"\x08\x01\x10\x80\xca\xb5\xee\x01"), Some(Duration::from_millis(1_500)));
        assert_eq!(wait(b""), Some(Duration::ZERO));
        assert_eq!(wait(b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), None, "negative");
        assert_eq!(wait(b"\x10\x80\x94\xeb\xdc\x03"), None, "a whole second of nanoseconds");
    }

    #[test]
    fn base64_has_its_64_digits_and_groups_of_two_to_four() {
        let read = |text: &[u8]| base64(text);
        assert_eq!(read(b"AZaz09+/"), Some(vec![0x01, 0x96, 0xb3, 0xd3, 0xdf, 0xbf]));
        assert_eq!(read(b"+/+/"), Some(vec![0xfb, 0xff, 0xbf]));
        assert_eq!((read(b"//8="), read(b"//8")), (Some(vec![0xff, 0xff]), Some(vec![0xff, 0xff])));
        assert_eq!((read(b"/w=="), read(b"/w")), (Some(vec![0xff]), Some(vec![0xff])));
        assert_eq!(read(b""), Some(vec![]));
        for wrong in [b"A".as_slice(), b"AAAAA", b"AA-A", b"A===", b"=AAA"] {
            assert_eq!(read(wrong), None);
        }
    }

    #[test]
    fn a_number_has_ten_groups_of_seven_bits_at_most() {
        let read = |mut bytes: &[u8]| varint(&mut bytes).map(|number| (number, bytes.len()));
        assert_eq!(read(b"\x00\x01"), Some((0, 1)));
        assert_eq!(read(b"\x7f"), Some((127, 0)));
        assert_eq!(read(b"\x80\x01"), Some((128, 0)));
        assert_eq!(read(b"\xac\x82\x03\x07"), Some((49_452, 1)));
        assert_eq!(read(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), Some((u64::MAX, 0)));
        assert_eq!(read(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), None);
        assert_eq!((read(b""), read(b"\x80")), (None, None));
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let whole = details(b"\x08\x01\x10\x80\xca\xb5\xee\x01");
        let text = whole["grpc-status-details-bin"].to_str().unwrap().to_owned();
        let mut state = 7_u32;
        for _ in 0..20_000 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..3 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let place = usize::try_from(state >> 8).unwrap() % bytes.len();
                bytes[place] = b"AZaz09+/=!"[usize::try_from(state >> 20).unwrap() % 10];
                bytes.truncate(bytes.len().max(place + 1));
            }
            let value = http::HeaderValue::from_bytes(&bytes).unwrap();
            let _ = retry_info(&HeaderMap::from_iter([("grpc-status-details-bin".parse().unwrap(), value)]));
        }
    }
}
