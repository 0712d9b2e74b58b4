//! How high the smallest value of each shape is, and which shapes have none.

use super::plan::{IMPOSSIBLE, MAX_HEIGHT, Members, NodeId, Plan, Property, Shape};

impl Plan {
    /// Computes the heights, as a fixpoint from "impossible" downwards.
    pub(super) fn settle(&mut self) {
        self.heights = vec![IMPOSSIBLE; self.shapes.len()];
        // Each round settles at least the nodes of one more height; higher ones do not matter.
        for _ in 0..=MAX_HEIGHT {
            let mut changed = false;
            for index in (0..self.shapes.len()).rev() {
                let height = self.height_of(&self.shapes[index]);
                if height < self.heights[index] {
                    self.heights[index] = height;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn height_of(&self, shape: &Shape) -> u32 {
        let height = |id: &NodeId| self.heights[id.0 as usize];
        let inner = match shape {
            Shape::Never => IMPOSSIBLE,
            Shape::Fixed(values) if values.is_empty() => IMPOSSIBLE,
            Shape::Any
            | Shape::Null
            | Shape::Boolean
            | Shape::Fixed(_)
            | Shape::Text(_)
            | Shape::Number(_) => return 0,
            Shape::Array(list) => list.needed().map(|id| height(&id)).max().unwrap_or(0),
            Shape::Object(members) => self.height_of_members(members),
            Shape::Some(ids) | Shape::One(ids) => {
                ids.iter().map(height).min().unwrap_or(IMPOSSIBLE)
            }
            Shape::All(ids) => ids.iter().map(height).max().unwrap_or(0),
            Shape::Not(_, rest) => rest.as_ref().map_or(0, height),
            Shape::Link(id) => height(id),
        };
        inner.saturating_add(1)
    }

    /// The height of the highest member that must be there; undeclared ones count as the lowest they can be.
    fn height_of_members(&self, members: &Members) -> u32 {
        let height = |id: NodeId| self.heights[id.0 as usize];
        let (required, optional): (Vec<&Property>, Vec<&Property>) =
            members.properties.iter().partition(|property| property.required);
        let highest = required.iter().map(|property| height(property.node)).max().unwrap_or(0);
        let missing = members.min.saturating_sub(required.len());
        if missing == 0 {
            return highest;
        }
        let undeclared = match members.patterns.iter().map(|(_, node)| height(*node)).min() {
            Some(by_pattern) if members.additional == Self::NEVER => by_pattern,
            Some(by_pattern) => by_pattern.max(height(members.additional)),
            None => height(members.additional),
        };
        let mut spare: Vec<u32> = optional
            .iter()
            .map(|property| height(property.node))
            .filter(|low| *low < undeclared)
            .collect();
        spare.sort_unstable();
        let extra = match spare.get(missing - 1) {
            Some(enough) => *enough,
            None => undeclared,
        };
        highest.max(extra)
    }
}
