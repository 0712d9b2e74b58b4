//! Server processes.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};

/// Options of a server that can do no harm, whatever is typed.
pub(crate) const SAFE: [&str; 4] = ["--shell", "echo-shell", "--idle-ms", "150"];

/// A server process with its HTTP side.
pub(crate) struct Started {
    pub(crate) child: Child,
    /// `http://ADDRESS` of the HTTP side.
    pub(crate) base: String,
}

/// The command that starts a server, killed when it is dropped.
pub(crate) fn command(how: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wsh"));
    command.arg(how).args(args).env_remove("WSH_TOKEN").env_remove("WSH_LOG").kill_on_drop(true);
    if how == "serve" && !args.contains(&"--bind") {
        command.args(["--bind", "127.0.0.1:0"]);
    }
    command
}

/// Starts a server with piped streams and waits until it listens.
pub(crate) async fn start(how: &str, args: &[&str]) -> Started {
    let mut command = command(how, args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    start_command(command).await
}

/// Starts a prepared command and waits until it listens.
pub(crate) async fn start_command(mut command: Command) -> Started {
    let mut child = command.spawn().unwrap();
    let base = listening(child.stderr.take().unwrap()).await;
    Started { child, base }
}

/// Reads standard error up to the address, and goes on reading in the background.
pub(crate) async fn listening(stderr: impl AsyncRead + Unpin + Send + 'static) -> String {
    let mut lines = BufReader::new(stderr).lines();
    loop {
        let line =
            lines.next_line().await.unwrap().expect("the server tells its address before it ends");
        if let Some((_, base)) = line.split_once("listening on ") {
            let base = base.trim().to_owned();
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return base;
        }
    }
}
