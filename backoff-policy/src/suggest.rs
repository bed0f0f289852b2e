//! "did you mean": the nearest known word, and what other libraries call the same thing.

/// The longest word that is compared; longer ones are not a slip of the finger.
const LONGEST: usize = 32;

/// What users of other libraries write, and what it is called here.
const SYNONYMS: &[(&str, &str)] = &[
    ("attempts", "max_attempts"),
    ("base", "multiplier"),
    ("cap", "max_delay"),
    ("ceiling", "max_delay"),
    ("condition", "when"),
    ("delay", "initial"),
    ("exponent", "multiplier"),
    ("factor", "multiplier"),
    ("if", "when"),
    ("initial_delay", "initial"),
    ("initial_interval", "initial"),
    ("max", "max_delay"),
    ("max_backoff", "max_delay"),
    ("max_elapsed_time", "budget"),
    ("max_interval", "max_delay"),
    ("max_retries", "max_attempts"),
    ("max_retry", "max_attempts"),
    ("max_times", "max_attempts"),
    ("max_tries", "max_attempts"),
    ("min", "initial"),
    ("min_delay", "initial"),
    ("notify", "on_retry"),
    ("num_retries", "max_attempts"),
    ("on", "when"),
    ("predicate", "when"),
    ("retries", "max_attempts"),
    ("retry_after", "hint"),
    ("retry_if", "when"),
    ("retry_on", "when"),
    ("start", "initial"),
    ("timeout", "budget"),
    ("times", "max_attempts"),
    ("total", "budget"),
    ("total_delay", "budget"),
    ("tries", "max_attempts"),
];

/// The known word that `word` most likely stands for: a synonym, or the nearest of `known` by restricted
/// Damerau-Levenshtein distance, if that is at most a third of the word's length (at least one).
///
/// ```
/// use backoff_policy::suggest::nearest;
/// assert_eq!(nearest("intial", &["initial", "budget"]), Some("initial"));
/// assert_eq!(nearest("retries", &["initial", "max_attempts"]), Some("max_attempts"));
/// assert_eq!(nearest("colour", &["initial", "budget"]), None);
/// ```
#[must_use]
pub const fn nearest(word: &str, known: &[&'static str]) -> Option<&'static str> {
    let mut i = 0;
    while i < SYNONYMS.len() {
        let (synonym, meant) = SYNONYMS[i];
        if same(word, synonym) && contains(known, meant) {
            return Some(meant);
        }
        i += 1;
    }
    let third = word.len() / 3;
    let mut allowed = if third == 0 { 1 } else { third };
    let mut best = None;
    let mut i = 0;
    while i < known.len() {
        let distance = distance(word.as_bytes(), known[i].as_bytes());
        if distance <= allowed && (best.is_none() || distance < allowed) {
            allowed = distance;
            best = Some(known[i]);
        }
        i += 1;
    }
    best
}

/// Whether two words are the same, apart from the case of ASCII letters.
///
/// ```
/// assert!(backoff_policy::suggest::same("Full", "full"));
/// ```
#[must_use]
pub const fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && distance(a.as_bytes(), b.as_bytes()) == 0
}

const fn contains(words: &[&str], word: &str) -> bool {
    let mut i = 0;
    while i < words.len() {
        if same(words[i], word) {
            return true;
        }
        i += 1;
    }
    false
}

/// Insertions, deletions, substitutions and swaps of neighbours, ignoring case.
const fn distance(a: &[u8], b: &[u8]) -> usize {
    if a.len() > LONGEST || b.len() > LONGEST {
        return usize::MAX;
    }
    let mut before_last = [0; LONGEST + 1];
    let mut last = [0; LONGEST + 1];
    let mut j = 0;
    while j <= b.len() {
        last[j] = j;
        j += 1;
    }
    let mut i = 1;
    while i <= a.len() {
        let mut row = [0; LONGEST + 1];
        row[0] = i;
        let mut j = 1;
        while j <= b.len() {
            let differs = !a[i - 1].eq_ignore_ascii_case(&b[j - 1]);
            let mut best = last[j - 1] + differs as usize;
            best = least(best, last[j] + 1);
            best = least(best, row[j - 1] + 1);
            let swapped =
                i > 1 && j > 1 && a[i - 1].eq_ignore_ascii_case(&b[j - 2]) && a[i - 2].eq_ignore_ascii_case(&b[j - 1]);
            if swapped {
                best = least(best, before_last[j - 2] + 1);
            }
            row[j] = best;
            j += 1;
        }
        before_last = last;
        last = row;
        i += 1;
    }
    last[b.len()]
}

const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, distance, nearest};

    #[test]
    fn a_swap_is_one_step() {
        assert_eq!(distance(b"bugdet", b"budget"), 1);
        assert_eq!(distance(b"initial", b"initial"), 0);
        assert_eq!(distance(b"", b"ms"), 2);
        assert_eq!(distance(b"ca", b"abc"), 3, "restricted: a swapped pair is not edited again");
    }

    #[test]
    fn steps_are_counted_without_regard_to_case() {
        for (a, b, steps) in [
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
            ("abcd", "BADC", 2),
            ("xab", "xBA", 1),
            ("abc", "cba", 2),
            ("aXbYc", "abc", 2),
            ("jitter", "", 6),
        ] {
            assert_eq!((distance(a.as_bytes(), b.as_bytes()), distance(b.as_bytes(), a.as_bytes())), (steps, steps));
        }
        let (longest, longer) = ([b'a'; LONGEST], [b'a'; LONGEST + 1]);
        assert_eq!((distance(&longest, &longest), distance(&longest, b"")), (0, LONGEST));
        assert_eq!((distance(&longer, b"a"), distance(b"a", &longer)), (usize::MAX, usize::MAX));
    }

    #[test]
    fn a_third_of_the_word_may_be_wrong_and_always_one_letter() {
        assert_eq!(nearest("b", &["a"]), Some("a"));
        assert_eq!((nearest("abx", &["abc"]), nearest("axx", &["abc"])), (Some("abc"), None));
        assert_eq!((nearest("abcdx", &["abcde"]), nearest("abcxx", &["abcde"])), (Some("abcde"), None));
        assert_eq!((nearest("abcdexx", &["abcdefg"]), nearest("abcdxxx", &["abcdefg"])), (Some("abcdefg"), None));
        assert_eq!(nearest("abcdexxxx", &["abcdefghi"]), None);
    }

    #[test]
    fn the_nearest_wins_and_a_tie_goes_to_the_first() {
        assert_eq!(nearest("on_retri", &["on_retry", "on_give_up"]), Some("on_retry"));
        assert_eq!(nearest("ab", &["aa", "bb"]), Some("aa"));
        assert_eq!(nearest("max_delai", &["max_hint", "max_delay"]), Some("max_delay"));
    }

    #[test]
    fn too_far_or_too_long_is_no_suggestion() {
        assert_eq!(nearest("wibble", &["initial", "budget", "when"]), None);
        assert_eq!(nearest(&"a".repeat(40), &["a"]), None);
    }

    extern crate alloc;
    use alloc::string::ToString as _;
    use alloc::vec::Vec;

    #[test]
    fn every_synonym_leads_to_a_key() {
        let strays: Vec<_> = super::SYNONYMS
            .iter()
            .filter(|(_, meant)| !crate::Field::NAMES.contains(meant) && !["when", "hint", "on_retry"].contains(meant))
            .map(|(synonym, _)| synonym.to_string())
            .collect();
        assert!(strays.is_empty(), "{strays:?}");
    }
}
