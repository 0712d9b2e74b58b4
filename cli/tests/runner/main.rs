//! The guarded runner as its callers see it: real scripts, real HTTP on this machine, a real browser.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod attacks;
mod browser;
mod harness;
mod http;
mod mcp;
mod pages;
mod report_pages;
mod rest;
