//! What differs between two runs that are otherwise the same.

use serde_json::Value;

/// Times, which no two runs share.
pub const TIMES: [&str; 3] = ["timing", "latency", "elapsed_ms"];
/// Times, and what the server wrote at some time.
pub const TIMES_AND_STDERR: [&str; 4] = ["timing", "latency", "elapsed_ms", "stderr"];

/// Takes out members of these names, however deep they are.
pub fn strip(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !names.contains(&name.as_str()));
            members.values_mut().for_each(|member| strip(member, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| strip(item, names)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{TIMES, strip};
    use serde_json::json;

    #[test]
    fn members_are_taken_out_at_every_depth_and_nothing_else_is() {
        let mut value = json!({"timing": 1, "steps": [{"latency": {"p50": 1}, "name": "timing"}], "stderr": ""});
        strip(&mut value, &TIMES);
        assert_eq!(value, json!({"steps": [{"name": "timing"}], "stderr": ""}));
    }
}
