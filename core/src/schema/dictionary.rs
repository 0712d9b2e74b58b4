//! The built-in dictionary: plausible values for parameters whose name or description says what they hold.

use serde_json::Value;

use super::{JsonTypes, Parameter, files};

/// Values for a meaning.
struct Entry {
    /// Words, or runs of words joined by `_`, of the parameter's name.
    names: &'static [&'static str],
    /// Phrases of the description, lower case.
    phrases: &'static [&'static str],
    /// The values, as JSON.
    values: &'static [&'static str],
}

const ENTRIES: &[Entry] = &[
    Entry {
        names: &["timezone", "time_zone", "tz", "zone"],
        phrases: &["timezone", "time zone", "iana"],
        values: &[r#""UTC""#, r#""Europe/London""#, r#""America/New_York""#, r#""Asia/Tokyo""#],
    },
    Entry {
        names: &["sql", "statement"],
        phrases: &["sql query", "sql statement", "select query", "sql to "],
        values: &[
            r#""SELECT 1""#,
            r#""CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, name TEXT)""#,
            r#""INSERT INTO items (name) VALUES ('one')""#,
            r#""SELECT * FROM items""#,
            r#""UPDATE items SET name = 'two' WHERE id = 1""#,
            r#""DELETE FROM items WHERE id = 1""#,
        ],
    },
    Entry {
        names: &["glob"],
        phrases: &["glob pattern", "glob "],
        values: &[r#""*""#, r#""**/*""#, r#""*.txt""#, r#""src/**/*.js""#],
    },
    Entry {
        names: &["regex", "regexp", "pattern"],
        phrases: &["regular expression", "regex"],
        values: &[r#"".*""#, r#""[a-z]+""#, r#""\\d+""#, r#""^a""#],
    },
    Entry { names: &["flag"], phrases: &["regex flags"], values: &[r#""g""#, r#""i""#, r#""gi""#] },
    Entry {
        names: &["url", "uri", "link", "href", "endpoint", "website"],
        phrases: &["url of", "a url", "http://", "https://"],
        values: &[r#""https://example.com/""#, r#""http://localhost/""#],
    },
    Entry {
        names: &["path", "file", "filepath", "filename", "file_name"],
        phrases: &["file path", "path to", "path of", "filename"],
        values: &[r#""test.txt""#, r#"".""#, r#""/tmp/test.txt""#, r#""data.json""#],
    },
    Entry {
        names: &[
            "dir",
            "directory",
            "folder",
            "cwd",
            "root",
            "workspace",
            "repo_path",
            "repository_path",
        ],
        phrases: &["directory", "folder"],
        values: &[r#"".""#, r#""/tmp""#, r#""src""#, r#""repo""#],
    },
    Entry {
        names: &["email", "mail", "recipient"],
        phrases: &["email address", "e-mail"],
        values: &[r#""ann@example.com""#],
    },
    Entry {
        names: &["phone", "tel", "mobile"],
        phrases: &["phone number"],
        values: &[r#""+12025550143""#],
    },
    Entry {
        names: &["datetime", "timestamp", "created_at", "updated_at", "date_time"],
        phrases: &["date and time", "datetime"],
        values: &[r#""2024-03-15T09:30:00Z""#, "1710495000"],
    },
    Entry {
        names: &["date", "day", "due", "deadline", "since", "until", "start_date", "end_date"],
        phrases: &["date"],
        values: &[r#""2024-03-15""#, r#""2024-12-31""#, r#""2024-03-15T09:30:00Z""#],
    },
    Entry { names: &["time"], phrases: &["time of day"], values: &[r#""09:30""#, r#""23:59""#] },
    Entry { names: &["month"], phrases: &[], values: &["3", "12", r#""2024-03""#] },
    Entry { names: &["year"], phrases: &[], values: &["2024", r#""2024""#] },
    Entry {
        names: &["duration", "minute", "hour", "second", "timeout"],
        phrases: &["in minutes", "in seconds"],
        values: &["1", "5", "30", r#""1h""#, r#""5m""#],
    },
    Entry {
        names: &["cron", "schedule"],
        phrases: &["cron expression"],
        values: &[r#""0 9 * * *""#, r#""*/5 * * * *""#],
    },
    Entry {
        names: &["language", "lang", "locale"],
        phrases: &["language code", "iso 639", "programming language"],
        values: &[r#""en""#, r#""de""#, r#""en-US""#, r#""python""#, r#""javascript""#],
    },
    Entry {
        names: &["country"],
        phrases: &["country code", "iso 3166"],
        values: &[r#""US""#, r#""DE""#],
    },
    Entry {
        names: &["city", "location", "place", "address"],
        phrases: &["city name"],
        values: &[r#""London""#, r#""Paris, France""#],
    },
    Entry { names: &["lat", "latitude"], phrases: &["latitude"], values: &["51.5", "0"] },
    Entry { names: &["lon", "lng", "longitude"], phrases: &["longitude"], values: &["-0.12", "0"] },
    Entry {
        names: &["currency"],
        phrases: &["currency code", "iso 4217"],
        values: &[r#""USD""#, r#""EUR""#],
    },
    Entry {
        names: &["amount", "price", "cost", "total", "budget", "quantity"],
        phrases: &[],
        values: &["10", "1", "9.99", r#""10""#],
    },
    Entry {
        names: &["branch", "ref", "revision", "rev", "commit", "sha", "target"],
        phrases: &["branch name", "commit hash", "git ref"],
        values: &[r#""main""#, r#""HEAD""#, r#""master""#, r#""HEAD~1""#],
    },
    Entry {
        names: &["json", "json_text", "json_data", "json_string"],
        phrases: &["json string", "valid json", "json document", "json object", "json text"],
        values: &[r#""{\"a\": 1, \"b\": [1, 2]}""#, r#""{}""#, r#""[1, 2, 3]""#, r#"{"a": 1}"#],
    },
    Entry {
        names: &["jsonpath", "json_path", "jmespath"],
        phrases: &["jsonpath"],
        values: &[r#""$.a""#, r#""$..*""#],
    },
    Entry { names: &["yaml"], phrases: &["yaml"], values: &[r#""a: 1\nb: 2\n""#] },
    Entry {
        names: &["csv"],
        phrases: &["csv data", "csv text", "csv content"],
        values: &[r#""name,age\nann,30\nbob,25\n""#],
    },
    Entry {
        names: &["xml", "svg", "html"],
        phrases: &["xml content", "html content"],
        values: &[
            r#""<p>hello</p>""#,
            r#""<mxGraphModel><root><mxCell id=\"0\"/><mxCell id=\"1\" parent=\"0\"/></root></mxGraphModel>""#,
        ],
    },
    Entry {
        names: &["markdown", "md"],
        phrases: &["markdown"],
        values: &[r##""# Title\n\nSome *text*.""##],
    },
    Entry {
        names: &["base64", "encoded", "blob"],
        phrases: &["base64"],
        values: &[r#""aGVsbG8=""#],
    },
    Entry {
        names: &["color", "colour", "fill", "stroke", "background"],
        phrases: &["color", "colour"],
        values: &[r##""#3366cc""##, r#""red""#],
    },
    Entry {
        names: &["expression", "expr", "formula", "equation", "calculation"],
        phrases: &["mathematical expression", "math expression", "expression to evaluate"],
        values: &[r#""1 + 1""#, r#""2 * (3 + 4)""#, r#""x + 1""#, r#""=SUM(A1:A3)""#],
    },
    Entry {
        names: &["dice", "notation"],
        phrases: &["dice"],
        values: &[r#""2d6""#, r#""1d20+3""#],
    },
    Entry {
        names: &["range", "cell"],
        phrases: &["cell range", "excel range"],
        values: &[r#""A1""#, r#""A1:B2""#],
    },
    Entry {
        names: &["sheet", "worksheet"],
        phrases: &["sheet name", "worksheet"],
        values: &[r#""Sheet1""#],
    },
    Entry { names: &["table"], phrases: &["table name"], values: &[r#""items""#, r#""users""#] },
    Entry {
        names: &["column", "field"],
        phrases: &["column name"],
        values: &[r#""name""#, r#""id""#],
    },
    Entry {
        names: &["database", "db"],
        phrases: &["database path", "database file"],
        values: &[r#""test.db""#, r#"":memory:""#],
    },
    Entry {
        names: &["query", "search", "keyword", "term", "q"],
        phrases: &["search query", "search term"],
        values: &[r#""test""#, r#""hello""#, r#""a""#],
    },
    Entry {
        names: &["command", "cmd", "script", "shell"],
        phrases: &["shell command"],
        values: &[r#""echo hello""#, r#""true""#],
    },
    Entry {
        names: &["code", "snippet", "source"],
        phrases: &["source code", "code to"],
        values: &[r#""print(1)""#, r#""const x = 1;\n""#],
    },
    Entry {
        names: &["version"],
        phrases: &["semantic version"],
        values: &[r#""1.2.3""#, r#""latest""#],
    },
    Entry {
        names: &["package", "module", "library"],
        phrases: &["npm package", "package name"],
        values: &[r#""react""#, r#""lodash""#],
    },
    Entry {
        names: &["host", "hostname", "domain", "server"],
        phrases: &["hostname", "domain name"],
        values: &[r#""localhost""#, r#""example.com""#],
    },
    Entry { names: &["port"], phrases: &["port number"], values: &["8080", "1"] },
    Entry { names: &["ip"], phrases: &["ip address"], values: &[r#""127.0.0.1""#] },
    Entry {
        names: &["uuid", "guid"],
        phrases: &["uuid"],
        values: &[r#""123e4567-e89b-42d3-a456-426614174000""#],
    },
    Entry {
        names: &["id", "key", "ident", "identifier", "slug"],
        phrases: &["unique identifier"],
        values: &[r#""1""#, "1", r#""test""#],
    },
    Entry {
        names: &["name", "title", "label", "subject"],
        phrases: &["name of"],
        values: &[r#""test""#, r#""Test item""#],
    },
    Entry {
        names: &[
            "text",
            "content",
            "body",
            "message",
            "description",
            "note",
            "comment",
            "prompt",
            "input",
            "value",
            "data",
            "thought",
        ],
        phrases: &[],
        values: &[r#""hello world""#, r#""a""#],
    },
    Entry {
        names: &["tag", "category", "topic", "type", "kind"],
        phrases: &[],
        values: &[r#""test""#, r#""general""#],
    },
    Entry {
        names: &["user", "username", "owner", "author", "assignee"],
        phrases: &["user name"],
        values: &[r#""ann""#],
    },
    Entry {
        names: &["status", "state"],
        phrases: &[],
        values: &[r#""open""#, r#""active""#, r#""pending""#, r#""done""#],
    },
    Entry {
        names: &["priority", "severity", "level"],
        phrases: &[],
        values: &[r#""high""#, r#""low""#, r#""medium""#, r#""info""#, "1"],
    },
    Entry {
        names: &[
            "limit", "count", "size", "max", "page", "depth", "number", "n", "top", "offset",
            "line", "index", "position", "start", "end",
        ],
        phrases: &["maximum number"],
        values: &["1", "10", "5", "0", "2"],
    },
    Entry {
        names: &["width", "height", "x", "y", "left"],
        phrases: &["in pixels"],
        values: &["100", "0", "1", "10"],
    },
    Entry {
        names: &["percent", "percentage", "ratio", "rate", "score", "confidence"],
        phrases: &["percentage"],
        values: &["50", "0.5", "1"],
    },
    Entry {
        names: &["format", "extension", "ext", "encoding"],
        phrases: &["output format"],
        values: &[r#""json""#, r#""markdown""#, r#""text""#, r#""csv""#, r#""utf-8""#],
    },
    Entry {
        names: &["algorithm", "hash"],
        phrases: &["hash algorithm"],
        values: &[r#""sha256""#, r#""md5""#],
    },
    Entry { names: &["method"], phrases: &["http method"], values: &[r#""GET""#, r#""POST""#] },
    Entry { names: &["model"], phrases: &["model name"], values: &[r#""default""#, r#""test""#] },
];

/// Values for a parameter: first those its name asks for, then those its description does.
pub(super) fn values(parameter: &Parameter, description: &str) -> Vec<Value> {
    let joined = parameter.tokens.join("_");
    let lower = description.to_lowercase();
    let mut ranked: Vec<(usize, &Entry)> = ENTRIES
        .iter()
        .filter_map(|entry| Some((rank(entry, &parameter.tokens, &joined, &lower)?, entry)))
        .collect();
    // Stable: equal ranks keep the order of the table.
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked
        .iter()
        .flat_map(|(_, entry)| entry.values)
        .filter_map(|text| serde_json::from_str(text).ok())
        .filter(|value| parameter.types.intersects(allowed_for(value)))
        .collect()
}

/// Integers may stand where numbers may.
fn allowed_for(value: &Value) -> JsonTypes {
    match JsonTypes::of(value) {
        JsonTypes::INTEGER => JsonTypes::INTEGER.with(JsonTypes::NUMBER),
        other => other,
    }
}

/// How well an entry fits, 0 best: the whole name, the name's last word, a phrase of the description, another word.
fn rank(entry: &Entry, tokens: &[String], joined: &str, description: &str) -> Option<usize> {
    // `directory_path` is no path of a file.
    let folder = tokens.iter().any(|word| files::FOLDERS.contains(&word.as_str()));
    if folder && entry.names.contains(&"filepath") {
        return None;
    }
    if entry.names.contains(&joined) {
        return Some(0);
    }
    let is_named = |token: &String| entry.names.contains(&token.as_str());
    if tokens.last().is_some_and(is_named)
        || entry.names.iter().any(|name| name.contains('_') && joined.contains(name))
    {
        return Some(1);
    }
    if entry.phrases.iter().any(|phrase| description.contains(phrase)) {
        return Some(2);
    }
    tokens.iter().any(is_named).then_some(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_json_and_every_name_is_a_token() {
        for entry in ENTRIES {
            for text in entry.values {
                assert!(serde_json::from_str::<Value>(text).is_ok(), "{text}");
            }
            for name in entry.names {
                let tokens = super::super::key_tokens(name).join("_");
                assert_eq!(&tokens, name, "names are matched against singular lower-case tokens");
            }
        }
    }
}
