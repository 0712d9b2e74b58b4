//! Texts: what became of the texts that a call sent.

use serde_json::{Map, Value};

/// What is wrong with a text as it is shown.
pub(super) enum Damage {
    /// Only the beginning is there: the member, and how many characters.
    Cut(String, usize),
    /// Other characters stand for those beyond ASCII.
    Replaced(String),
}

impl Damage {
    /// Whether characters were replaced, rather than left out.
    pub(super) fn is_of_characters(&self) -> bool {
        matches!(self, Self::Replaced(_))
    }

    /// As rule and words.
    pub(super) fn told(self) -> (String, String) {
        match self {
            Self::Cut(name, count) => (
                format!("{name} cut"),
                format!("shows only the first {count} characters of `{name}`"),
            ),
            Self::Replaced(name) => (
                format!("{name} damaged"),
                format!("shows other characters for those beyond ASCII in `{name}`"),
            ),
        }
    }
}

/// Text that was cut, or lost its characters beyond ASCII; also inside of lists and objects.
pub(super) fn damaged(sent: &Map<String, Value>, stored: &Map<String, Value>) -> Vec<Damage> {
    let mut faults = Vec::new();
    for (name, value) in sent {
        let Some(shown) = stored.get(name) else {
            continue;
        };
        let mut texts = Vec::new();
        pair(value, shown, &mut texts);
        let found = texts.into_iter().find_map(|(sent, stored)| damage(name, sent, stored));
        faults.extend(found);
    }
    faults
}

/// The texts of two values that stand at the same places.
fn pair<'v>(sent: &'v Value, shown: &'v Value, out: &mut Vec<(&'v str, &'v str)>) {
    match (sent, shown) {
        (Value::String(sent), Value::String(shown)) => out.push((sent, shown)),
        (Value::Array(sent), Value::Array(shown)) if sent.len() == shown.len() => {
            sent.iter().zip(shown).for_each(|(sent, shown)| pair(sent, shown, out));
        }
        (Value::Object(sent), Value::Object(shown)) => {
            for (name, value) in sent {
                if let Some(shown) = shown.get(name) {
                    pair(value, shown, out);
                }
            }
        }
        _ => {}
    }
}

fn damage(name: &str, sent: &str, stored: &str) -> Option<Damage> {
    let (sent, stored) = (sent.trim(), stored.trim());
    let cut = sent.chars().count() >= 40
        && !stored.is_empty()
        && stored.len() < sent.len()
        && sent.starts_with(stored);
    let replaced = !sent.is_ascii() && stored != sent && same_but_replaced(sent, stored);
    if cut {
        Some(Damage::Cut(name.to_owned(), stored.chars().count()))
    } else if replaced {
        Some(Damage::Replaced(name.to_owned()))
    } else {
        None
    }
}

/// Whether `stored` is `sent` with question marks or the like in place of the characters beyond ASCII, or its bytes read as Latin-1.
fn same_but_replaced(sent: &str, stored: &str) -> bool {
    let latin: String = sent.bytes().map(char::from).collect();
    let mut plain = sent.chars().filter(char::is_ascii);
    let marks = |c: &char| matches!(c, '?' | '\u{fffd}' | '\u{25a1}');
    let kept = stored.chars().filter(|c| !marks(c));
    stored == latin
        || (stored.chars().any(|c| marks(&c)) && kept.eq(plain.by_ref().filter(|c| *c != '?')))
}
