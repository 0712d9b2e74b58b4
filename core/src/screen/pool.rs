//! Pools: what the calls of a tool are put together from. Values that calls were accepted with, as bytes, and fresh ones.

use super::fresh::Fresh;
use crate::generate::Draw;
use crate::schema::CompiledSchema;
use serde_json::Value;

/// Values kept of a parameter.
const KEPT: usize = 64;
/// Longer ones are not kept.
const LONGEST: usize = 2048;
/// Parameters of a tool whose fresh values can be told apart.
const MOST: usize = 64;
/// Refused calls after which a parameter's fresh values are looked at.
const BLAMED: u32 = 6;

/// The values of a parameter.
#[derive(Debug)]
struct Member {
    /// Its name as a request has it, with the colon.
    name: Vec<u8>,
    key: String,
    required: bool,
    fresh: Option<Fresh>,
    /// How often a fresh value was sent, and how often such a call was refused.
    sent: u32,
    blamed: u32,
    values: Vec<Box<[u8]>>,
}

/// What the calls of a tool are put together from.
#[derive(Debug)]
pub(super) struct Pool {
    members: Vec<Member>,
}

impl Pool {
    /// The pool of a tool whose schema says what each parameter may be and nothing of several together.
    pub(super) fn of(schema: &CompiledSchema) -> Option<Self> {
        const KNOWN: &[&str] = &[
            "type",
            "properties",
            "required",
            "additionalProperties",
            "title",
            "description",
            "$schema",
            "$id",
            "$defs",
            "definitions",
        ];
        let read = schema.read().as_object().filter(|_| !schema.is_repaired())?;
        let properties = match read.get("properties") {
            None => None,
            Some(properties) => Some(properties.as_object()?),
        };
        let plain = read.keys().all(|name| KNOWN.contains(&name.as_str()));
        let count = properties.map_or(0, serde_json::Map::len);
        if !plain || count > MOST || read.get("type")?.as_str() != Some("object") {
            return None;
        }
        let needed: Vec<&str> = read
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let declared =
            |name: &str| properties.is_some_and(|properties| properties.contains_key(name));
        if !needed.iter().all(|name| declared(name)) {
            return None;
        }
        let member = |(name, schema): (&String, &Value)| {
            let mut written = Value::from(name.as_str()).to_string().into_bytes();
            written.push(b':');
            Member {
                name: written,
                key: name.clone(),
                required: needed.contains(&name.as_str()),
                fresh: Fresh::of(schema),
                sent: 0,
                blamed: 0,
                values: Vec::new(),
            }
        };
        Some(Self { members: properties.into_iter().flatten().map(member).collect() })
    }

    /// Keeps the values of a call that was accepted.
    pub(super) fn keep(&mut self, arguments: &Value, draw: &mut Draw) {
        for member in &mut self.members {
            let Some(value) = arguments.get(&member.key) else { continue };
            let Ok(bytes) = serde_json::to_vec(value) else { continue };
            if bytes.len() > LONGEST || member.values.iter().any(|known| **known == *bytes) {
                continue;
            }
            if member.values.len() < KEPT {
                member.values.push(bytes.into());
            } else {
                let at = draw.index(KEPT);
                member.values[at] = bytes.into();
            }
        }
    }

    /// Whether there are values for all that a call needs.
    pub(super) fn is_ready(&self) -> bool {
        self.members.iter().all(|member| !member.required || !member.values.is_empty())
    }

    /// Appends the arguments of a call; tells which parameters were given fresh values, as bits.
    pub(super) fn write(&mut self, out: &mut Vec<u8>, draw: &mut Draw) -> u64 {
        let (bits, mut freshened) = (draw.bits(), 0);
        let presence = match bits & 3 {
            0 => 0,
            1 => u64::MAX,
            _ => draw.bits(),
        };
        let freshness = bits.rotate_right(2);
        out.push(b'{');
        let mut separator = false;
        for (at, member) in self.members.iter_mut().enumerate() {
            let bit = 1_u64 << at;
            let fresh = member.fresh.filter(|_| member.values.is_empty() || freshness & bit != 0);
            let some = fresh.is_some() || !member.values.is_empty();
            if !some || (!member.required && presence & bit == 0) {
                continue;
            }
            if separator {
                out.push(b',');
            }
            separator = true;
            out.extend_from_slice(&member.name);
            if let Some(fresh) = fresh {
                fresh.write(out, draw);
                freshened |= bit;
                member.sent += 1;
            } else {
                out.extend_from_slice(&member.values[draw.index(member.values.len())]);
            }
        }
        out.push(b'}');
        freshened
    }

    /// Learns that a call with these fresh values was refused: what only some values do is not asked for at random.
    pub(super) fn blame(&mut self, freshened: u64) {
        for (at, member) in self.members.iter_mut().enumerate() {
            if freshened & (1 << at) == 0 {
                continue;
            }
            member.blamed += 1;
            if member.blamed >= BLAMED && member.blamed.saturating_mul(4) > member.sent {
                member.fresh = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Dialect;
    use serde_json::json;

    fn schema(raw: &Value) -> CompiledSchema {
        CompiledSchema::compile(raw, Dialect::Draft202012).expect("a schema")
    }

    #[test]
    fn calls_are_valid_whatever_they_are_put_together_from() {
        let schema = schema(
            &json!({"type": "object", "required": ["kind", "n"], "additionalProperties": false, "properties": {
                "kind": {"enum": ["a", "b"]}, "n": {"type": "integer", "minimum": 3}, "when": {"type": "string", "format": "date"},
            }}),
        );
        let mut pool = Pool::of(&schema).expect("a plain schema");
        assert!(!pool.is_ready());
        let mut draw = Draw::new(3);
        pool.keep(&json!({"kind": "a", "n": 5}), &mut draw);
        pool.keep(&json!({"kind": "b", "n": 5, "when": "2024-01-01"}), &mut draw);
        assert!(pool.is_ready());
        let mut different = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let mut out = Vec::new();
            pool.write(&mut out, &mut draw);
            let value: Value = serde_json::from_slice(&out).expect("JSON");
            assert!(schema.is_valid(&value), "{value}");
            different.insert(value.to_string());
        }
        assert!(different.len() > 50);
    }

    #[test]
    fn what_depends_on_several_parameters_has_no_pool() {
        for raw in [
            json!({"type": "object", "properties": {}, "dependentRequired": {"a": ["b"]}}),
            json!({"type": "object", "anyOf": [{"required": ["a"]}]}),
            json!({"type": "object", "required": ["a"]}),
        ] {
            assert!(Pool::of(&schema(&raw)).is_none(), "{raw}");
        }
    }

    #[test]
    fn fresh_values_that_are_refused_are_given_up() {
        let schema = schema(
            &json!({"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}),
        );
        let mut pool = Pool::of(&schema).expect("a plain schema");
        let mut draw = Draw::new(3);
        pool.keep(&json!({"city": "Paris"}), &mut draw);
        for _ in 0..100 {
            let freshened = pool.write(&mut Vec::new(), &mut draw);
            pool.blame(freshened);
        }
        let mut out = Vec::new();
        assert_eq!(pool.write(&mut out, &mut draw), 0);
        assert_eq!(out, br#"{"city":"Paris"}"#);
    }
}
