//! `resource_shape`.

use super::item::{Faults, Is, Item, ill_typed, items, kind, required_string, shown};
use crate::catalog::ListKind;
use crate::lints::content::{annotation_faults, is_media_type};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A resource's members are missing or have the wrong type.
    ///
    /// Typed clients give up on what they cannot decode: many lose the whole list because of one bad resource.
    ResourceShape(List, Error) {}
    spec: "schema#resource", fix: "Give each resource a string `uri` and `name`, and leave out members that have no value."
}

impl Lint for ResourceShape {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut faults = Faults::new(problems);
        for resource in items(context.catalog, ListKind::Resources) {
            check(resource, &mut faults);
        }
    }
}

fn check(resource: Item<'_>, faults: &mut Faults<'_>) {
    const MEMBERS: [(&str, Is); 4] = [
        ("title", Is::String),
        ("description", Is::String),
        ("mimeType", Is::String),
        ("_meta", Is::Object),
    ];
    let raw = resource.raw;
    if !raw.is_object() {
        faults.add(
            resource,
            "not an object",
            format!("it is {} ({}), not an object", kind(raw), shown(raw)),
        );
        return;
    }
    for name in ["uri", "name"] {
        if let Some(wrong) = required_string(raw, name) {
            faults.add(resource, name, wrong);
        }
    }
    for (member, wrong) in ill_typed(raw, &MEMBERS) {
        faults.add(resource, member, wrong);
    }
    for wrong in raw.get("annotations").into_iter().flat_map(annotation_faults) {
        let member = wrong.split(' ').next().unwrap_or_default().to_owned();
        faults.add(resource, format!("annotation {member}"), format!("annotation {wrong}"));
    }
    if let Some(size) = raw.get("size")
        && !size.as_f64().is_some_and(|size| size >= 0.0 && size.fract() == 0.0)
    {
        faults.add(resource, "size", format!("`size` is {}, not a number of bytes", shown(size)));
    }
    let mime = raw.get("mimeType").and_then(Value::as_str).filter(|mime| !is_media_type(mime));
    if let Some(mime) = mime {
        faults.warn(
            resource,
            "mimeType syntax",
            format!("`mimeType` is {mime:?}, which is no `type/subtype`"),
        );
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |item: Value| Scene::new().item(ListKind::Resources, item);
    let unnamed = |scene: Scene, uri: &str| scene.item(ListKind::Resources, json!({ "uri": uri }));
    let two = unnamed(unnamed(Scene::new(), "x://a"), "x://b");
    Examples::of(&ENTRY)
        .flags("resource \"x://a\": `name` is missing; the same holds for resource \"x://b\"", two)
        .flags("resource 1 of the list: `uri` is missing", scene(json!({"name": "a"})))
        .flags("`size` is -1, not a number of bytes", scene(json!({"uri": "x://a", "name": "a", "size": -1})))
        .flags("`mimeType` is null", scene(json!({"uri": "x://a", "name": "a", "mimeType": null})))
        .flags("`mimeType` is \"text\", which is no `type/subtype`", scene(json!({"uri": "x://a", "name": "a", "mimeType": "text"})))
        .flags("annotation priority must be a number from 0 to 1", scene(json!({"uri": "x://a", "name": "a", "annotations": {"priority": 7}})))
        .passes(scene(json!({"uri": "x://a", "name": "a", "size": 3, "mimeType": "text/plain; charset=utf-8"})))
}
