//! Totals over rows, and the gates that they are held against.

use super::row::{Kind, Row};
use serde::Serialize;

/// Totals over rows. Shares are between 0 and 1; absent where there is nothing to count.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Runs of mutants.
    pub mutants: usize,
    /// Share of them whose faulty path ran.
    pub triggered: Option<f64>,
    /// Share of them that were reported rightly.
    pub detected: Option<f64>,
    /// Median of the calls until then.
    pub calls_to_detection: Option<f64>,
    /// Median of the seconds until then.
    pub seconds_to_detection: Option<f64>,
    /// Median of the smallest case's steps over the bug's depth.
    pub ratio_median: Option<f64>,
    /// The value that nine tenths of them do not exceed.
    pub ratio_p90: Option<f64>,
    /// Of the attempts to reproduce on fresh sessions, the share that showed the fault again.
    pub reproduced: Option<f64>,
    /// Runs of clean servers and decoys.
    pub without_fault: usize,
    /// Reports at level error on those.
    pub false_errors: usize,
    /// Reports at level warning on those.
    pub warnings: usize,
    /// Runs without a result.
    pub failures: usize,
}

impl Summary {
    /// The totals of some rows.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Self {
        let (mutants, others): (Vec<&Row>, Vec<&Row>) =
            rows.into_iter().partition(|row| row.kind == Kind::Mutant);
        let found: Vec<&Row> = mutants.iter().copied().filter(|row| row.detected).collect();
        let ratios: Vec<f64> = found.iter().filter_map(|row| row.ratio()).collect();
        let (tried, again) = found
            .iter()
            .filter_map(|row| row.reproduction)
            .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        #[expect(clippy::cast_precision_loss)]
        let calls = found.iter().filter_map(|row| row.calls_to_detection.map(|calls| calls as f64));
        let seconds = found.iter().filter_map(|row| row.seconds_to_detection);
        Self {
            mutants: mutants.len(),
            triggered: share(mutants.iter().filter(|row| row.triggered).count(), mutants.len()),
            detected: share(found.len(), mutants.len()),
            calls_to_detection: quantile(calls.collect(), 0.5),
            seconds_to_detection: quantile(seconds.collect(), 0.5),
            ratio_median: quantile(ratios.clone(), 0.5),
            ratio_p90: quantile(ratios, 0.9),
            reproduced: share(again as usize, tried as usize),
            without_fault: others.len(),
            false_errors: others.iter().map(|row| row.other_errors.len()).sum(),
            warnings: others.iter().map(|row| row.other_warnings.len()).sum(),
            failures: mutants.iter().chain(&others).filter(|row| row.failure.is_some()).count(),
        }
    }

    /// The gates that do not hold, in words.
    pub fn missed_gates(&self) -> Vec<String> {
        let at_least = |what: &str, value: Option<f64>, gate: f64| {
            value.filter(|value| *value < gate).map(|value| {
                format!("{what}: {:.1} %, at least {:.0} % wanted", value * 100.0, gate * 100.0)
            })
        };
        let at_most = |what: &str, value: Option<f64>, gate: f64| {
            let over = value.filter(|value| *value > gate);
            over.map(|value| format!("{what}: {value:.2}, at most {gate:.1} wanted"))
        };
        let none =
            |what: &str, count: usize| (count > 0).then(|| format!("{what}: {count}, none wanted"));
        [
            at_least("triggered", self.triggered, 0.90),
            at_least("detected", self.detected, 0.85),
            at_least("reproduced", self.reproduced, 0.95),
            at_most("median of steps over depth", self.ratio_median, 1.0),
            at_most("90 % quantile of steps over depth", self.ratio_p90, 1.5),
            none("errors on servers without a fault", self.false_errors),
            none("runs without a result", self.failures),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

#[expect(clippy::cast_precision_loss)]
fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The smallest value that a share of the values does not exceed.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn quantile(mut values: Vec<f64>, share: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let rank = (values.len() as f64 * share).ceil() as usize;
    values.get(rank.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(detected: bool, steps: usize, reproduction: (u32, u32)) -> Row {
        Row {
            kind: Kind::Mutant,
            depth: Some(2),
            triggered: true,
            detected,
            steps: detected.then_some(steps),
            reproduction: detected.then_some(reproduction),
            ..Row::default()
        }
    }

    #[test]
    fn totals_are_over_what_was_found() {
        let rows = [
            mutant(true, 2, (3, 3)),
            mutant(true, 2, (3, 2)),
            mutant(true, 6, (4, 4)),
            mutant(false, 0, (0, 0)),
            Row { other_errors: vec!["no_crash".to_owned()], ..Row::default() },
        ];
        let totals = Summary::of(&rows);
        assert_eq!((totals.mutants, totals.without_fault, totals.false_errors), (4, 1, 1));
        assert_eq!((totals.triggered, totals.detected), (Some(1.0), Some(0.75)));
        assert_eq!((totals.ratio_median, totals.ratio_p90), (Some(1.0), Some(3.0)));
        assert_eq!(totals.reproduced, Some(0.9));
        assert_eq!(totals.missed_gates().len(), 4);
    }

    #[test]
    fn nothing_counted_is_no_share() {
        assert_eq!(Summary::of(&[]).triggered, None);
        assert!(Summary::of(&[]).missed_gates().is_empty());
    }
}
