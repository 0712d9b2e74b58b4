//! A hash for tables that the engine asks several times a call: a few instructions a word, without a key. What is in them comes
//! from one server, which can only make its own test slower, and nothing depends on their order.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table with the quick hash.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// The state of a hash.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Quick(u64);

/// An odd number with bits all over.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Quick {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }

    fn finish(&self) -> u64 {
        // The table looks at the lowest and the highest bits; the product's best ones are the highest.
        self.0.rotate_left(26)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::hash::{BuildHasher, Hash};

    #[test]
    fn like_names_have_different_hashes() {
        let build = BuildHasherDefault::<Quick>::default();
        let hash = |value: &dyn Fn(&mut Quick)| {
            let mut state = build.build_hasher();
            value(&mut state);
            state.finish()
        };
        let names = (0..2_000).map(|n| format!("/items/{n}/id"));
        let hashes: HashSet<u64> = names.map(|name| hash(&|h| name.hash(h))).collect();
        assert_eq!(hashes.len(), 2_000);
        let low: HashSet<u64> = hashes.iter().map(|hash| hash & 0xff).collect();
        let high: HashSet<u64> = hashes.iter().map(|hash| hash >> 57).collect();
        assert_eq!((low.len(), high.len()), (256, 128));
    }
}
