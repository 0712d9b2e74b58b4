//! Numbers of a shape: multiples of a step between two bounds, in exact decimals.

use serde_json::Value;

use super::{Bias, Draw};
use crate::schema::{
    Decimal,
    plan::{Bound, Numeric},
};

/// The largest magnitude that every JSON reader keeps exact.
const EXACT: i128 = (1 << 53) - 1;

/// The finest fraction tried, in decimal places.
const FINEST: i32 = 17;

/// Tries at a number that is no multiple of an excluded step.
const TRIES: usize = 20;

/// What several shapes ask together.
pub(super) fn merged(numerics: &[&Numeric]) -> Numeric {
    let mut all = Numeric::default();
    for numeric in numerics {
        all.integer |= numeric.integer;
        all.min = tighter(all.min, numeric.min, |new, old| new > old);
        all.max = tighter(all.max, numeric.max, |new, old| new < old);
        all.step = match (all.step, numeric.step) {
            (Some(a), Some(b)) => a.common_multiple(b).or(Some(a)),
            (a, b) => a.or(b),
        };
        all.not_steps.extend(&numeric.not_steps);
    }
    all
}

fn tighter(
    old: Option<Bound>,
    new: Option<Bound>,
    is_tighter: fn(Decimal, Decimal) -> bool,
) -> Option<Bound> {
    match (old, new) {
        (Some(old), Some(new)) if old.value == new.value => {
            Some(Bound { value: old.value, open: old.open || new.open })
        }
        (Some(old), Some(new)) => Some(if is_tighter(new.value, old.value) { new } else { old }),
        (old, new) => old.or(new),
    }
}

/// The multiples of a step that lie between the bounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    step: Decimal,
    low: Option<i128>,
    high: Option<i128>,
}

impl Grid {
    fn new(numeric: &Numeric, step: Decimal) -> Option<Self> {
        let low = match numeric.min {
            None => None,
            Some(bound) => {
                let (below, exact) = bound.value.steps_below(step)?;
                Some(if exact && !bound.open { below } else { below + 1 })
            }
        };
        let high = match numeric.max {
            None => None,
            Some(bound) => {
                let (below, exact) = bound.value.steps_below(step)?;
                Some(if exact && bound.open { below - 1 } else { below })
            }
        };
        let is_empty = low.zip(high).is_some_and(|(low, high)| low > high);
        (!is_empty).then_some(Self { step, low, high })
    }

    /// The number at an index of the grid.
    fn at(self, index: i128) -> Option<Value> {
        self.step.times(index)?.to_value()
    }

    fn holds(self, index: i128) -> bool {
        self.low.is_none_or(|low| index >= low) && self.high.is_none_or(|high| index <= high)
    }

    /// The index nearest to 0.
    fn nearest(self) -> i128 {
        match (self.low, self.high) {
            (Some(low), _) if low > 0 => low,
            (_, Some(high)) if high < 0 => high,
            _ => 0,
        }
    }
}

/// The grids that a shape's numbers may be taken from, the coarsest first. Shapes without a step have several.
pub(super) fn grids(numeric: &Numeric) -> Vec<Grid> {
    let fixed = match (numeric.step, numeric.integer) {
        (Some(step), false) => Some(step),
        (Some(step), true) => step.common_multiple(Decimal::ONE).or(Some(Decimal::ONE)),
        (None, true) => Some(Decimal::ONE),
        (None, false) => None,
    };
    if let Some(step) = fixed {
        return Grid::new(numeric, step).into_iter().collect();
    }
    let fine: Vec<Grid> = (0..=FINEST)
        .filter_map(|places| Grid::new(numeric, Decimal::unit(places)))
        .take(3)
        .collect();
    if !fine.is_empty() {
        return fine;
    }
    // Bounds that are huge or very close to zero: steps of their own size.
    [numeric.min, numeric.max]
        .iter()
        .flatten()
        .flat_map(|bound| [bound.value.exponent(), bound.value.exponent() - 1])
        .filter_map(|exponent| Grid::new(numeric, Decimal::unit(-exponent)))
        .collect()
}

/// A random number of a shape: mostly small and near zero, sometimes at an edge or anywhere.
pub(super) fn sample(numeric: &Numeric, bias: &Bias, draw: &mut Draw) -> Option<Value> {
    let grids = grids(numeric);
    for _ in 0..TRIES {
        // Whole numbers are the most plausible ones.
        let turn = if draw.chance(0.6) { 0 } else { draw.index(grids.len()) };
        let grid = grids.get(turn)?;
        let index = index(*grid, bias, draw);
        if let Some(value) = grid
            .at(index)
            .filter(|value| is_allowed(numeric, value) && divides_in_binary(numeric, value))
        {
            return Some(value);
        }
    }
    simplest(numeric)
}

/// Whether binary arithmetic, too, sees a multiple of the step: many validators divide floats.
fn divides_in_binary(numeric: &Numeric, value: &Value) -> bool {
    match (numeric.step, value.as_f64()) {
        (Some(step), Some(value)) => (value / step.to_f64()).fract() == 0.0,
        _ => true,
    }
}

fn index(grid: Grid, bias: &Bias, draw: &mut Draw) -> i128 {
    let low = grid.low.unwrap_or(-EXACT).max(-EXACT);
    let high = grid.high.unwrap_or(EXACT).min(EXACT);
    let near = grid.nearest();
    if low >= high {
        return near;
    }
    if draw.chance(bias.edges) {
        let edges = [
            grid.low,
            grid.low.map(|low| low + 1),
            grid.high.map(|high| high - 1),
            grid.high,
            Some(0),
            Some(1),
            Some(-1),
        ];
        let edges: Vec<i128> =
            edges.into_iter().flatten().filter(|edge| grid.holds(*edge)).collect();
        return draw.pick(&edges).copied().unwrap_or(near);
    }
    if draw.chance(0.06) {
        return draw.wide_range(low, high);
    }
    let span = if draw.chance(0.7) { 10 } else { 100 };
    // Negative numbers are seldom meant, unless only they are allowed.
    if near > low && (near == high || draw.chance(0.04)) {
        return draw.wide_range(low.max(near - span), near);
    }
    draw.wide_range(near, high.min(near.saturating_add(span)))
}

fn is_allowed(numeric: &Numeric, value: &Value) -> bool {
    value.as_number().and_then(Decimal::from_number).is_some_and(|value| numeric.accepts(value))
}

/// The number of a shape that is nearest to zero.
pub(super) fn simplest(numeric: &Numeric) -> Option<Value> {
    grids(numeric).into_iter().find_map(|grid| {
        let near = grid.nearest();
        (0..64)
            .flat_map(|distance| [near + distance, near - distance])
            .filter(|index| grid.holds(*index))
            .filter_map(|index| grid.at(index))
            .find(|value| is_allowed(numeric, value))
    })
}

/// The named edges of a shape's numbers that the bounds allow.
pub(super) fn edges(numeric: &Numeric) -> Vec<(&'static str, Value)> {
    let mut found = Vec::new();
    let all = grids(numeric);
    let Some(grid) = all.first().copied() else {
        return found;
    };
    let mut add = |name: &'static str, value: Option<Value>| {
        if let Some(value) = value.filter(|value| is_allowed(numeric, value)) {
            found.push((name, value));
        }
    };
    let at = |index: Option<i128>| index.and_then(|index| grid.at(index));
    add("minimum", at(grid.low));
    add("minimum + 1", at(grid.low.map(|low| low + 1)));
    add("maximum - 1", at(grid.high.map(|high| high - 1)));
    add("maximum", at(grid.high));
    add("zero", at(Some(0)));
    add("one", at(Some(1)));
    add("minus one", at(Some(-1)));
    for (name, whole) in [
        ("2^31 - 1", (1_i128 << 31) - 1),
        ("2^31", 1 << 31),
        ("-2^31 - 1", -(1 << 31) - 1),
        ("2^32", 1 << 32),
        ("2^53 - 1", EXACT),
        ("-2^53 + 1", -EXACT),
    ] {
        let value = Decimal::integer(whole);
        if grid.step == Decimal::ONE {
            add(name, value.to_value());
        }
    }
    if !numeric.integer {
        let fine = all.get(1).copied().unwrap_or(grid);
        add("fraction", fine.at(fine.nearest() + 1));
        add("fraction above minimum", fine.low.and_then(|low| fine.at(low)));
        add("fraction below maximum", fine.high.and_then(|high| fine.at(high)));
        if numeric.step.is_none() {
            add("tiny", Some(Value::from(1e-9)));
            add("large", Some(Value::from(1e15)));
            add("whole as float", Some(Value::from(1.0)));
        }
    }
    found
}
