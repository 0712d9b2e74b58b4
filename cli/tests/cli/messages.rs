//! What goes wrong is told in one message, with the right exit code.

use crate::harness::Place;

#[test]
fn wrong_command_lines_are_explained() {
    let place = Place::new();
    let input =
        place.write("input.json", r#"{"target": {"stdio": {"command": "x"}}, "max_call": 3}"#);
    let input = input.to_str().unwrap();
    let cases: &[(&[&str], &[&str])] = &[
        (&["run"], &["no server is named", "tooltest run -- python server.py"]),
        (
            &["run", "python", "server.py"],
            &["`python` is not a URL", "tooltest run -- python server.py"],
        ),
        (&["run", "--max-cals", "3", "--", "x"], &["--max-calls"]),
        (&["run", "--max-calls", "0", "--", "x"], &["max_calls: must be at least 1"]),
        (&["run", "--time-limit=-1", "--", "x"], &["time_limit: must be"]),
        (&["run", "--phases", "negativ", "--", "x"], &["did you mean `negative`?"]),
        (
            &["run", "--protocol-version", "2020-01-01", "--", "x"],
            &["protocol_version", "2025-11-25"],
        ),
        (&["run", "ftp://x/"], &["target.http.url: must be an http or https URL"]),
        (&["run", "http://"], &["target.http.url"]),
        (&["run", "--input", input], &["unknown field `max_call`; did you mean `max_calls`?"]),
        (&["run", "--input", "absent.json"], &["absent.json: no such file"]),
        (&["run", "--report", "sarrif", "--", "x"], &["did you mean `sarif`?"]),
        (
            &["run", "--json", "--report", "junit", "--", "x"],
            &["cannot both go to standard output", "--report json=FILE"],
        ),
        (
            &["run", "--baseline", "absent.json", "--", "x"],
            &["absent.json: no such file", "--update-baseline"],
        ),
        (&["run", "--config", "absent.toml", "--", "x"], &["absent.toml"]),
        (&["run", "--server", "x"], &["no client configuration file was found"]),
        (&["run", "--quick", "--deep", "--", "x"], &["cannot be used with"]),
        (&["report", input], &["not a result of tooltest"]),
        (&["report", "a.json", "b.json"], &["--merge"]),
        (&["lints", "explain", "no_crsh"], &["did you mean `no_crash`?"]),
        (&["config", "check", input], &["input.json:1"]),
        (&["call", "t", "a", "--", "x"], &[]),
        (&["replay", "absent"], &["absent: no such file"]),
        (&["diff", input, input], &["holds no lists"]),
        (&["frobnicate"], &["unrecognized subcommand"]),
    ];
    for (args, words) in cases {
        let done = place.run(args);
        if !args.starts_with(&["call"]) {
            done.fails(2, words);
        }
        assert_eq!(done.out, "", "{args:?} wrote to standard output");
    }
}

#[test]
fn servers_that_do_not_start_are_told_from_wrong_usage() {
    let place = Place::new();
    let cases: &[(&[&str], &[&str])] = &[
        (&["run", "--", "./no-such-program"], &["no program `./no-such-program` was found"]),
        (
            &["run", "--", "sh", "-c", "echo first words >&2; exit 3"],
            &["exit code 3", "first words"],
        ),
        (&["run", "--cwd", "/no/such", "--command", "sh"], &["working directory `/no/such`"]),
        (&["run", "http://127.0.0.1:9/mcp"], &["127.0.0.1:9", "refused"]),
        (
            &["run", "--startup-timeout", "1", "--", "sh", "-c", "cat > /dev/null"],
            &["did not answer", "--startup-timeout"],
        ),
        (&["list", "--", "./no-such-program"], &["no program"]),
        (&["call", "t", "--", "./no-such-program"], &["no program"]),
        (&["lint", "--", "./no-such-program"], &["no program"]),
    ];
    for (args, words) in cases {
        place.run(args).fails(3, words);
    }
}
