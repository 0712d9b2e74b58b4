//! Endpoints: how a tester reaches a subject, and the server process behind a URL.

use super::catalogue::{ServerName, Transport};
use super::prepare::Programs;
use super::subject::Subject;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// A server has this long to say where it listens.
const START: Duration = Duration::from_secs(60);

/// How a tester reaches a subject.
pub enum Endpoint {
    /// By starting it.
    Command {
        /// The program and its arguments.
        argv: Vec<String>,
        /// Variables besides the inherited ones.
        env: BTreeMap<String, String>,
    },
    /// By its URL.
    Url {
        /// The URL.
        url: String,
        /// The process behind it, ended with this value.
        process: Process,
    },
}

/// A process that ends when this value is dropped.
pub struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Endpoint {
    /// The endpoint of a subject; starts the server where it is reached by URL.
    ///
    /// # Errors
    /// A sentence, where it does not start.
    pub fn open(programs: &Programs, subject: &Subject, marks: &Path) -> Result<Self, String> {
        let argv = argv(programs, subject);
        let env = subject.environment(marks);
        match subject.transport {
            Transport::Stdio => Ok(Self::Command { argv, env }),
            Transport::Http => serve(&argv, &env),
        }
    }
}

fn argv(programs: &Programs, subject: &Subject) -> Vec<String> {
    let http = subject.transport == Transport::Http;
    let text = |path: &Path| path.display().to_string();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    match subject.server {
        ServerName::Crud => {
            let mut argv = vec![text(&programs.python), text(&programs.crud)];
            if http {
                argv.extend(words(&["--http", "0"]));
            }
            argv
        }
        ServerName::Iteratr => {
            let entry = if http { "serve.js" } else { "stdio.js" };
            vec!["node".to_owned(), text(&programs.node_dist.join(entry)), "--memory".to_owned()]
        }
        ServerName::Wsh => {
            let mut argv = vec![text(&programs.wsh)];
            argv.extend(words(if http { &["serve", "--bind", "127.0.0.1:0"] } else { &["mcp"] }));
            // Whatever is typed goes into a shell that can do nothing.
            argv.extend(words(&["--shell", "echo-shell", "--idle-ms", "20"]));
            argv.extend(words(&["--max-wait-ms", "500"]));
            argv
        }
    }
}

/// Starts a server and waits for the line that says where it listens; all lines are read so that it never blocks.
fn serve(argv: &[String], env: &BTreeMap<String, String>) -> Result<Endpoint, String> {
    let mut child = Command::new(&argv[0])
        .args(&argv[1..])
        .envs(env)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", argv[0]))?;
    let (sender, receiver) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        read(stdout, sender.clone());
    }
    if let Some(stderr) = child.stderr.take() {
        read(stderr, sender);
    }
    let process = Process(child);
    let url = receiver.recv_timeout(START).map_err(|_| format!("{argv:?} named no URL"))?;
    Ok(Endpoint::Url { url, process })
}

fn read(pipe: impl Read + Send + 'static, sender: mpsc::Sender<String>) {
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
            if let Some(url) = url(&String::from_utf8_lossy(&line)) {
                // Nobody waits for a second one.
                let _ = sender.send(url);
            }
        }
    });
}

/// The MCP endpoint that a line names.
fn url(line: &str) -> Option<String> {
    let start = line.find("http://127.0.0.1:")?;
    let found: String = line[start..]
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, ':' | '/' | '.'))
        .collect();
    Some(if found.ends_with("/mcp") { found } else { format!("{found}/mcp") })
}

#[cfg(test)]
mod tests {
    use super::url;

    #[test]
    fn the_line_of_each_server_is_understood() {
        let expected = Some("http://127.0.0.1:81/mcp".to_owned());
        assert_eq!(url("Serving MCP on http://127.0.0.1:81/mcp"), expected);
        assert_eq!(url("http://127.0.0.1:81/mcp"), expected);
        assert_eq!(url("INFO wsh: listening on http://127.0.0.1:81\u{1b}[0m"), expected);
        assert_eq!(url("Started"), None);
    }
}
