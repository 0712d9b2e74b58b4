//! What a call costs the tester, as ratios within one run: `cargo bench -p tooltest-tests --bench speed`.
//!
//! The floor is a client that writes a line made beforehand and reads one back, over the same pipes to the same server. Processor
//! time is that of this process without the server's. Measurements of processor time run with tester and server on one processor,
//! since moving between processors costs more than everything that is measured. Every measurement is the median of several rounds.
//!
//! What a call costs depends on where in a run it is: sequences come first, and from about the 900th call on (with 50 tools, the
//! 2,600th), a server that shows no state is screened. The goals are about long runs and are measured where every server here is
//! screened; what a call of a sequence costs, which is all that a short run makes, stands beside them.

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Instant;
use tooltest_core::input::Target;
use tooltest_core::{RunOptions, RunResult, TooltestInput, run_blocking};
use tooltest_tests::served::{Served, http, stdio};

/// As the command has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SERVER: &str = env!("CARGO_BIN_EXE_fast-server");
const ROUNDS: usize = 5;
/// The lengths between which calls of a long run are measured.
const FEW: u64 = 10_000;
const MANY: u64 = 40_000;
/// The same where the clock is looked at: what else a run does takes seconds that differ by tenths.
const LONG: u64 = 200_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [word, calls, args @ ..] = words.as_slice()
        && ["run", "sequences"].contains(&word.as_str())
    {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let calls = calls.parse().expect("a count of calls");
        let input = if word == "run" {
            input(stdio(SERVER, &args), calls)
        } else {
            sequences(&args)(calls)
        };
        let result = run(input);
        // Not every call that a run may make is made.
        let (calls, memory) = (result.budget.calls, peak_memory());
        let _ = writeln!(std::io::stdout(), "calls {calls}\nmemory {memory}");
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
const GOALS: [(&str, Measure); 12] = [
    ("P1", |_| {
        let (floor, ours) = paired(|| floor_stdio(20_000), || per_call(&["--tools=10"]));
        say("P1", "stdio, 10 tools: tester's processor time a call, in floors", ours / floor, 2.0);
    }),
    ("P1s", |_| {
        let (floor, ours) =
            paired(|| floor_stdio(20_000), || between(sequences(&["--tools=10"]), 1_000, 4_000));
        aside("P1s", "P1 where all calls are made in sequences", ours / floor);
    }),
    ("P2", |_| {
        let ours = || timed_between(&|calls| input(stdio(SERVER, &["--tools=10"]), calls));
        let (floor, ours) = paired(|| timed_floor(20_000), ours);
        say(
            "P2",
            "stdio, 10 tools: calls a second, in those of the floor (at least)",
            floor / ours,
            0.55,
        );
    }),
    ("P3", |_| {
        let of = |tools| instructions("run", [20_000, 60_000], tools);
        if let (Some(ten), Some(fifty)) = (of("--tools=10"), of("--tools=50")) {
            say("P3", "instructions a call, 50 tools in units of 10 tools", fifty / ten, 1.1);
        }
    }),
    ("P4", |_| {
        let part = |lengths| instructions("run", lengths, "--unique");
        if let (Some(early), Some(late)) = (part([10_000, 40_000]), part([100_000, 130_000])) {
            let what = "answers all different, instructions: calls 100,000 to 130,000 in units of calls 10,000 to 40,000";
            say("P4", what, late / early, 1.1);
        }
    }),
    ("P4s", |_| {
        let part = |few, many| between(sequences(&["--unique"]), few, many);
        let (early, late) = paired(|| part(500, 1_500), || part(9_000, 11_000));
        let what = "the same in sequences: calls 9,000 to 11,000 in units of calls 500 to 1,500";
        say("P4s", what, late / early, 1.1);
    }),
    ("P10", |_| {
        let (floor, ours) = paired(|| floor_http(10_000), http_per_call);
        say("P10", "HTTP: tester's processor time a call, in floors", ours / floor, 2.5);
    }),
    ("P12", |_| {
        if let Some(instructions) = instructions("run", [10_000, 30_000], "--tools=10") {
            say("P12", "stdio, 10 tools: instructions a call, in thousands", instructions, 20.0);
        }
        if let Some(instructions) = instructions("sequences", [4_000, 8_000], "--tools=10") {
            aside("P12s", "P12 where all calls are made in sequences", instructions);
        }
    }),
    ("P6", |all| {
        restore(all);
        let what = "a tool that always fails: milliseconds until found, confirmed, shrunk and told";
        say("P6", what, median(always_failing), 25.0);
    }),
    ("P7", |all| {
        let ratio = workers(all);
        say("P7", "seconds a call of one worker in units of two's (at least)", ratio, 1.7);
    }),
    ("P8", |all| {
        let together = |in_flight| {
            move |calls| {
                let mut input = input(stdio(SERVER, &[]), calls);
                input.in_flight = in_flight;
                input
            }
        };
        let both = || paired(|| timed_between(&together(1)), || timed_between(&together(8)));
        let (one, eight) = both();
        aside("P8p", "P8 with tester and server on one processor", one / eight);
        restore(all);
        let (one, eight) = both();
        say("P8", "calls a second with 8 under way in units of 1 (at least)", one / eight, 2.5);
    }),
    ("P5", |_| {
        let after = |calls: &str| {
            let own = std::env::current_exe().expect("its path");
            let told = Command::new(own).args(["run", calls, "--unique"]).output();
            figure(&told.expect("it starts").stdout, "memory").expect("it tells its memory")
        };
        let (short, long) = paired(|| after("1000"), || after("100000"));
        let what = "peak memory of a run of 100,000 calls in units of one of 1,000";
        say("P5", what, long / short, 1.05);
    }),
];

/// One line of the table: what was measured, the figure, and the goal.
fn say(goal: &str, what: &str, figure: f64, wanted: f64) {
    let _ = writeln!(std::io::stdout(), "{goal:<4} {figure:>8.2}   goal {wanted:<5} {what}");
}

/// A figure that there is no goal for.
fn aside(name: &str, what: &str, figure: f64) {
    let _ = writeln!(std::io::stdout(), "{name:<4} {figure:>8.2}              {what}");
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

/// Measures on one processor, and leaves all to what comes next. By the clock, one call after another is fastest so: with two, each
/// side waits for the other's processor to wake, which takes many times as long as a call where nothing else keeps them awake.
fn alone(all: &CpuSet, measure: impl Fn() -> f64) -> f64 {
    pin(all);
    let measured = measure();
    restore(all);
    measured
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

fn input(target: Target, calls: u64) -> TooltestInput {
    let mut input = TooltestInput::new(target);
    input.seed = Some(1);
    input.max_calls = calls;
    input.time_limit = 600.0;
    input.failure_dir = String::new();
    input
}

/// Inputs of runs that make all their calls in sequences: how many there are to be is said, however many.
fn sequences(args: &[&str]) -> impl Fn(u64) -> TooltestInput {
    let target = stdio(SERVER, args);
    move |calls| {
        let mut input = input(target.clone(), calls);
        input.cases = Some(u64::MAX);
        input
    }
}

fn run(input: TooltestInput) -> RunResult {
    run_blocking(input, &RunOptions::default()).expect("the fast server starts")
}

/// Processor time a call between two lengths of a run, so that starting and ending cancel out.
fn between(input: impl Fn(u64) -> TooltestInput, few: u64, many: u64) -> f64 {
    let spent = |calls| {
        let before = cpu();
        let made = run(input(calls)).budget.calls;
        (cpu() - before, made)
    };
    difference(spent(few), spent(many))
}

/// The same by the clock.
fn timed_between(input: &dyn Fn(u64) -> TooltestInput) -> f64 {
    let spent = |calls| {
        let started = Instant::now();
        let made = run(input(calls)).budget.calls;
        (started.elapsed().as_secs_f64(), made)
    };
    difference(spent(FEW), spent(LONG))
}

#[expect(clippy::cast_precision_loss, reason = "counts of calls")]
fn difference(few: (f64, u64), many: (f64, u64)) -> f64 {
    (many.0 - few.0) / (many.1 - few.1) as f64
}

fn per_call(args: &[&str]) -> f64 {
    between(|calls| input(stdio(SERVER, args), calls), FEW, MANY)
}

/// Thousands of instructions that a call takes in this process, by callgrind; none where that is not installed.
fn instructions(how: &str, [few, many]: [u64; 2], server: &str) -> Option<f64> {
    let counted = |calls: u64| {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        command.arg(std::env::current_exe().ok()?);
        let told = command.args([how, &calls.to_string(), server]).output().ok()?;
        Some((figure(&told.stderr, "Collected")?, figure(&told.stdout, "calls")?))
    };
    let (few, many) = (counted(few)?, counted(many)?);
    Some((many.0 - few.0) / (many.1 - few.1) / 1_000.0)
}

/// The number at the end of the line that has the word.
fn figure(told: &[u8], word: &str) -> Option<f64> {
    let text = String::from_utf8_lossy(told);
    let line = text.lines().find(|line| line.contains(word))?;
    line.rsplit(' ').next()?.parse().ok()
}

const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool_0","arguments":{"title":"abcdef","count":17,"flag":true}}}"#;

/// Processor time a call of a client that parses nothing.
fn floor_stdio(calls: u32) -> f64 {
    floor(calls).0
}

/// Seconds a call of the same.
fn timed_floor(calls: u32) -> f64 {
    floor(calls).1
}

/// Processor time and seconds a call of a client that parses nothing.
fn floor(calls: u32) -> (f64, f64) {
    let mut server = Command::new(SERVER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut to = server.stdin.take().expect("a pipe");
    let mut from = BufReader::new(server.stdout.take().expect("a pipe"));
    let line = format!("{CALL}\n");
    let mut answer = Vec::new();
    let (before, started) = (cpu(), Instant::now());
    for _ in 0..calls {
        to.write_all(line.as_bytes()).expect("the server reads");
        answer.clear();
        from.read_until(b'\n', &mut answer).expect("the server answers");
    }
    let spent = (cpu() - before) / f64::from(calls);
    let took = started.elapsed().as_secs_f64() / f64::from(calls);
    drop(to);
    let _ = server.wait();
    (spent, took)
}

/// The fast server, listening.
fn listening() -> Served {
    Served::start(Command::new(SERVER).arg("--http"), false)
}

/// The same over a socket that stays open.
fn floor_http(calls: u32) -> f64 {
    let server = listening();
    let address = server.url.trim_start_matches("http://").trim_end_matches("/mcp");
    let mut stream = TcpStream::connect(address).expect("it listens");
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
    let server = listening();
    let spent = |calls| {
        let before = cpu();
        let made = run(input(http(&server), calls)).budget.calls;
        (cpu() - before, made)
    };
    difference(spent(FEW), spent(MANY))
}

fn always_failing() -> f64 {
    let mut input = input(stdio(SERVER, &["--tools=1", "--bug=always"]), 20);
    input.phases = vec![tooltest_core::case::Phase::Stateful];
    let started = Instant::now();
    let result = run_blocking(input, &RunOptions::default()).expect("the fast server starts");
    assert!(
        result.findings.iter().any(|finding| finding.lint == "internal_error"),
        "the bug is found"
    );
    started.elapsed().as_secs_f64() * 1000.0
}

fn workers(all: &CpuSet) -> f64 {
    let with = |workers| {
        move |calls| {
            let mut input = input(stdio(SERVER, &[]), calls);
            input.workers = workers;
            input
        }
    };
    let (one, two) = paired(|| alone(all, || timed_between(&with(1))), || timed_between(&with(2)));
    one / two
}

/// The most memory that this process has had, in KiB.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells it");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("the line is there");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).expect("a number")
}
