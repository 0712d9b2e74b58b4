//! Random choices from a seed.

use fnv::FnvHasher;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::hash::Hasher;

/// A stream of random choices. The same seed gives the same choices on every machine.
#[derive(Debug, Clone)]
pub struct Draw {
    seed: u64,
    source: ChaCha8Rng,
}

impl Draw {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, source: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// The stream of a part of the work, for example a phase or a tool: depends on the seed, the name and the number, not
    /// on what has been drawn so far.
    #[must_use]
    pub fn fork(&self, name: &str, number: u64) -> Self {
        Self::new(derive(self.seed, name, number))
    }

    /// The seed of the stream.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Any number.
    pub fn bits(&mut self) -> u64 {
        self.source.next_u64()
    }

    /// A number below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        // The high half of the product: bias is below limit / 2^64.
        let product = u128::from(self.bits()) * u128::from(limit);
        u64::try_from(product >> 64).unwrap_or(0)
    }

    /// An index of a list of `length` elements; 0 if it is empty.
    #[allow(clippy::cast_possible_truncation)]
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// A number from `low` to `high`, both included; `low` if the range is empty.
    pub fn range(&mut self, low: usize, high: usize) -> usize {
        low + self.index(high.saturating_sub(low).saturating_add(1))
    }

    /// Any number from `low` to `high`, both included; `low` if the range is empty.
    pub(crate) fn wide_range(&mut self, low: i128, high: i128) -> i128 {
        let span = high.saturating_sub(low).saturating_add(1);
        if span <= 1 {
            return low;
        }
        let bits = (u128::from(self.bits()) << 64) | u128::from(self.bits());
        let offset = bits % span.unsigned_abs();
        low + i128::try_from(offset).unwrap_or(0)
    }

    /// True with the given probability.
    #[allow(clippy::cast_precision_loss)]
    pub fn chance(&mut self, probability: f64) -> bool {
        if probability >= 1.0 {
            return true;
        }
        if probability <= 0.0 {
            return false;
        }
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        unit < probability
    }

    /// One of the elements; `None` if there is none.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.index(list.len()))
    }

    /// Puts the elements into random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.range(0, end));
        }
    }
}

/// A seed made of a seed, a name and a number: FNV-1a over the name, then two rounds of splitmix64.
fn derive(seed: u64, name: &str, number: u64) -> u64 {
    let mut hash = FnvHasher::default();
    hash.write(name.as_bytes());
    mix(mix(seed ^ hash.finish()).wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

fn mix(mut value: u64) -> u64 {
    value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forks_do_not_depend_on_what_was_drawn() {
        let fresh = Draw::new(7);
        let mut used = Draw::new(7);
        used.bits();
        assert_eq!(fresh.fork("a", 1).bits(), used.fork("a", 1).bits());
        assert_ne!(fresh.fork("a", 1).bits(), fresh.fork("a", 2).bits());
        assert_ne!(fresh.fork("a", 1).bits(), fresh.fork("b", 1).bits());
    }

    #[test]
    fn ranges_are_kept_and_filled() {
        let mut draw = Draw::new(1);
        let mut seen = [false; 4];
        for _ in 0..200 {
            seen[draw.range(0, 3)] = true;
            assert!((-3..=5).contains(&draw.wide_range(-3, 5)));
        }
        assert_eq!(seen, [true; 4]);
        assert_eq!(draw.range(5, 2), 5);
        assert_eq!(draw.wide_range(i128::MIN, i128::MIN), i128::MIN);
    }
}
