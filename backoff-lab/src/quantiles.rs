//! How values are spread.

use std::time::Duration;

/// Five numbers that say how times are spread: each is one of the values (nearest rank), none is between two of them.
///
/// ```
/// use backoff_lab::quantiles::Quantiles;
/// use std::time::Duration;
/// let mut times: Vec<_> = (1..=100).map(Duration::from_millis).collect();
/// let quantiles = Quantiles::of(&mut times).unwrap();
/// assert_eq!(quantiles.p10.as_millis(), 10);
/// assert_eq!(quantiles.high.as_millis(), 100);
/// assert_eq!(Quantiles::<Duration>::of(&mut []), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantiles<T = Duration> {
    /// The smallest.
    pub low: T,
    /// A tenth is below or equal.
    pub p10: T,
    /// Half is below or equal.
    pub p50: T,
    /// Nine tenths are below or equal.
    pub p90: T,
    /// The largest.
    pub high: T,
}

impl<T: Copy + Ord> Quantiles<T> {
    /// The quantiles of some values, which are sorted on the way; none if there are none.
    pub fn of(values: &mut [T]) -> Option<Self> {
        values.sort_unstable();
        let rank = |tenths: usize| values.get((values.len() * tenths).div_ceil(10).saturating_sub(1)).copied();
        Some(Self { low: *values.first()?, p10: rank(1)?, p50: rank(5)?, p90: rank(9)?, high: *values.last()? })
    }
}
