//! Compiling a schema: dialect, repair, validators, plan and parameters.

use std::{collections::HashMap, sync::OnceLock};

use serde_json::Value;

use super::{
    Dialect, Parameter, Parameters, SchemaError, Violation, canonical,
    dialect::detect,
    find,
    nesting::{self, MAX_SCHEMA_DEPTH},
    plan::Plan,
    references,
    repair::{self, Unknown},
    structural, tighten,
    validator::{self, Validator},
    walk,
};

/// In a schema with this many references the levels are counted on an ordinary stack.
const FEW_REFERENCES: usize = 64;

/// The longest chain of references and nesting, in levels, that is followed.
const MAX_LEVELS: usize = 3_000;

/// A schema that has been compiled: it judges values, explains what is wrong with them, and is what values are built from.
///
/// Validators for judging are compiled at once; what generation needs is compiled when it is first asked for.
pub struct CompiledSchema {
    raw: Value,
    /// What is compiled: the raw schema, or its repaired copy.
    read: Value,
    dialect: Dialect,
    defects: Vec<SchemaError>,
    repaired: bool,
    about: String,
    judge: Validator,
    /// Levels of nesting, if the schema is so deep that whoever follows it needs a larger stack.
    deep: Option<usize>,
    generation: OnceLock<Generation>,
    parameters: OnceLock<Parameters>,
}

/// What building values needs.
struct Generation {
    plan: Plan,
    /// Judges built values: formats are asserted, numeric formats are bounds.
    strict: Option<Validator>,
}

impl CompiledSchema {
    /// Compiles a schema as well as it can be. A schema with faults is repaired, its faults are in
    /// [`CompiledSchema::defects`]. `default` is the dialect of schemas without `$schema`.
    ///
    /// An error means that nothing can be built or judged: the document is no schema, or nested too deeply.
    pub fn compile(raw: &Value, default: Dialect) -> Result<Self, SchemaError> {
        let (dialect, unknown) = detect(raw, default);
        let mut defects: Vec<SchemaError> =
            unknown.map(|uri| SchemaError::UnknownDialect { uri }).into_iter().collect();
        if !raw.is_object() && !raw.is_boolean() {
            return Err(SchemaError::NotASchema { found: repair::kind(raw) });
        }
        let deep = depth(raw)?;
        let (read, judge, found) = nesting::with_levels(deep, || read(raw, dialect))
            .unwrap_or_else(|| Err(gave_up("it is nested too deeply")))?;
        let repaired = !found.is_empty();
        defects.extend(found);
        Ok(Self {
            raw: raw.clone(),
            read,
            dialect,
            defects,
            repaired,
            about: String::new(),
            deep,
            judge,
            generation: OnceLock::new(),
            parameters: OnceLock::new(),
        })
    }

    /// Compiles a schema that has no fault; the first fault otherwise.
    pub fn compile_strict(raw: &Value, default: Dialect) -> Result<Self, SchemaError> {
        let schema = Self::compile(raw, default)?;
        match schema.defects.first() {
            None => Ok(schema),
            Some(defect) => Err(defect.clone()),
        }
    }

    /// Adds the description of the tool that the schema belongs to: hints for parameters are mined from it, too.
    #[must_use]
    pub fn with_description(mut self, description: &str) -> Self {
        description.clone_into(&mut self.about);
        self.parameters = OnceLock::new();
        self
    }

    /// The schema as the server sent it.
    pub fn raw(&self) -> &Value {
        &self.raw
    }

    /// The schema that is compiled: the raw one, or its repaired copy.
    pub fn read(&self) -> &Value {
        &self.read
    }

    /// The dialect by which the schema is read.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The faults of the schema; empty for a good one.
    pub fn defects(&self) -> &[SchemaError] {
        &self.defects
    }

    /// Whether a repaired copy is used in place of the schema. Verdicts are then only as good as the repair.
    pub fn is_repaired(&self) -> bool {
        self.repaired
    }

    /// Whether `value` is valid. Formats are annotations, as the specification has them.
    pub fn is_valid(&self, value: &Value) -> bool {
        self.follow(value, || self.judge.is_valid(value)).unwrap_or(false)
    }

    /// Every way in which `value` is invalid; empty if it is valid.
    pub fn violations(&self, value: &Value) -> Vec<Violation> {
        let collect =
            || self.judge.iter_errors(value).map(|error| Violation::from_error(&error)).collect();
        self.follow(value, collect).unwrap_or_default()
    }

    /// Whether `value` is an object that is valid, with formats asserted and numeric formats read as bounds, too: the
    /// rule for values that are built.
    pub fn is_valid_input(&self, value: &Value) -> bool {
        let strict = self.generation().strict.as_ref();
        // The narrowed copy is no narrower under a negation, so both have a say.
        let check = || {
            value.is_object()
                && self.judge.is_valid(value)
                && strict.is_none_or(|strict| strict.is_valid(value))
        };
        self.follow(value, check).unwrap_or(false)
    }

    /// Whether the schema may have a valid arguments object at all. `false` is certain.
    pub fn is_satisfiable(&self) -> bool {
        self.plan().is_possible()
    }

    /// The leaf parameters: every place in the arguments that takes a scalar or a free-form value.
    pub fn parameters(&self) -> &[Parameter] {
        self.all_parameters().list()
    }

    /// The parameters with the tree that finds them by place.
    pub fn all_parameters(&self) -> &Parameters {
        self.parameters.get_or_init(|| {
            nesting::with_levels(self.deep, || find::parameters(self)).unwrap_or_default()
        })
    }

    /// Whether `value` may stand at `parameter`, as far as the schema of that place tells alone.
    pub fn accepts(&self, parameter: &Parameter, value: &Value) -> bool {
        let plan = self.plan();
        parameter.nodes.iter().any(|node| plan.accepts(*node, value))
    }

    /// Runs `work`, which follows `value` and the schema, on a stack that is large enough for both.
    fn follow<T: Send>(&self, value: &Value, work: impl FnOnce() -> T + Send) -> Option<T> {
        nesting::with_levels(nesting::deep(value).max(self.deep), work)
    }

    /// The tool's description, as far as it was given.
    pub(super) fn about(&self) -> &str {
        &self.about
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.generation().plan
    }

    fn generation(&self) -> &Generation {
        self.generation.get_or_init(|| {
            nesting::with_levels(self.deep, || prepare(&self.read, self.dialect))
                .unwrap_or_else(|| Generation { plan: structural::anything(), strict: None })
        })
    }
}

impl std::fmt::Debug for CompiledSchema {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("CompiledSchema")
            .field("raw", &self.raw)
            .field("dialect", &self.dialect)
            .field("defects", &self.defects)
            .finish_non_exhaustive()
    }
}

/// How deep one gets in the schema, if so deep that following it needs a larger stack.
fn depth(raw: &Value) -> Result<Option<usize>, SchemaError> {
    if nesting::deeper_than(raw, MAX_SCHEMA_DEPTH) {
        return Err(SchemaError::TooDeep { limit: MAX_SCHEMA_DEPTH });
    }
    let nested = nesting::deep(raw);
    let references = references::count(raw);
    if references == 0 {
        return Ok(nested);
    }
    // Chains of references go as deep as nesting does, however few they are: each may lead from the bottom of one part to the
    // top of another.
    let many = (references > FEW_REFERENCES).then_some(references);
    let levels = nesting::with_levels(many, || references::levels(raw));
    match levels {
        Some(levels) if levels > MAX_LEVELS => Err(SchemaError::TooDeep { limit: MAX_LEVELS }),
        Some(levels) if levels > nesting::SHALLOW => Ok(Some(levels.max(nested.unwrap_or(0)))),
        Some(_) => Ok(nested),
        None => Err(gave_up("its references are chained too deeply")),
    }
}

fn gave_up(reason: &str) -> SchemaError {
    SchemaError::Unsupported { message: reason.to_owned() }
}

/// The copy of `raw` that compiles, its validator, and the faults that made a copy necessary.
fn read(
    raw: &Value,
    dialect: Dialect,
) -> Result<(Value, Validator, Vec<SchemaError>), SchemaError> {
    let plain = without_dialect(raw);
    let error = match validator::build(&plain, dialect, false) {
        Ok(judge) => return Ok((plain, judge, Vec::new())),
        Err(error) => validator::explain(&error, raw),
    };
    let mut defects = repair::faults(&plain, dialect);
    defects.extend(references::unresolved(&plain));
    if defects.is_empty() {
        defects.push(error);
    }
    for unknown in [Unknown::Nothing, Unknown::Anything] {
        let copy = repair::repaired(&plain, dialect, unknown);
        let Ok(judge) = validator::build(&copy, dialect, false) else {
            continue;
        };
        if unknown == Unknown::Anything || prepare(&copy, dialect).plan.is_possible() {
            return Ok((copy, judge, defects));
        }
    }
    Err(defects.swap_remove(0))
}

/// The schema without `$schema`: the dialect has been told from it, and unknown ones stop the compiler.
fn without_dialect(raw: &Value) -> Value {
    let mut copy = raw.clone();
    walk::change(&mut copy, &mut |inner| {
        if let Value::Object(members) = inner {
            members.shift_remove("$schema");
        }
    });
    copy
}

/// The plan and the strict validator, from the narrowed copy where that one can be satisfied.
fn prepare(read: &Value, dialect: Dialect) -> Generation {
    let tight = tighten::tightened(read, dialect);
    let order = property_order(read);
    let plan_of = |schema: &Value| {
        canonical::plan(schema, dialect, &order)
            .unwrap_or_else(|| structural::plan(schema, dialect))
    };
    let plan = plan_of(&tight);
    if plan.is_possible() {
        return Generation { plan, strict: validator::build(&tight, dialect, true).ok() };
    }
    Generation { plan: plan_of(&tighten::object_only(read)), strict: None }
}

/// Ranks property names by where they first stand in the document.
fn property_order(schema: &Value) -> HashMap<&str, usize> {
    let mut order = HashMap::new();
    walk::visit(schema, &mut |_, inner| {
        if let Some(Value::Object(properties)) = inner.get("properties") {
            for name in properties.keys() {
                let rank = order.len();
                order.entry(name.as_str()).or_insert(rank);
            }
        }
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Bias, Draw, positive};
    use serde_json::json;

    /// A chain of parts, each the next one's at the bottom of a few levels.
    fn chain(parts: usize, levels: usize) -> Value {
        let part = |number: usize| {
            let mut schema = if number + 1 < parts {
                json!({"$ref": format!("#/$defs/p{}", number + 1)})
            } else {
                json!({"type": "integer"})
            };
            for _ in 0..levels {
                schema = json!({"allOf": [schema]});
            }
            (format!("p{number}"), schema)
        };
        let parts: serde_json::Map<String, Value> = (0..parts).map(part).collect();
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/p0"}}, "$defs": parts})
    }

    #[test]
    fn a_few_references_between_deep_parts_are_followed_on_a_larger_stack() {
        let work = || {
            let schema = CompiledSchema::compile(&chain(40, 6), Dialect::Draft202012).unwrap();
            assert!(schema.deep.is_some());
            assert!(schema.is_valid(&json!({"a": 1})) && !schema.is_valid(&json!({"a": "x"})));
            assert!(!schema.parameters().is_empty());
            assert!(positive(&schema, &mut Draw::new(1), &Bias::default()).is_some());
        };
        let small = std::thread::Builder::new().stack_size(1024 * 1024).spawn(work).unwrap();
        small.join().unwrap();
        let plain = CompiledSchema::compile(&chain(3, 2), Dialect::Draft202012).unwrap();
        assert!(plain.deep.is_none());
    }
}
