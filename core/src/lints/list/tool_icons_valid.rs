//! `tool_icons_valid`.

use super::item::{Faults, all, quoted, shown};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// An icon has a source, a size or a theme that clients must refuse or cannot read.
    ///
    /// Typed clients lose the item because of a malformed icon; sources other than `https:`, `http:` and `data:` must be refused.
    ToolIconsValid(List, Warning) {}
    spec: "basic/index#icons", fix: "Send `src` as an https or data URI, `sizes` as an array of `WxH` or `any`, `theme` as `light` or `dark`.", since: V2025_11_25
}

impl Lint for ToolIconsValid {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        {
            let mut faults = Faults::new(problems);
            for item in all(context.catalog) {
                for (index, icon) in icons(item.raw) {
                    for (rule, wrong) in icon_faults(icon) {
                        faults.add(item, format!("icon {rule}"), format!("icon {index}: {wrong}"));
                    }
                }
            }
        }
        let opening = context.server.opening.as_ref().and_then(|opening| opening.result());
        let info = opening.and_then(|result| {
            result
                .get("serverInfo")
                .or_else(|| result.get("_meta")?.get("io.modelcontextprotocol/serverInfo"))
        });
        for (index, icon) in info.into_iter().flat_map(icons) {
            for (rule, wrong) in icon_faults(icon) {
                problems.push(Problem::new(
                    format!("serverInfo: icon {rule}"),
                    format!("serverInfo: icon {index}: {wrong}"),
                ));
            }
        }
    }
}

fn icons(item: &Value) -> impl Iterator<Item = (usize, &Value)> {
    item.get("icons").and_then(Value::as_array).into_iter().flatten().enumerate()
}

fn icon_faults(icon: &Value) -> Vec<(&'static str, String)> {
    if !icon.is_object() {
        return vec![("shape", format!("it is {}, not an object", shown(icon)))];
    }
    let src = match icon.get("src") {
        None => Some("`src` is missing".to_owned()),
        Some(Value::String(src)) => source_fault(src),
        Some(other) => Some(format!("`src` is {}, not a string", shown(other))),
    };
    let is_size =
        |size: &Value| size.as_str().is_some_and(|size| size == "any" || is_dimensions(size));
    let sizes = match icon.get("sizes") {
        None => None,
        Some(Value::Array(sizes)) => sizes
            .iter()
            .find(|size| !is_size(size))
            .map(|size| format!("the size {} is neither `WxH` nor `any`", shown(size))),
        Some(other) => Some(format!("`sizes` is {}, not an array of strings", shown(other))),
    };
    let theme = icon.get("theme").filter(|theme| !matches!(theme.as_str(), Some("light" | "dark")));
    let theme =
        theme.map(|theme| format!("the theme {} is neither \"light\" nor \"dark\"", shown(theme)));
    let mime = icon
        .get("mimeType")
        .filter(|mime| !mime.as_str().is_some_and(|mime| mime.starts_with("image/")));
    let mime = mime.map(|mime| format!("`mimeType` is {}, which is no image type", shown(mime)));
    [("src", src), ("sizes", sizes), ("theme", theme), ("mimeType", mime)]
        .into_iter()
        .filter_map(|(rule, wrong)| Some((rule, wrong?)))
        .collect()
}

fn source_fault(src: &str) -> Option<String> {
    let scheme = src.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("https" | "http" | "data") => None,
        _ => Some(format!("`src` {} is neither an https nor a data URI", quoted(src))),
    }
}

fn is_dimensions(size: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    size.split_once('x').is_some_and(|(width, height)| is_number(width) && is_number(height))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;
    let tool = |icon: Value| Scene::new().tool(json!({"name": "a", "icons": [icon]}));
    let prompt = |scene: Scene, name: &str| {
        scene.item(ListKind::Prompts, json!({"name": name, "icons": [{}]}))
    };
    Examples::of(&ENTRY)
        .flags("tool \"a\": icon 0: `src` \"javascript:alert(1)\"", tool(json!({"src": "javascript:alert(1)"})))
        .flags("`sizes` is \"48x48\", not an array", tool(json!({"src": "https://a.example/i.png", "sizes": "48x48"})))
        .flags("the size \"large\"", tool(json!({"src": "https://a.example/i.png", "sizes": ["48x48", "large"]})))
        .flags("the theme \"blue\"", tool(json!({"src": "data:image/png;base64,AA==", "theme": "blue"})))
        .flags("prompt \"p\": icon 0: `src` is missing; the same holds for prompt \"q\"", prompt(prompt(Scene::new(), "p"), "q"))
        .flags("serverInfo: icon 0: it is 3, not an object", Scene::new().opened(json!({"serverInfo": {"icons": [3]}})))
        .passes(tool(json!({"src": "https://a.example/i.svg", "sizes": ["any", "16x16"], "theme": "dark", "mimeType": "image/svg+xml"})))
}
