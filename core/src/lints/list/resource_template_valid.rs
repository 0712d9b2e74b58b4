//! `resource_template_valid`.

use super::item::{Faults, Is, Item, ill_typed, items, kind, required_string, shown};
use super::uri::{TemplateFault, template_fault};
use crate::catalog::ListKind;
use crate::lints::content::annotation_faults;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;
use std::collections::HashSet;

lint! {
    /// A resource template is no URI template, or its members are missing or have the wrong type.
    ///
    /// Clients expand the template to read a resource; one that cannot be read cannot be used, and typed clients lose the whole list.
    ResourceTemplateValid(List, Error) {}
    spec: "server/resources#resource-templates", fix: "Write the template as RFC 6570 has it, for example `note://{id}`, and give it a `name`."
}

impl Lint for ResourceTemplateValid {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut seen = HashSet::new();
        let mut faults = Faults::new(problems);
        for template in items(context.catalog, ListKind::Templates) {
            check(template, &mut faults);
            if template.key().is_some_and(|key| !seen.insert(key)) {
                faults.warn(template, "duplicate", "it is listed more than once");
            }
        }
    }
}

fn check(template: Item<'_>, faults: &mut Faults<'_>) {
    const MEMBERS: [(&str, Is); 4] = [
        ("title", Is::String),
        ("description", Is::String),
        ("mimeType", Is::String),
        ("_meta", Is::Object),
    ];
    let raw = template.raw;
    if !raw.is_object() {
        faults.add(
            template,
            "not an object",
            format!("it is {} ({}), not an object", kind(raw), shown(raw)),
        );
        return;
    }
    for name in ["uriTemplate", "name"] {
        if let Some(wrong) = required_string(raw, name) {
            faults.add(template, name, wrong);
        }
    }
    for (member, wrong) in ill_typed(raw, &MEMBERS) {
        faults.add(template, member, wrong);
    }
    for wrong in raw.get("annotations").into_iter().flat_map(annotation_faults) {
        let member = wrong.split(' ').next().unwrap_or_default().to_owned();
        faults.add(template, format!("annotation {member}"), format!("annotation {wrong}"));
    }
    match template.key().and_then(template_fault) {
        Some(TemplateFault::Broken(wrong)) => {
            faults.add(template, "no template", format!("it is no URI template: {wrong}"))
        }
        Some(TemplateFault::Lax(wrong)) => faults.warn(template, "lax template", wrong),
        None => {}
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let add = |scene: Scene, template: &str| {
        scene.item(ListKind::Templates, json!({"uriTemplate": template, "name": "a"}))
    };
    let scene = |template: &str| add(Scene::new(), template);
    Examples::of(&ENTRY)
        .flags(
            "resource template \"note://{id\": it is no URI template: a `{` is never closed",
            scene("note://{id"),
        )
        .flags("it has no variable", scene("note://all"))
        .flags("has '-' in its name", scene("note://{user-id}"))
        .flags("it is listed more than once", add(scene("note://{id}"), "note://{id}"))
        .flags(
            "`name` is missing",
            Scene::new().item(ListKind::Templates, json!({"uriTemplate": "note://{id}"})),
        )
        .passes(scene("note://{id}{?page,size}"))
}
