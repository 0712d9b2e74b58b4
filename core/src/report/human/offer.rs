//! What a server offers, and single answers, for a terminal.

use super::HumanOptions;
use super::page::{Page, Tone, cut, fit};
use crate::catalog::{Catalog, ListKind, Tool};
use crate::exchange::{Exchange, Reply};
use crate::protocol::Revision;
use crate::report::value::Layout;
use crate::report::{escape, words};
use crate::session::ServerIdentity;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

/// Renders the catalog of a server: tools with their parameters and hints, resources, templates, prompts.
pub fn offer(
    server: &ServerIdentity,
    revision: Revision,
    catalog: &Catalog,
    options: &HumanOptions,
) -> String {
    let mut page = Page::new(options.width, options.colour);
    let name = format!("{} {}", escape::line(&server.name), escape::line(&server.version));
    let name = page.paint(Tone::Strong, &cut(&name, page.width));
    let rest = page.paint(Tone::Faint, &format!(" · MCP {revision}"));
    page.line(&format!("{name}{rest}"));
    if let Some(instructions) = &server.instructions {
        page.paragraph(0, Tone::Faint, instructions);
    }
    section(&mut page, "Tools", catalog.tools.len());
    for tool in &catalog.tools {
        write_tool(&mut page, tool);
    }
    let lists = [
        (ListKind::Resources, "Resources", "uri"),
        (ListKind::Templates, "Resource templates", "uriTemplate"),
        (ListKind::Prompts, "Prompts", "name"),
    ];
    for (kind, title, key) in lists {
        let items: Vec<&Value> = catalog.items(kind).collect();
        if !items.is_empty() {
            section(&mut page, title, items.len());
        }
        for item in items {
            write_item(&mut page, item, key);
        }
    }
    page.finish()
}

fn section(page: &mut Page, title: &str, count: usize) {
    let text = format!("{title} ({count})");
    let painted = page.paint(Tone::Strong, &text);
    page.heading(&painted, text.width());
}

fn write_tool(page: &mut Page, tool: &Tool) {
    let name = page.paint(Tone::Strong, &escape::line(&tool.name));
    let hints = [
        (tool.hints.read_only, "read-only"),
        (
            !tool.hints.read_only && tool.hints.destructive && has_hint(tool, "destructiveHint"),
            "destructive",
        ),
        (!tool.hints.read_only && tool.hints.idempotent, "idempotent"),
        (tool.output.is_some(), "structured"),
    ];
    let hints: Vec<&str> =
        hints.into_iter().filter(|(set, _)| *set).map(|(_, word)| word).collect();
    let hints = if hints.is_empty() { String::new() } else { format!("  [{}]", hints.join(", ")) };
    let hints = page.paint(Tone::Faint, &hints);
    page.line(&format!("{name}{hints}"));
    let description = first_paragraph(tool.description());
    if description.is_empty() {
        page.paragraph(4, Tone::Faint, "(no description)");
    } else {
        page.paragraph(4, Tone::Plain, description);
    }
    parameters(page, tool);
}

fn has_hint(tool: &Tool, name: &str) -> bool {
    tool.raw.pointer("/annotations").is_some_and(|annotations| annotations.get(name).is_some())
}

/// The first paragraph of a description; models read all of it, people skim.
fn first_paragraph(text: &str) -> &str {
    text.trim().split("\n\n").next().unwrap_or_default()
}

fn parameters(page: &mut Page, tool: &Tool) {
    let Some(properties) = tool.raw.pointer("/inputSchema/properties").and_then(Value::as_object)
    else {
        return;
    };
    let required = tool.raw.pointer("/inputSchema/required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|list| list.iter().any(|item| item == name));
    let width = properties.keys().map(|name| name.width() + 1).max().unwrap_or(0).min(28);
    for (name, schema) in properties {
        let name = format!("{name}{}", if is_required(name) { "" } else { "?" });
        let name = page.paint(Tone::Flow, &fit(&name, width));
        let kind = fit(&type_of(schema), 10);
        let kind = page.paint(Tone::Faint, &kind);
        let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let about = cut(&escape::line(about.trim()), page.width.saturating_sub(8 + width + 10));
        page.line(&format!("    {name}  {kind}  {about}"));
    }
}

fn type_of(schema: &Value) -> String {
    match schema.get("type") {
        Some(Value::String(one)) => one.clone(),
        Some(Value::Array(several)) => {
            several.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|")
        }
        _ if schema.get("enum").is_some() => "enum".to_owned(),
        _ if schema.get("const").is_some() => "const".to_owned(),
        _ if schema.get("$ref").is_some() => "ref".to_owned(),
        _ if schema.get("anyOf").is_some() || schema.get("oneOf").is_some() => "any of".to_owned(),
        _ => "any".to_owned(),
    }
}

fn write_item(page: &mut Page, item: &Value, key: &str) {
    let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
    let name = page.paint(Tone::Strong, &escape::line(text(key)));
    page.line(&name);
    let about = if text("description").is_empty() { text("title") } else { text("description") };
    if !about.is_empty() {
        page.paragraph(4, Tone::Plain, first_paragraph(about));
    }
}

/// Renders the answer to one call: text as text, everything else as JSON.
pub fn exchange(exchange: &Exchange, options: &HumanOptions) -> String {
    let mut page = Page::new(options.width, options.colour);
    match &exchange.reply {
        Reply::Result(result) => write_result(&mut page, result),
        Reply::Error(error) => {
            let code =
                error.code.map_or_else(|| "without a code".to_owned(), |code| code.to_string());
            page.paragraph(0, Tone::Error, &format!("error {code}: {}", error.message));
            if let Some(data) = error.raw.get("data") {
                write_json(&mut page, data);
            }
        }
        Reply::Malformed(reason) => {
            page.paragraph(0, Tone::Error, &format!("malformed answer: {reason}"));
        }
        Reply::Silence { .. } => page.paragraph(
            0,
            Tone::Error,
            &format!("no answer in {}", words::seconds(exchange.elapsed.as_secs_f64())),
        ),
        Reply::Closed(exit) => {
            page.paragraph(0, Tone::Error, &format!("the server ended: {}", exit.summary()));
            page.quoted(0, exit.stderr.trim_end().lines());
        }
    }
    page.finish()
}

fn write_result(page: &mut Page, result: &Value) {
    let failed = result.get("isError").and_then(Value::as_bool) == Some(true);
    if failed {
        page.paragraph(0, Tone::Error, "tool error");
    }
    let blocks = result.get("content").and_then(Value::as_array);
    for block in blocks.into_iter().flatten() {
        match (block.get("type").and_then(Value::as_str), block.get("text").and_then(Value::as_str))
        {
            (Some("text"), Some(text)) => {
                for line in escape::block(text).lines() {
                    page.line(line);
                }
            }
            _ => write_json(page, block),
        }
    }
    let mirrored = |structured: &Value| {
        let texts = blocks.into_iter().flatten().filter_map(|block| block.get("text")?.as_str());
        texts
            .filter_map(|text| serde_json::from_str::<Value>(text).ok())
            .any(|value| value == *structured)
    };
    match result.get("structuredContent") {
        Some(structured) if !mirrored(structured) => write_json(page, structured),
        None if blocks.is_none() => write_json(page, result),
        _ => {}
    }
}

fn write_json(page: &mut Page, value: &Value) {
    let layout = Layout {
        first: page.width,
        width: page.width,
        lines: usize::MAX,
        string: 4000,
        wrap: false,
        bindings: &[],
    };
    let lines = layout.render(value);
    page.json("", 0, &lines);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::scene::Scene;
    use serde_json::json;

    #[test]
    fn a_tool_without_description_says_so_and_leaves_no_gap() {
        let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
        let scene = Scene::new().tool(json!({"name": "greet", "inputSchema": schema}));
        let catalog = Catalog::from_listings(scene.listings, scene.revision);
        let options = HumanOptions { width: 80, ..HumanOptions::default() };
        let shown = offer(&scene.server, scene.revision, &catalog, &options);
        let tool: Vec<&str> = shown.lines().skip_while(|line| *line != "greet").collect();
        assert_eq!(tool, ["greet", "    (no description)", "    name?  string"], "{shown}");
    }
}
