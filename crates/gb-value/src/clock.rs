//! The clock that budgets go by.
//!
//! In a browser the standard library has no clock, and asking it for the time ends the program. There the page lends its own.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use lent::{Instant, lend};

/// What stands in for [`std::time::Instant`]. Compiled for the tests as well, so that they can compare the two.
#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
mod lent {
    use std::ops::Add;
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> f64> = OnceLock::new();

    /// Lends a clock to this program: milliseconds since some moment. To be called once, before anything else; until then
    /// no time passes.
    pub fn lend(clock: fn() -> f64) {
        CLOCK.get_or_init(|| clock);
    }

    /// A moment, as [`std::time::Instant`].
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Instant {
            let milliseconds = CLOCK.get().map_or(0.0, |clock| clock());
            Instant(Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default())
        }
        /// How long ago it was.
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }
        /// How long after an earlier moment it is; nothing if it is before it.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
        /// So much later, if there is such a moment.
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0 + time)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;
    use std::time::Duration;

    use super::{Instant, lent};

    #[test]
    fn a_lent_clock_is_like_that_of_the_system() {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        lent::lend(|| START.elapsed().as_secs_f64() * 1000.0);
        let (real, lent) = (Instant::now(), lent::Instant::now());
        std::thread::sleep(Duration::from_millis(5));
        let passed = lent.elapsed();
        assert!(passed >= Duration::from_millis(5) && passed <= real.elapsed() + Duration::from_millis(1));
        let later = lent + Duration::from_secs(1);
        assert_eq!(later.saturating_duration_since(lent), Duration::from_secs(1));
        assert_eq!(lent.saturating_duration_since(later), Duration::ZERO);
        assert_eq!(lent.checked_add(Duration::from_secs(1)), Some(later));
        assert_eq!(later.checked_add(Duration::MAX), None);
        assert!(lent < later);
    }
}
