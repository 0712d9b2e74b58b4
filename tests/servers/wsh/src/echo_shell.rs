//! A shell that cannot do anything: it repeats lines and knows a few harmless words. Made for tests that type anything.

use std::io::{self, BufRead, Write};

use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

/// Longest answer to `seq`, in lines.
const MOST_LINES: u32 = 10_000;
/// Reads of nothing in a row after which the terminal counts as gone.
const MOST_EMPTY_READS: u32 = 1000;

/// Reads lines until `exit` or the end of the terminal.
pub(crate) fn run() -> io::Result<()> {
    ignore_signal_keys();
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    prompt(&mut output)?;
    let (mut line, mut empty) = (Vec::new(), 0);
    while empty < MOST_EMPTY_READS {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            // Ctrl-D on an empty line: a terminal goes on after it, a closed one stays empty.
            empty += 1;
            continue;
        }
        empty = 0;
        let text = String::from_utf8_lossy(&line);
        if !answer(text.trim_end_matches(['\n', '\r']), &mut output)? {
            break;
        }
        prompt(&mut output)?;
    }
    Ok(())
}

/// Ctrl-C and the like become characters.
fn ignore_signal_keys() {
    let stdin = io::stdin();
    if let Ok(mut modes) = tcgetattr(&stdin) {
        modes.local_modes.remove(LocalModes::ISIG);
        // Where this fails the keys end the program, which harms nobody.
        let _ = tcsetattr(&stdin, OptionalActions::Now, &modes);
    }
}

fn prompt(output: &mut impl Write) -> io::Result<()> {
    output.write_all(b"> ")?;
    output.flush()
}

/// Answers one line. Returns whether to go on.
fn answer(line: &str, output: &mut impl Write) -> io::Result<bool> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match (word, rest) {
        ("exit", "") => return Ok(false),
        ("clear", "") => output.write_all(b"\x1b[2J\x1b[H")?,
        ("alt", "") => output.write_all(b"\x1b[?1049h\x1b[2J\x1b[H")?,
        ("noalt", "") => output.write_all(b"\x1b[?1049l")?,
        ("colors", "") => {
            output
                .write_all(b"\x1b[1;31mred\x1b[0m \x1b[42mgreen\x1b[0m \x1b[4mline\x1b[0m\r\n")?;
        }
        ("seq", count) if count.parse::<u32>().is_ok() => {
            for number in 1..=count.parse().unwrap_or(0).min(MOST_LINES) {
                writeln!(output, "{number}")?;
            }
        }
        ("spin", millis) if millis.parse::<u16>().is_ok() => {
            spin(millis.parse().unwrap_or(0), output)?;
        }
        _ => writeln!(output, "{}", printable(line))?,
    }
    output.flush()?;
    Ok(true)
}

/// Prints something now and then, for at most a minute: a program that is not silent.
fn spin(millis: u16, output: &mut impl Write) -> io::Result<()> {
    for _ in 0..millis / 20 {
        output.write_all(b".")?;
        output.flush()?;
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    writeln!(output)
}

/// The line with control characters made visible, so that no line can drive the terminal.
fn printable(line: &str) -> String {
    let visible = |c: char| match c {
        '\t' => c.to_string(),
        c if c.is_control() => format!("\\u{{{:x}}}", u32::from(c)),
        c => c.to_string(),
    };
    line.chars().map(visible).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> (String, bool) {
        let mut output = Vec::new();
        let on = answer(line, &mut output).unwrap();
        (String::from_utf8(output).unwrap(), on)
    }

    #[test]
    fn lines_come_back_and_words_act() {
        assert_eq!(said("hello  wörld"), ("hello  wörld\n".to_owned(), true));
        assert_eq!(said("seq 3"), ("1\n2\n3\n".to_owned(), true));
        assert_eq!(said("seq x").0, "seq x\n");
        assert_eq!(said("exit"), (String::new(), false));
        assert_eq!(said("exit now"), ("exit now\n".to_owned(), true));
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(said("a\u{1b}[6nb\u{9b}").0, "a\\u{1b}[6nb\\u{9b}\n");
    }
}
