//! `faulty-server FILE`: a raw MCP server with the fault that a file describes.

use std::io;
use tooltest_tests::faulty::fault::Fault;
use tooltest_tests::faulty::server::Server;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("give a fault file")?;
    let fault: Fault = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    Ok(Server::new(fault, io::stdout()).serve(io::stdin().lock())?)
}
