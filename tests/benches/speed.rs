//! What a call costs the tester, as ratios within one run: `cargo bench -p tooltest-tests --bench speed`.
//!
//! The floor is a client that writes a line made beforehand and reads one back, over the same pipes to the same server. Processor
//! time is that of this process without the server's. Measurements of processor time run with tester and server on one processor,
//! since moving between processors costs more than everything that is measured. Every measurement is the median of several rounds.

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Instant;
use tooltest_core::input::{HttpTarget, StdioTarget, Target};
use tooltest_core::{RunOptions, RunResult, TooltestInput, run_blocking};

/// As the command has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SERVER: &str = env!("CARGO_BIN_EXE_fast-server");
const ROUNDS: usize = 5;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [word, calls, args @ ..] = words.as_slice()
        && word == "run"
    {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let result = run(stdio(&args), calls.parse().expect("a count of calls"));
        // Not every call that a run may make is made.
        let _ = writeln!(std::io::stdout(), "calls {}", result.budget.calls);
        return;
    }
    let all = sched_getaffinity(None).expect("Linux tells the processors");
    for (goal, measure) in GOALS {
        if words.is_empty() || words.iter().any(|word| word == goal) {
            pin(&all);
            measure(&all);
        }
    }
}

/// What measures a goal.
type Measure = fn(&CpuSet);

/// The goals by name, in the order measured: what takes memory comes last.
const GOALS: [(&str, Measure); 8] = [
    ("P1", |_| {
        let (floor, ours) = paired(|| floor_stdio(20_000), || per_call(&["--tools=10"]));
        say("P1", "stdio, 10 tools: tester's processor time a call, in floors", ours / floor, 2.0);
    }),
    ("P3", |_| {
        let (ten, fifty) = paired(|| per_call(&["--tools=10"]), || per_call(&["--tools=50"]));
        say("P3", "the same, 50 tools in units of 10 tools", fifty / ten, 1.1);
    }),
    ("P4", |_| {
        let early = || between(&["--unique"], 500, 1_500);
        let (early, late) = paired(early, || between(&["--unique"], 9_000, 11_000));
        let what = "answers all different: calls 9,000 to 11,000 in units of calls 500 to 1,500";
        say("P4", what, late / early, 1.1);
    }),
    ("P10", |_| {
        let (floor, ours) = paired(|| floor_http(5_000), http_per_call);
        say("P10", "HTTP: tester's processor time a call, in floors", ours / floor, 2.5);
    }),
    ("P12", |_| {
        if let Some(instructions) = instructions() {
            say("P12", "stdio, 10 tools: instructions a call, in thousands", instructions, 20.0);
        }
    }),
    ("P6", |all| {
        restore(all);
        let what = "a tool that always fails: milliseconds until found, confirmed, shrunk and told";
        say("P6", what, median(always_failing), 25.0);
    }),
    ("P7", |all| {
        restore(all);
        say("P7", "one worker's seconds in units of two workers' (at least)", workers(), 1.7);
    }),
    ("P5", |_| {
        run(stdio(&["--unique"]), 1_000);
        let short = peak_memory();
        run(stdio(&["--unique"]), 100_000);
        let what = "peak memory after 100,000 calls in units of that after 1,000";
        say("P5", what, peak_memory() / short, 1.05);
    }),
];

/// One line of the table: what was measured, the figure, and the goal.
fn say(goal: &str, what: &str, figure: f64, wanted: f64) {
    let _ = writeln!(std::io::stdout(), "{goal:<4} {figure:>8.2}   goal {wanted:<5} {what}");
}

fn pin(all: &CpuSet) {
    let mut one = CpuSet::new();
    let last = (0..CpuSet::MAX_CPU).rev().find(|cpu| all.is_set(*cpu)).unwrap_or(0);
    one.set(last);
    // Without it the figures are noisier, not wrong.
    let _ = sched_setaffinity(None::<Pid>, &one);
}

fn restore(all: &CpuSet) {
    let _ = sched_setaffinity(None::<Pid>, all);
}

/// Seconds of processor time that this process has used.
fn cpu() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    #[expect(clippy::cast_precision_loss, reason = "a clock's digits beyond 2^53 ns do not matter")]
    let seconds = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    seconds
}

fn median(measure: impl Fn() -> f64) -> f64 {
    middle((0..ROUNDS).map(|_| measure()).collect())
}

/// The medians of two measurements that take turns, so that what else the machine does falls on both.
fn paired(one: impl Fn() -> f64, other: impl Fn() -> f64) -> (f64, f64) {
    let (ones, others) = (0..ROUNDS).map(|_| (one(), other())).unzip();
    (middle(ones), middle(others))
}

fn middle(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn stdio(args: &[&str]) -> Target {
    Target::Stdio(StdioTarget {
        command: SERVER.to_owned(),
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
        ..StdioTarget::default()
    })
}

fn input(target: Target, calls: u64) -> TooltestInput {
    let mut input = TooltestInput::new(target);
    input.seed = Some(1);
    input.max_calls = calls;
    input.time_limit = 600.0;
    input.failure_dir = String::new();
    input
}

fn run(target: Target, calls: u64) -> RunResult {
    run_blocking(input(target, calls), &RunOptions::default()).expect("the fast server starts")
}

/// Processor time a call between two lengths of a run, so that starting and ending cancel out.
fn between(args: &[&str], few: u64, many: u64) -> f64 {
    let spent = |calls| {
        let before = cpu();
        let made = run(stdio(args), calls).budget.calls;
        (cpu() - before, made)
    };
    difference(spent(few), spent(many))
}

#[expect(clippy::cast_precision_loss, reason = "counts of calls")]
fn difference(few: (f64, u64), many: (f64, u64)) -> f64 {
    (many.0 - few.0) / (many.1 - few.1) as f64
}

fn per_call(args: &[&str]) -> f64 {
    between(args, 1_000, 6_000)
}

/// Thousands of instructions that a call takes in this process, by callgrind; none where that is not installed.
fn instructions() -> Option<f64> {
    let counted = |calls: &str| {
        let own = std::env::current_exe().ok()?;
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(own);
        let told = command.args(["run", calls, "--tools=10"]).output().ok()?;
        let last = |bytes, word| {
            let text = String::from_utf8(bytes).ok()?;
            let line = text.lines().find(|line| line.contains(word))?;
            line.rsplit(' ').next()?.parse::<f64>().ok()
        };
        Some((last(told.stderr, "Collected")?, last(told.stdout, "calls")?))
    };
    let (few, many) = (counted("10000")?, counted("30000")?);
    Some((many.0 - few.0) / (many.1 - few.1) / 1_000.0)
}

const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool_0","arguments":{"title":"abcdef","count":17,"flag":true}}}"#;

/// Processor time a call of a client that parses nothing.
fn floor_stdio(calls: u32) -> f64 {
    let mut server = Command::new(SERVER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut to = server.stdin.take().expect("a pipe");
    let mut from = BufReader::new(server.stdout.take().expect("a pipe"));
    let line = format!("{CALL}\n");
    let mut answer = Vec::new();
    let before = cpu();
    for _ in 0..calls {
        to.write_all(line.as_bytes()).expect("the server reads");
        answer.clear();
        from.read_until(b'\n', &mut answer).expect("the server answers");
    }
    let spent = (cpu() - before) / f64::from(calls);
    drop(to);
    let _ = server.wait();
    spent
}

/// A server process that listens; ended when dropped.
struct Listening(Child, u16);

impl Listening {
    fn start() -> Self {
        let mut server = Command::new(SERVER)
            .arg("--http")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        BufReader::new(server.stdout.take().expect("a pipe"))
            .read_line(&mut line)
            .expect("it tells its port");
        Self(server, line.trim().parse().expect("a port"))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The same over a socket that stays open.
fn floor_http(calls: u32) -> f64 {
    let server = Listening::start();
    let mut stream = TcpStream::connect(("127.0.0.1", server.1)).expect("it listens");
    stream.set_nodelay(true).expect("a socket option");
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{CALL}",
        CALL.len()
    );
    let mut buffer = [0; 4096];
    let before = cpu();
    for _ in 0..calls {
        stream.write_all(request.as_bytes()).expect("the server reads");
        let mut seen = 0;
        // Every answer is one small segment that ends with the object's brace.
        while seen == 0 || buffer[seen - 1] != b'}' {
            seen += stream.read(&mut buffer[seen..]).expect("the server answers");
        }
    }
    (cpu() - before) / f64::from(calls)
}

fn http_per_call() -> f64 {
    let server = Listening::start();
    let url = format!("http://127.0.0.1:{}/mcp", server.1);
    let spent = |calls| {
        let before = cpu();
        let target = Target::Http(HttpTarget { url: url.clone(), ..HttpTarget::default() });
        let made = run(target, calls).budget.calls;
        (cpu() - before, made)
    };
    difference(spent(500), spent(3_000))
}

fn always_failing() -> f64 {
    let mut input = input(stdio(&["--tools=1", "--bug=always"]), 20);
    input.phases = vec![tooltest_core::case::Phase::Stateful];
    let started = Instant::now();
    let result = run_blocking(input, &RunOptions::default()).expect("the fast server starts");
    assert!(
        result.findings.iter().any(|finding| finding.lint == "internal_error"),
        "the bug is found"
    );
    started.elapsed().as_secs_f64() * 1000.0
}

fn workers() -> f64 {
    let timed = |workers| {
        let mut input = input(stdio(&[]), 30_000);
        input.workers = workers;
        let started = Instant::now();
        run_blocking(input, &RunOptions::default()).expect("the fast server starts");
        started.elapsed().as_secs_f64()
    };
    median(|| timed(1) / timed(2))
}

/// The most memory that this process has had, in KiB.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells it");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("the line is there");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).expect("a number")
}
