//! The parameters of a tool: the places in its arguments that take a scalar or a free-form value.

use serde_json::Value;

use super::plan::NodeId;

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct JsonTypes(u8);

impl JsonTypes {
    /// No type.
    pub const NONE: Self = Self(0);
    /// `null`.
    pub const NULL: Self = Self(1);
    /// `boolean`.
    pub const BOOLEAN: Self = Self(2);
    /// `integer`.
    pub const INTEGER: Self = Self(4);
    /// `number`; does not imply `integer` as a set, though every integer is a number.
    pub const NUMBER: Self = Self(8);
    /// `string`.
    pub const STRING: Self = Self(16);
    /// `array`.
    pub const ARRAY: Self = Self(32);
    /// `object`.
    pub const OBJECT: Self = Self(64);
    /// Every type.
    pub const ALL: Self = Self(127);

    /// Whether all of `other` is in the set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether some of `other` is in the set.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a string, number, integer or boolean is allowed.
    pub const fn has_scalar(self) -> bool {
        self.intersects(Self(2 | 4 | 8 | 16))
    }

    /// The type of a value; whole numbers are integers.
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number.is_f64() => Self::NUMBER,
            Value::Number(_) => Self::INTEGER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// The type of a name in `type`; every integer is a number.
    pub(super) fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER.with(Self::INTEGER),
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::NONE,
        }
    }
}

/// A place in the arguments that takes a scalar or a free-form value.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// JSON Pointer in the arguments; elements of arrays have index 0.
    pub pointer: String,
    /// Whether the place is inside an array, so that other indices are the same parameter.
    pub in_array: bool,
    /// The name of the innermost property; empty for the root.
    pub name: String,
    /// The words of the name: lower case, singular.
    pub tokens: Vec<String>,
    /// The words of the whole path, outermost first, without repetition.
    pub path_tokens: Vec<String>,
    /// The types that are allowed.
    pub types: JsonTypes,
    /// Whether the property, and every object around it, is required.
    pub required: bool,
    /// The description; of the array for its elements.
    pub description: Option<String>,
    /// The `default`.
    pub default: Option<Value>,
    /// `examples` and `example`.
    pub examples: Vec<Value>,
    /// The members of `enum` and `const`, over all branches.
    pub choices: Vec<Value>,
    /// The `format`.
    pub format: Option<String>,
    /// Values that are likely to mean something to the server, the best first. All are accepted by the parameter's schema.
    pub hints: Vec<Value>,
    /// JSON Pointer, in the schema, of the schema that describes the place first.
    pub schema_pointer: String,
    pub(crate) nodes: Vec<NodeId>,
}

/// The parameters of a schema, and the tree that finds them by place.
#[derive(Debug, Default)]
pub struct Parameters {
    pub(super) list: Vec<Parameter>,
    pub(super) spots: Vec<SpotNode>,
}

/// A place on the way to a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spot(pub(super) u32);

/// What is known of a place: the places in it, and the index of its parameter.
#[derive(Debug, Default)]
pub(super) struct SpotNode {
    pub(super) children: Vec<(String, Spot)>,
    pub(super) items: Option<Spot>,
    pub(super) parameter: Option<usize>,
}

impl Parameters {
    /// The parameters in the order of the schema.
    pub fn list(&self) -> &[Parameter] {
        &self.list
    }

    /// The parameter at a JSON Pointer; every index of an array is the same place.
    pub fn at(&self, pointer: &str) -> Option<&Parameter> {
        let mut spot = self.root()?;
        for token in pointer.split('/').skip(1) {
            let name = crate::pointer::unescape(token);
            spot = match self.child(spot, &name) {
                Some(child) => child,
                None => self.item(spot).filter(|_| token.parse::<usize>().is_ok())?,
            };
        }
        self.parameter(spot)
    }

    pub(crate) fn root(&self) -> Option<Spot> {
        (!self.spots.is_empty()).then_some(Spot(0))
    }

    pub(crate) fn child(&self, spot: Spot, name: &str) -> Option<Spot> {
        let node = &self.spots[spot.0 as usize];
        let (_, child) = node.children.iter().find(|(child, _)| child == name)?;
        Some(*child)
    }

    pub(crate) fn item(&self, spot: Spot) -> Option<Spot> {
        self.spots[spot.0 as usize].items
    }

    pub(crate) fn parameter(&self, spot: Spot) -> Option<&Parameter> {
        self.spots[spot.0 as usize].parameter.map(|index| &self.list[index])
    }
}
