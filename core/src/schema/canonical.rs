//! The canonical form of a schema, and the plan made from it.
//!
//! The canonical form folds `allOf`, conditionals, dependencies and negations into plain constraints. Its interface is
//! experimental; this is the only module that uses it.

use std::collections::HashMap;

use jsonschema::{
    JsonType, JsonTypeSet, PatternOptions,
    canonical::{
        self, ArrayView, CanonicalKind, CanonicalSchema, CanonicalView, Distinctness, IntegerView,
        NumberView, ObjectView, StringView,
    },
};
use serde_json::{Number, Value};

use super::{
    Decimal, Dialect, Pattern,
    plan::{
        Bound, Contains, Distinct, List, Members, NodeId, Numeric, Plan, Property, Shape, Text,
    },
    validator::Formats,
    walk,
};

/// Lengths above this are not built; a bound beyond it reads as this.
const LARGEST_SIZE: u64 = 1 << 32;

/// Schemas with more alternatives than this are not brought into canonical form.
const MAX_CASES: usize = 40;

/// The plan of `schema` by way of its canonical form; `None` where that form cannot express it.
/// `order` ranks property names as the document has them.
pub(super) fn plan(schema: &Value, dialect: Dialect, order: &HashMap<&str, usize>) -> Option<Plan> {
    if is_explosive(schema) {
        return None;
    }
    let root = canonical::options()
        .with_draft(dialect.draft())
        .offline()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex())
        .canonicalize(schema)
        .ok()?;
    if root.kind() == CanonicalKind::Raw {
        return None;
    }
    let mut lowering = Lowering {
        plan: Plan::new(),
        references: HashMap::new(),
        pending: Vec::new(),
        root: &root,
        dialect,
        order,
    };
    lowering.plan.root = lowering.node(&root);
    while let Some((id, target)) = lowering.pending.pop() {
        let node = lowering.node(&target);
        lowering.plan.set(id, Shape::Link(node));
    }
    let mut plan = lowering.plan;
    plan.settle();
    Some(plan)
}

/// Whether the canonical form, which writes conditions out as alternatives, would be far larger than the schema.
fn is_explosive(schema: &Value) -> bool {
    let mut explosive = false;
    walk::visit(schema, &mut |_, inner| explosive |= cases(inner, 0) > MAX_CASES);
    explosive
}

/// The number of alternatives that one schema is a product of.
fn cases(schema: &Value, depth: usize) -> usize {
    let Value::Object(members) = schema else {
        return 1;
    };
    let list = |key: &str| match members.get(key) {
        Some(Value::Array(items)) => items.as_slice(),
        _ => &[],
    };
    if depth > 8 {
        return 1;
    }
    let inner =
        |items: &[Value]| items.iter().map(|item| cases(item, depth + 1)).collect::<Vec<_>>();
    let mut total: usize = inner(list("allOf")).into_iter().fold(1, usize::saturating_mul);
    for keyword in ["anyOf", "oneOf"] {
        let sum = inner(list(keyword)).into_iter().fold(0, usize::saturating_add);
        total = total.saturating_mul(sum.max(1));
    }
    if members.contains_key("if") {
        total = total.saturating_mul(2);
    }
    for keyword in ["dependentRequired", "dependentSchemas", "dependencies"] {
        if let Some(Value::Object(dependents)) = members.get(keyword) {
            let doubled = u32::try_from(dependents.len()).unwrap_or(u32::MAX);
            total = total.saturating_mul(2_usize.checked_pow(doubled).unwrap_or(usize::MAX));
        }
    }
    total
}

struct Lowering<'a> {
    plan: Plan,
    references: HashMap<String, NodeId>,
    pending: Vec<(NodeId, CanonicalSchema)>,
    root: &'a CanonicalSchema,
    dialect: Dialect,
    order: &'a HashMap<&'a str, usize>,
}

impl Lowering<'_> {
    fn node(&mut self, schema: &CanonicalSchema) -> NodeId {
        let shape = match schema.view() {
            CanonicalView::True | CanonicalView::Raw(_) => Shape::Any,
            CanonicalView::False => Shape::Never,
            CanonicalView::MultiType(types) => return self.types(types),
            CanonicalView::TypedGroup(group) => {
                let ty = self.types(JsonTypeSet::empty().insert(group.ty));
                let body = self.node(&group.body);
                Shape::All(vec![body, ty])
            }
            CanonicalView::String(view) => self.text(&view),
            CanonicalView::Integer(view) => integer(&view),
            CanonicalView::Number(view) => number(&view),
            CanonicalView::Array(view) => self.list(&view),
            CanonicalView::Object(view) => self.members(&view),
            CanonicalView::Const(value) => Shape::Fixed(vec![value]),
            CanonicalView::Enum(values) => Shape::Fixed(values),
            CanonicalView::Not(inner) => {
                let rest = inner
                    .negate()
                    .ok()
                    .filter(|rest| rest.kind() != CanonicalKind::Not)
                    .map(|rest| self.node(&rest));
                Shape::Not(self.node(&inner), rest)
            }
            CanonicalView::AllOf(branches) => return self.all(&branches),
            CanonicalView::AnyOf(branches) => Shape::Some(self.nodes(&branches)),
            CanonicalView::OneOf(branches) => Shape::One(self.nodes(&branches)),
            CanonicalView::Reference(uri) => return self.reference(&uri),
        };
        self.plan.add(shape)
    }

    fn nodes(&mut self, schemas: &[CanonicalSchema]) -> Vec<NodeId> {
        schemas.iter().map(|schema| self.node(schema)).collect()
    }

    /// What several schemas ask together: one schema where they can be folded.
    fn all(&mut self, branches: &[CanonicalSchema]) -> NodeId {
        let mut folded: Option<CanonicalSchema> = None;
        for branch in branches {
            let next = match &folded {
                None => Ok(branch.clone()),
                Some(so_far) => so_far.intersect(branch),
            };
            folded = next.ok();
            if folded.is_none() {
                break;
            }
        }
        match folded {
            Some(folded) if folded.kind() != CanonicalKind::AllOf => self.node(&folded),
            _ => {
                let nodes = self.nodes(branches);
                self.plan.add(Shape::All(nodes))
            }
        }
    }

    /// A reference: the node is set when its target's turn comes, so that chains of references do not recurse.
    fn reference(&mut self, uri: &str) -> NodeId {
        if let Some(id) = self.references.get(uri) {
            return *id;
        }
        let Some(target) = self.root.definition(uri) else {
            return Plan::ANY;
        };
        let id = self.plan.add(Shape::Link(Plan::ANY));
        self.references.insert(uri.to_owned(), id);
        self.pending.push((id, target));
        id
    }

    fn types(&mut self, types: JsonTypeSet) -> NodeId {
        if types == JsonTypeSet::all() {
            return Plan::ANY;
        }
        let mut shapes = Vec::new();
        for ty in &types {
            shapes.push(match ty {
                JsonType::Null => Shape::Null,
                JsonType::Boolean => Shape::Boolean,
                JsonType::String => Shape::Text(Box::default()),
                JsonType::Integer if types.contains(JsonType::Number) => continue,
                JsonType::Integer => {
                    Shape::Number(Box::new(Numeric { integer: true, ..Numeric::default() }))
                }
                JsonType::Number => Shape::Number(Box::default()),
                JsonType::Array => Shape::Array(Box::new(List::free())),
                JsonType::Object => Shape::Object(Box::new(Members::free())),
            });
        }
        let nodes: Vec<NodeId> = shapes.into_iter().map(|shape| self.plan.add(shape)).collect();
        match nodes[..] {
            [only] => only,
            _ => self.plan.add(Shape::Some(nodes)),
        }
    }

    fn text(&self, view: &StringView) -> Shape {
        let patterns = |sources: &[String]| {
            sources.iter().map(|source| Pattern::new(source)).collect::<Vec<_>>()
        };
        Shape::Text(Box::new(Text {
            min: size(view.min_length.as_ref()).unwrap_or(0),
            max: size(view.max_length.as_ref()),
            patterns: patterns(&view.patterns),
            not_patterns: patterns(&view.excluded_patterns),
            formats: Formats::new(&view.formats, &view.excluded_formats, self.dialect),
            media: view.content_media_types.first().cloned(),
            encoding: view.content_encodings.first().cloned(),
            excluded: view.excluded.clone(),
        }))
    }

    /// A list of allowed names that are all declared is a closed object; the canonical form writes it that way.
    fn closed(
        &self,
        properties: &[Property],
        patterns: &[(Pattern, NodeId)],
        additional: NodeId,
        names: Option<NodeId>,
    ) -> (NodeId, Option<NodeId>) {
        let is_declared =
            |name: &Value| properties.iter().any(|property| name.as_str() == Some(&property.name));
        match names.map(|names| self.plan.shape(names)) {
            Some(Shape::Fixed(allowed))
                if patterns.is_empty() && allowed.iter().all(is_declared) =>
            {
                (Plan::NEVER, None)
            }
            _ => (additional, names),
        }
    }

    fn list(&mut self, view: &ArrayView) -> Shape {
        let prefix = self.nodes(&view.prefix_items);
        let items = view.items.as_ref().map_or(Plan::ANY, |items| self.node(items));
        let contains = view
            .contains
            .iter()
            .map(|contains| Contains {
                node: self.node(&contains.schema),
                min: size(contains.min_contains.as_ref()).unwrap_or(1),
                max: size(contains.max_contains.as_ref()),
            })
            .collect();
        Shape::Array(Box::new(List {
            min: size(view.min_items.as_ref()).unwrap_or(0),
            max: size(view.max_items.as_ref()),
            distinct: match view.distinctness {
                Distinctness::AllDistinct => Distinct::Unique,
                Distinctness::SomeRepeated => Distinct::SomeEqual,
                Distinctness::Unconstrained => Distinct::Free,
            },
            prefix,
            items,
            contains,
        }))
    }

    fn members(&mut self, view: &ObjectView) -> Shape {
        let patterns: Vec<(Pattern, NodeId)> = view
            .pattern_properties
            .iter()
            .map(|(pattern, schema)| (Pattern::new(pattern), self.node(schema)))
            .collect();
        let additional =
            view.additional_properties.as_ref().map_or(Plan::ANY, |schema| self.node(schema));
        let mut properties: Vec<Property> = view
            .properties
            .iter()
            .map(|(name, schema)| Property {
                name: name.clone(),
                node: self.node(schema),
                required: view.required.contains(name),
            })
            .collect();
        let names = view.property_names.as_ref().map(|names| self.node(names));
        for name in &view.required {
            if !view.properties.contains_key(name) {
                let mut claims: Vec<NodeId> = patterns
                    .iter()
                    .filter(|(pattern, _)| pattern.matches(name))
                    .map(|(_, node)| *node)
                    .collect();
                if claims.is_empty() {
                    claims.push(additional);
                }
                let node = self.plan.all_of(claims);
                properties.push(Property { name: name.clone(), node, required: true });
            }
        }
        let (additional, names) = self.closed(&properties, &patterns, additional, names);
        properties.sort_by_key(|property| {
            self.order.get(property.name.as_str()).copied().unwrap_or(usize::MAX)
        });
        Shape::Object(Box::new(Members {
            properties,
            patterns,
            additional,
            names,
            min: size(view.min_properties.as_ref()).unwrap_or(0),
            max: size(view.max_properties.as_ref()),
        }))
    }
}

fn integer(view: &IntegerView) -> Shape {
    Shape::Number(Box::new(Numeric {
        integer: true,
        min: bound(view.minimum.as_ref(), false),
        max: bound(view.maximum.as_ref(), false),
        step: step(&view.multiple_of),
        not_steps: decimals(&view.not_multiple_of),
    }))
}

fn number(view: &NumberView) -> Shape {
    let mut not_steps = decimals(&view.not_multiple_of);
    if view.excludes_integers {
        not_steps.push(Decimal::ONE);
    }
    Shape::Number(Box::new(Numeric {
        integer: false,
        min: bound(view.minimum.as_ref(), view.exclusive_minimum),
        max: bound(view.maximum.as_ref(), view.exclusive_maximum),
        step: step(&view.multiple_of),
        not_steps,
    }))
}

fn bound(number: Option<&Number>, open: bool) -> Option<Bound> {
    Some(Bound { value: Decimal::from_number(number?)?, open })
}

fn decimals(numbers: &[Number]) -> Vec<Decimal> {
    numbers.iter().filter_map(Decimal::from_number).collect()
}

/// The least common multiple of the divisors.
fn step(divisors: &[Number]) -> Option<Decimal> {
    decimals(divisors).into_iter().reduce(|a, b| a.common_multiple(b).unwrap_or(a))
}

fn size(number: Option<&Number>) -> Option<usize> {
    let decimal = Decimal::from_number(number?)?.to_integer()?;
    let size = u64::try_from(decimal).unwrap_or(0).min(LARGEST_SIZE);
    usize::try_from(size).ok()
}
