//! Members that resources, templates and prompts share.

use super::item::shown;
use serde_json::Value;

/// What is wrong with the `annotations` of a resource or content block (2026-07-28, server/resources#annotations).
pub(super) fn annotation_faults(item: &Value) -> Vec<(&'static str, String)> {
    let Some(annotations) = item.get("annotations") else {
        return Vec::new();
    };
    if !annotations.is_object() {
        return vec![(
            "annotations",
            format!("`annotations` is {}, not an object", shown(annotations)),
        )];
    }
    let is_role = |role: &Value| matches!(role.as_str(), Some("user" | "assistant"));
    let mut faults = Vec::new();
    if let Some(audience) = annotations.get("audience")
        && !audience.as_array().is_some_and(|roles| roles.iter().all(is_role))
    {
        let wrong = format!(
            "the annotation `audience` is {}; it must be an array of \"user\" and \"assistant\"",
            shown(audience)
        );
        faults.push(("audience", wrong));
    }
    if let Some(priority) = annotations.get("priority")
        && !priority.as_f64().is_some_and(|priority| (0.0..=1.0).contains(&priority))
    {
        faults.push((
            "priority",
            format!(
                "the annotation `priority` is {}; it must be a number from 0 to 1",
                shown(priority)
            ),
        ));
    }
    if let Some(modified) = annotations.get("lastModified")
        && !modified.is_string()
    {
        faults.push((
            "lastModified",
            format!("the annotation `lastModified` is {}, not a string", shown(modified)),
        ));
    }
    faults
}

/// Whether a text reads as a media type: `type/subtype`, with or without parameters.
pub(super) fn is_media_type(text: &str) -> bool {
    let is_token = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
    };
    let essence = text.split(';').next().unwrap_or_default().trim();
    essence.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn annotations_are_judged_member_by_member() {
        let faults = |annotations: Value| -> Vec<&str> {
            annotation_faults(&json!({ "annotations": annotations }))
                .into_iter()
                .map(|(rule, _)| rule)
                .collect()
        };
        assert!(
            faults(json!({"audience": ["user"], "priority": 0.5, "lastModified": "2025-01-01"}))
                .is_empty()
        );
        assert_eq!(
            faults(json!({"audience": ["all"], "priority": 7, "lastModified": 3})),
            ["audience", "priority", "lastModified"]
        );
        assert_eq!(faults(json!("user")), ["annotations"]);
    }

    #[test]
    fn media_types_have_two_parts() {
        assert!(
            is_media_type("text/html;profile=mcp-app") && is_media_type("application/vnd.a+json")
        );
        assert!(!is_media_type("text") && !is_media_type("text/") && !is_media_type(""));
    }
}
