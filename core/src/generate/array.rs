//! Arrays of a shape.

use serde_json::Value;

use super::maker::Maker;
use crate::schema::{
    Spot, has_equal,
    plan::{Contains, Distinct, List, NodeId},
    same,
};

/// Most elements of an array that is built.
pub(super) const MOST_ITEMS: usize = 2_000;

/// Tries at an element that differs from the others.
const TRIES: usize = 12;

impl<'a> Maker<'a> {
    /// An array that has all of several shapes.
    pub(super) fn array(&mut self, lists: &[&'a List], spot: Option<Spot>) -> Option<Value> {
        let min = lists.iter().map(|list| list.min).max().unwrap_or(0);
        let max = lists.iter().filter_map(|list| list.max).min().unwrap_or(usize::MAX);
        let wanted: Vec<&Contains> = lists.iter().flat_map(|list| &list.contains).collect();
        // One element may meet several demands; the largest demand is what is needed at least.
        let needed = wanted.iter().map(|contains| contains.min).max().unwrap_or(0);
        let min = min.max(needed);
        if min > max || min > MOST_ITEMS {
            return None;
        }
        let length = self.length(min, max);
        let all_distinct = lists.iter().any(|list| list.distinct == Distinct::Unique);
        let mut items: Vec<Value> = Vec::with_capacity(length);
        let spot = spot.and_then(|spot| self.parameters.item(spot));
        // Elements that `contains` wants go last, behind the places that have their own shapes.
        let mut demands: Vec<NodeId> = wanted
            .iter()
            .flat_map(|contains| std::iter::repeat_n(contains.node, contains.min.min(length)))
            .collect();
        while items.len() < length {
            let index = items.len();
            let mut nodes: Vec<NodeId> = lists.iter().map(|list| list.at(index)).collect();
            if demands.len() >= length - index {
                nodes.extend(demands.pop());
            }
            match self.element(&nodes, &items, all_distinct, spot) {
                Some(item) => items.push(item),
                None if index >= min => break,
                None => return None,
            }
        }
        Self::repeat(lists, max, &mut items);
        Some(Value::Array(items))
    }

    /// How many elements: mostly a few more than must be there.
    fn length(&mut self, min: usize, max: usize) -> usize {
        if self.is_tight() {
            return min;
        }
        if self.draw.chance(self.bias.edges) {
            let edges = [min, min + 1, max.min(8)];
            return self.draw.pick(&edges).copied().unwrap_or(min).clamp(min, max);
        }
        let low = min.max(1).min(max);
        let high = max.min(low.max(self.bias.size));
        self.draw.range(low, high)
    }

    fn element(
        &mut self,
        nodes: &[NodeId],
        others: &[Value],
        distinct: bool,
        spot: Option<Spot>,
    ) -> Option<Value> {
        let token = others.len().to_string();
        for _ in 0..TRIES {
            let item = self.below(&token, |maker| maker.place(nodes, spot))?;
            if !distinct || !others.iter().any(|other| same(other, &item)) {
                return Some(item);
            }
        }
        None
    }

    /// Repeats an element where the shape wants equal ones.
    fn repeat(lists: &[&'a List], max: usize, items: &mut Vec<Value>) {
        let wants = lists.iter().any(|list| list.distinct == Distinct::SomeEqual);
        if !wants || has_equal(items) || items.is_empty() {
            return;
        }
        let copy = items[0].clone();
        if items.len() < 2 && items.len() < max {
            items.push(copy);
        } else if let Some(last) = items.last_mut() {
            *last = copy;
        }
    }
}
