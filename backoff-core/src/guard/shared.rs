//! A number that threads share: an atomic, or under `--cfg loom` one whose interleavings are tried out.

/// Defines a wrapper of an atomic that is made in constants, which loom's own can't be.
macro_rules! shared {
    ($(#[$doc:meta])* $name:ident: $number:ty, $atomic:ident in $($path:ident)::+) => {
        $(#[$doc])*
        pub(super) struct $name {
            #[cfg(not(loom))]
            number: $($path)::+::$atomic,
            #[cfg(loom)]
            start: $number,
            /// Made at the first use and never dropped, because loom's own can do neither in a constant.
            #[cfg(loom)]
            number: std::sync::Mutex<Option<&'static loom::sync::atomic::$atomic>>,
        }

        impl $name {
            #[cfg(not(loom))]
            pub(super) const fn new(number: $number) -> Self {
                Self { number: $($path)::+::$atomic::new(number) }
            }

            #[cfg(loom)]
            pub(super) const fn new(start: $number) -> Self {
                Self { start, number: std::sync::Mutex::new(None) }
            }

            #[cfg(not(loom))]
            #[inline]
            const fn number(&self) -> &$($path)::+::$atomic {
                &self.number
            }

            #[cfg(loom)]
            fn number(&self) -> &loom::sync::atomic::$atomic {
                let mut number = self.number.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                number.get_or_insert_with(|| Box::leak(Box::new(loom::sync::atomic::$atomic::new(self.start))))
            }
        }
    };
}

pub(super) use shared;
