//! Servers as targets: commands, and processes that listen.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use tooltest_core::input::{HttpTarget, StdioTarget, Target};

/// A server on HTTP; killed when dropped.
#[derive(Debug)]
pub struct Served {
    child: Child,
    /// The address that it told.
    pub url: String,
}

impl Served {
    /// Starts a server and waits for the first line with its address, on standard output or standard error.
    ///
    /// # Panics
    /// Where it does not start, or ends without having told its address.
    pub fn start(command: &mut Command, on_stderr: bool) -> Self {
        let command = command.stdin(Stdio::null());
        let (stdout, stderr) = if on_stderr {
            (Stdio::null(), Stdio::piped())
        } else {
            (Stdio::piped(), Stdio::null())
        };
        let mut child = command.stdout(stdout).stderr(stderr).spawn().expect("the server starts");
        let lines: Box<dyn BufRead + Send> = if on_stderr {
            Box::new(BufReader::new(child.stderr.take().expect("piped")))
        } else {
            Box::new(BufReader::new(child.stdout.take().expect("piped")))
        };
        let mut lines = lines.lines().map_while(Result::ok);
        let url = lines.find_map(|line| {
            let at = line.find("http://127.0.0.1:")?;
            let word = line[at..].split_whitespace().next()?.trim_end_matches(['.', ',']);
            Some(if word.ends_with("/mcp") { word.to_owned() } else { format!("{word}/mcp") })
        });
        // A pipe that nobody reads would stop the server.
        std::thread::spawn(move || lines.for_each(drop));
        Self { url: url.expect("the server tells its address"), child }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server on standard input and output.
pub fn stdio(command: &str, args: &[&str]) -> Target {
    Target::Stdio(StdioTarget {
        command: command.to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        ..StdioTarget::default()
    })
}

/// A server on Streamable HTTP.
pub fn http(served: &Served) -> Target {
    Target::Http(HttpTarget { url: served.url.clone(), ..HttpTarget::default() })
}

/// A server on Streamable HTTP that lets nobody in without this token.
pub fn protected(served: &Served, token: &str) -> Target {
    let auth_token = Some(token.to_owned());
    Target::Http(HttpTarget { url: served.url.clone(), auth_token, ..HttpTarget::default() })
}
