//! Writes the owner's limits on waiting into the listed schemas, so that what a schema allows is allowed.

use std::sync::Arc;

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::server::Wsh;
use crate::app::Config;
use crate::tools::DEFAULT_DEADLINE_MS;

/// Sets `maximum` and `default` of the waiting parameters of every tool that has them.
pub(super) fn declare(router: &mut ToolRouter<Wsh>, config: &Config) {
    let most = config.max_wait_ms;
    let defaults = [("timeout_ms", config.idle_ms), ("max_wait_ms", DEFAULT_DEADLINE_MS.min(most))];
    for route in router.map.values_mut() {
        let mut schema: JsonObject = (*route.attr.input_schema).clone();
        for (name, default) in defaults {
            if let Some(Value::Object(property)) =
                schema.get_mut("properties").and_then(|p| p.get_mut(name))
            {
                property.insert("maximum".to_owned(), json!(most));
                property.insert("default".to_owned(), json!(default));
            }
        }
        route.attr.input_schema = Arc::new(schema);
    }
}
