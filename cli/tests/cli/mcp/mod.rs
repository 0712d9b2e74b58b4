//! `tooltest mcp`, spoken to as clients do.

mod attach;
mod attacks;
mod client;
mod http;
mod leaving;
mod oneself;
mod sdk;
mod stdio;
mod web;
