//! Strings that match a pattern.

use super::Draw;
use crate::schema::{Pattern, Piece};

/// Code points that one sample may have.
const MAX_LENGTH: usize = 10_000;

/// Share of characters outside of ASCII where a class has both kinds.
const EXOTIC: f64 = 0.03;

/// A string sampled from a pattern's tree. Anchors and look-around are not looked at: the caller matches the result.
/// Repetitions go up to `extra` beyond their minimum.
pub(super) fn sample(pattern: &Pattern, extra: usize, draw: &mut Draw) -> Option<String> {
    let mut out = String::new();
    grow(pattern.piece.as_ref()?, extra, draw, &mut out);
    Some(out)
}

fn grow(piece: &Piece, extra: usize, draw: &mut Draw, out: &mut String) {
    if out.len() > MAX_LENGTH {
        return;
    }
    match piece {
        Piece::Text(text) => out.push_str(text),
        Piece::Set { ascii, ranges } => out.extend(character(ascii, ranges, draw)),
        Piece::Repeat { min, max, inner } => {
            let low = *min as usize;
            let high = max.map_or(usize::MAX, |max| max as usize).min(low + extra);
            for _ in 0..draw.range(low, high) {
                grow(inner, extra, draw, out);
                if out.len() > MAX_LENGTH {
                    return;
                }
            }
        }
        Piece::Sequence(parts) => {
            for part in parts {
                grow(part, extra, draw, out);
            }
        }
        Piece::OneOf(parts) => {
            if let Some(part) = draw.pick(parts) {
                grow(part, extra, draw, out);
            }
        }
    }
}

/// A member of a class: mostly letters and digits, where it has them.
fn character(ascii: &[char], ranges: &[(char, char)], draw: &mut Draw) -> Option<char> {
    if !ascii.is_empty() && !draw.chance(EXOTIC) {
        for _ in 0..3 {
            let c = *draw.pick(ascii)?;
            if c.is_ascii_alphanumeric() {
                return Some(c);
            }
        }
        return draw.pick(ascii).copied();
    }
    let (low, high) = *draw.pick(ranges)?;
    let offset = draw.below(u64::from(u32::from(high)) - u64::from(u32::from(low)) + 1);
    let code = u32::from(low) + u32::try_from(offset).unwrap_or(0);
    // Surrogates are no characters; NUL is never sent by chance.
    char::from_u32(code).filter(|c| *c != '\0').or(Some(high))
}
