//! Where an object can be broken: members that are missing, forbidden, not declared, too few or too many.

use super::fault::Finder;
use super::negative::Edit;
use crate::schema::plan::{Members, Plan, Shape};
use serde_json::{Map, Value, json};

impl Finder<'_> {
    /// What can be wrong with an object as a whole.
    pub(super) fn members(
        &mut self,
        members: &Members,
        object: &Map<String, Value>,
        pointer: &str,
    ) {
        for property in &members.properties {
            let name = &property.name;
            if property.required {
                self.add(pointer, "required", || {
                    (format!("required property {name} left out"), Edit::Remove(name.clone()))
                });
                if let Some(fault) = self.found.last_mut() {
                    (fault.property, fault.nth) = (Some(name.clone()), 0);
                }
            }
            let is_forbidden = matches!(self.plan.shape(property.node), Shape::Never);
            if is_forbidden && !object.contains_key(name) {
                self.add(pointer, "properties", || {
                    let edit = Edit::Insert(name.clone(), json!(1));
                    (format!("forbidden property {name}"), edit)
                });
            }
        }
        self.undeclared(members, pointer);
        self.member_count(members, object, pointer);
        if members.names.is_some() {
            for name in ["", "A b!", "§"] {
                self.add(pointer, "propertyNames", || {
                    let edit = Edit::Insert(name.to_owned(), json!(1));
                    (format!("the property name {name:?}"), edit)
                });
            }
        }
    }

    /// Properties that are not declared, or not as they are.
    fn undeclared(&mut self, members: &Members, pointer: &str) {
        let keyword = "additionalProperties";
        let extra = "unexpected_property".to_owned();
        if matches!(self.plan.shape(members.additional), Shape::Never) {
            // A misspelt name that is dropped hurts most where the property may be left out.
            let optional = members.properties.iter().filter(|property| !property.required);
            let misspelt = optional
                .chain(&members.properties)
                .find_map(|property| misspelt(&property.name, members));
            for name in [extra].into_iter().chain(misspelt) {
                self.add(pointer, keyword, || {
                    (format!("undeclared property {name}"), Edit::Insert(name, json!("x")))
                });
            }
        } else if members.additional != Plan::ANY {
            let wrong = [json!(null), json!({"a": {"b": 1}}), json!("abc"), json!(1.5)]
                .into_iter()
                .find(|wrong| !self.plan.accepts(members.additional, wrong));
            if let Some(wrong) = wrong {
                self.add(pointer, keyword, || {
                    (format!("property {extra} of the wrong type"), Edit::Insert(extra, wrong))
                });
            }
        }
    }

    fn member_count(&mut self, members: &Members, object: &Map<String, Value>, pointer: &str) {
        if members.min > 0 && members.min <= object.len() {
            self.set(pointer, "minProperties", || {
                let few: Map<String, Value> =
                    object.clone().into_iter().take(members.min - 1).collect();
                (format!("fewer than {} properties", members.min), few.into())
            });
        }
        if let Some(max) = members.max.filter(|max| *max < 200) {
            self.set(pointer, "maxProperties", || {
                let mut many = object.clone();
                let filler = object.values().next().cloned().unwrap_or_default();
                many.extend((0..=max).map(|number| (format!("extra{number}"), filler.clone())));
                (format!("more than {max} properties"), many.into())
            });
        }
    }
}

/// The name with its last character doubled, if that is no declared name.
fn misspelt(name: &str, members: &Members) -> Option<String> {
    let misspelt = format!("{name}{}", name.chars().last()?);
    members.property(&misspelt).is_none().then_some(misspelt)
}
