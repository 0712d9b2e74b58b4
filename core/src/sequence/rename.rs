//! Renames: what was read of a thing by its old name is read by the new one.

use super::live::Live;
use super::mind::Mind;
use super::template::Planned;
use crate::case::{Binding, Role, Source, Step};
use crate::catalog::Catalog;
use crate::outcome::OutcomeKind;
use crate::pointer::{join, scalars};
use crate::schema::key_tokens;
use serde_json::Value;

/// Looks by a new name.
const LOOKS: usize = 3;
/// How far back the looks by the old name may be.
const BACK: usize = 16;

impl Mind {
    /// After a thing got a new name: what was read of it by its old name is read by the new one. Tells whether anything was planned.
    pub(super) fn plan_look_by_new_name(
        &mut self,
        live: &mut Live,
        index: usize,
        catalog: &Catalog,
    ) -> bool {
        let looks = self.looks_by_new_name(live, index, catalog);
        let place = live.agenda.iter().take_while(|p| super::resources::is_of_script(p)).count();
        let planned = !looks.is_empty();
        for look in looks {
            live.agenda.insert(place, Planned::Exact(Box::new(look)));
        }
        planned
    }

    fn looks_by_new_name(&self, live: &Live, index: usize, catalog: &Catalog) -> Vec<Step> {
        let (change, _) = &live.history[index];
        let sent = change.action.arguments().and_then(Value::as_object);
        let sent: Vec<(&String, &Value)> =
            sent.into_iter().flatten().filter(|(_, value)| value.is_string()).collect();
        let is_new = |name: &str| key_tokens(name).first().is_some_and(|word| word == "new");
        let Some((name, new)) = sent.iter().find(|(name, _)| is_new(name)) else {
            return Vec::new();
        };
        let is_old = |value: Option<&Value>| {
            sent.iter().any(|(name, old)| !is_new(name) && value == Some(*old))
        };
        let mut looks: Vec<Step> = Vec::new();
        for at in (index.saturating_sub(BACK)..index).rev() {
            let (step, _) = &live.history[at];
            let worked = live.outcomes[at].kind == OutcomeKind::Ok;
            let taken = looks.iter().any(|look| look.action.tool() == step.action.tool());
            let reads = step.action.tool().is_none() || self.look_of(step, catalog).is_some();
            // What was read before another change may be otherwise for that.
            if (worked && !reads) || looks.len() == LOOKS {
                break;
            }
            if !worked || taken || step.action.tool().is_none() {
                continue;
            }
            let mut places = step.action.arguments().map(scalars).unwrap_or_default().into_iter();
            let at_place = |place: &String| step.action.arguments()?.pointer(place);
            let Some(place) = places.find(|place| is_old(at_place(place))) else { continue };
            let mut look = step.clone();
            look.role = Role::Call;
            look.bindings.retain(|binding| binding.at != place);
            let from = Source::Argument { pointer: join("", name) };
            look.bindings.push(Binding { at: place.clone(), step: index, from });
            if let Some(slot) = look.action.arguments_mut().and_then(|a| a.pointer_mut(&place)) {
                *slot = (*new).clone();
            }
            looks.push(look);
        }
        looks
    }
}
