//! The program as its user sees it: what it prints, and how it refuses.

use std::path::PathBuf;
use std::process::Command;

use backoff_lab::chart::Terminal;
use backoff_lab::cli::{Cli, run};
use clap::CommandFactory as _;

const PLAIN: Terminal = Terminal { width: 80, colours: false };

fn shown_on(terminal: Terminal, args: &[&str]) -> Result<String, String> {
    let args = ["backoff-lab"].iter().chain(args);
    let cli = Cli::read(args).map_err(|error| error.to_string())?;
    let mut screen = Vec::new();
    run(cli, &mut screen, terminal).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(screen).unwrap())
}

fn shown(args: &[&str]) -> String {
    shown_on(PLAIN, args).unwrap()
}

fn refused(args: &[&str]) -> String {
    let refused = shown_on(PLAIN, args).unwrap_err();
    // what follows is the same for all: usage, and where to find help
    refused.split("\n\nFor more").next().unwrap_or_default().to_owned()
}

/// A file that is gone after the test.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("backoff-lab-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_schedule_is_a_sentence_tables_and_bars() {
    assert_eq!(
        shown(&["schedule", "--operation", "30ms", "--clients", "20", "--draws", "10"]),
        "\
What the policy does
200ms x2, no jitter, budget 3.5s, trim
When every attempt fails after 30ms, a run makes 6 attempts and takes 3.53s.
20 clients that all fail make about 120 calls.
warning: 20 clients that fail together come back together, at every retry:
  spread them with `jitter = \"full\"`

Sleeps
retry  delay    min    p10    p50    p90    max     runs
    1  200ms  200ms  200ms  200ms  200ms  200ms  100.0 %
    2  400ms  400ms  400ms  400ms  400ms  400ms  100.0 %
    3  800ms  800ms  800ms  800ms  800ms  800ms  100.0 %
    4   1.6s   1.6s   1.6s   1.6s   1.6s   1.6s  100.0 %
    5   3.2s  350ms  350ms  350ms  350ms  350ms  100.0 %

A whole run
of a run    min    p10    p50    p90    max
attempts      6      6      6      6      6
slept     3.35s  3.35s  3.35s  3.35s  3.35s
total     3.53s  3.53s  3.53s  3.53s  3.53s

How long each sleep lasts
█ nine in ten are longer, ▓ one in ten is longer, ░ the longest
200ms x2, no jitter, budget 3.5s, trim: sleep, s
retry 1  ███████ 0.20
retry 2  █████████████ 0.40
retry 3  ██████████████████████████ 0.80
retry 4  ████████████████████████████████████████████████████ 1.60
retry 5  ███████████ 0.35

"
    );
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let args = ["herd", "--clients", "10"];
    let plain = shown(&args);
    let coloured = shown_on(Terminal { colours: true, ..PLAIN }, &args).unwrap();
    assert!(!plain.contains('\u{1b}'));
    assert!(coloured.contains("\u{1b}[38;5;166m"));
    assert_eq!(console::strip_ansi_codes(&coloured), plain);
    assert!(plain.lines().all(|line| console::measure_text_width(line) <= 80), "{plain}");
}

#[test]
fn a_wrong_flag_says_what_is_accepted() {
    for (args, sentence) in [
        (
            &["schedule", "--initial", "0s"][..],
            "error: invalid value '0s' for '--initial <TIME>': `initial` can't be `0s`: the first delay must be longer than \
             zero, such as `200ms`",
        ),
        (
            &["schedule", "--budget", "soon"],
            "error: invalid value 'soon' for '--budget <TIME>': `budget` can't be `soon`: it is the total time of a run, such as \
             `3.5s`, or \"unlimited\"",
        ),
        (
            &["schedule", "--jitter", "decorrelated"],
            "error: invalid value 'decorrelated' for '--jitter <JITTER>': `jitter` can't be `decorrelated`: it replaces the \
             growth instead of spreading it, and piles a quarter of its draws on the cap; choose `full`",
        ),
        (
            &["schedule", "--multiplier", "two"],
            "error: invalid value 'two' for '--multiplier <NUMBER>': it takes a number, such as `2.0`",
        ),
        (
            &["herd", "--interval", "0s"],
            "error: invalid value '0s' for '--interval <TIME>': it must be longer than zero, such as `10ms`",
        ),
        (
            &["contention", "--waits", "full,half"],
            "error: invalid value 'half' for '--waits <WORDS>': `half` is no way to wait: choose `none`, `expo`, `equal`, \
             `full`, `decorr` or `preset`",
        ),
        (
            &["outage", "--strategies", "ful"],
            "error: invalid value 'ful' for '--strategies <WORDS>': `ful` is no strategy: choose from `none`, `fixed`, \
             `exponential`, `equal`, `full`, `decorrelated`, `hint`, `pacer`, `annealed`, `budget`, `queue`, `preset`; did you mean `full`?",
        ),
        (
            &["outage", "--jitter", "full"],
            "every strategy has its own jitter: choose with `--strategies`, such as `--strategies none,full`",
        ),
        (
            &["outage", "--load", "heavy"],
            "error: invalid value 'heavy' for '--load <SHARE>': it takes a number, such as `0.9`",
        ),
        (&["outage", "--load", "0"], "`load` can't be `0`: it must be above 0 and at most 10"),
        (&["outage", "--processes", "0"], "`processes` can't be `0`: it must be from 1 to 10,000,000"),
        (
            &["pacer", "--modes", "slow"],
            "error: invalid value 'slow' for '--modes <WORDS>': `slow` is no mode of a pacer: choose `literal`, `annealed` or \
             `cubic`",
        ),
        (&["outage", "--line-share", "11"], "`--line-share` can't be `11`: it must be from 0 to 10"),
        (&["outage", "--strategies", "pacer", "--pacer-down", "-0.5"], "`down` of a pacer must be from 0.1 to 1"),
        (&["outage", "--strategies", "pacer", "--pacer-up", "0.5"], "`up` of a pacer must be from 1 to 100"),
        (&["pacer", "--down", "2"], "`down` of a pacer must be from 0.1 to 1"),
        (
            &["schedule", "--attribute", "intial = \"1s\""],
            "in the attribute: unknown option `intial`; did you mean `initial`?",
        ),
        (
            &["herd", "--attribute", "", "--attribute", ""],
            "one policy is enough here: give `--attribute` once, or use `backoff-lab schedule` for nested ones",
        ),
    ] {
        assert_eq!(refused(args), sentence);
    }
    assert!(
        refused(&["schedule", "--attribute", "", "--initial", "1s"])
            .starts_with("error: the argument '--attribute <TEXT>' cannot be used with:\n  --initial <TIME>")
    );
}

#[test]
fn a_policy_comes_from_a_table_of_a_file() {
    let file = File::new(
        "policy.toml",
        "[client.orders]\njitter = \"full\"\nmax_attempts = 3\n[client.pay]\nbudget = \"1s\"\n",
    );
    let text = shown(&["schedule", "--file", file.path(), "--table", "client.orders"]);
    assert!(text.contains("\n200ms x2, full jitter, budget 3.5s, spread, 3 attempts\n"), "{text}");

    let nested = format!("{}#client.pay", file.path());
    let text = shown(&["schedule", "--file", file.path(), "--table", "client.orders", "--nested", &nested]);
    let words: Vec<_> = text.split_whitespace().collect();
    assert!(words.join(" ").contains("one call comes to 3 x 4 = 12 attempts of the operation;"), "{text}");

    let in_file = |problem: &str| format!("in {}{problem}", file.path());
    assert_eq!(
        refused(&["schedule", "--file", file.path(), "--table", "client.order"]),
        in_file(": there is no table `client.order`; there are `client.orders`, `client.pay`")
    );
    assert_eq!(
        refused(&["schedule", "--file", file.path()]),
        in_file(
            ", line 1: unknown field `client`, expected one of `initial`, `budget`, `multiplier`, `max_delay`, `max_attempts`, \
             `jitter`, `final_sleep`, `max_hint`; choose a table of the file, for example `--table client.orders`"
        )
    );
    assert_eq!(
        refused(&["schedule", "--file", file.path(), "--table", "client"]),
        in_file(
            ", line 1: unknown field `orders`, expected one of `initial`, `budget`, `multiplier`, `max_delay`, `max_attempts`, \
             `jitter`, `final_sleep`, `max_hint`; choose a table of the file, for example `--table client.orders`"
        )
    );
    assert!(refused(&["schedule", "--file", "nowhere.toml"]).starts_with("can't read nowhere.toml: "));
}

#[test]
fn a_negative_value_is_refused_as_a_value() {
    for (args, sentence) in [
        (
            &["schedule", "--initial", "-1s"][..],
            "error: invalid value '-1s' for '--initial <TIME>': `initial` can't be `-1s`: a duration can't be negative, write it \
             without `-`",
        ),
        (
            &["schedule", "--budget", "-1s"],
            "error: invalid value '-1s' for '--budget <TIME>': `budget` can't be `-1s`: a duration can't be negative, write it \
             without `-`",
        ),
        (
            &["schedule", "--multiplier", "-2"],
            "error: invalid value '-2' for '--multiplier <NUMBER>': `multiplier` can't be `-2`: it must be a finite number \
             greater than 1, such as `2.0`; for a constant delay set `max_delay` equal to `initial`",
        ),
        (
            &["schedule", "--max-attempts", "-1"],
            "error: invalid value '-1' for '--max-attempts <COUNT>': it takes a whole number, from 1 to 4294967295",
        ),
        (
            &["schedule", "--rows", "-1"],
            "error: invalid value '-1' for '--rows <COUNT>': it takes a whole number, from 1 to 65535",
        ),
        (
            &["herd", "--clients", "-5"],
            "error: invalid value '-5' for '--clients <COUNT>': it takes a whole number of at most 4294967295, such as `100`",
        ),
        (
            &["contention", "--clients", "-5,10"],
            "error: invalid value '-5' for '--clients <COUNTS>': it takes a whole number of at most 4294967295, such as `100`",
        ),
        (
            &["outage", "--leg", "-10ms"],
            "error: invalid value '-10ms' for '--leg <TIME>': `-10ms` is not a duration: a duration can't be negative, \
             write it without `-`",
        ),
        (&["outage", "--load", "-1"], "`load` can't be `-1`: it must be above 0 and at most 10"),
        (&["pacer", "--limits", "-1"], "a limit can't be `-1`: it must be from 0.01 to 10000 calls a second"),
        (&["outage", "--line-share", "-.5"], "`--line-share` can't be `-0.5`: it must be from 0 to 10"),
        // A flag whose value was left out is still one.
        (
            &["schedule", "--initial", "--budget", "1s"],
            "error: a value is required for '--initial <TIME>' but none was supplied",
        ),
        (
            &["outage", "--queue", "-1"],
            "error: unexpected value '-1' for '--queue' found; no more were expected\n\nUsage: backoff-lab outage --queue",
        ),
    ] {
        assert_eq!(refused(args), sentence);
    }
    // No flag takes a negative value for a flag.
    for command in Cli::command().get_subcommands() {
        for flag in command.get_arguments().filter_map(clap::Arg::get_long).filter(|flag| *flag != "help") {
            let read = Cli::read(["backoff-lab", command.get_name(), &format!("--{flag}"), "-1ms"]);
            let problem = read.map_or_else(|error| error.to_string(), |_| String::new());
            assert!(!problem.contains("unexpected argument"), "--{flag}: {problem}");
        }
    }
}

/// Every table that a sentence names is found under that name.
#[test]
fn a_table_is_found_under_the_name_that_is_proposed_for_it() {
    let file = File::new(
        "proposed.toml",
        "[retry.\"api.example.com\".orders]\nmax_attempts = 3\n[retry.api]\nmax_attempts = 2\n[retry.none]\nname = \"none\"\n",
    );
    let of = |table: &'static str| shown_on(PLAIN, &["schedule", "--file", file.path(), "--table", table]);
    for (table, end) in [
        ("", "there is no table ``; there are `retry`"),
        ("retry", "choose a table of the file, for example `--table retry.api.example.com.orders`"),
        ("retry.ap", "there is no table `retry.ap`; there are `retry.api.example.com`, `retry.api`, `retry.none`"),
        ("retry.api.example.com", "for example `--table retry.api.example.com.orders`"),
        ("retry.api.x", "there is no table `retry.api.x`, nor any other at that place"),
    ] {
        let problem = of(table).unwrap_err();
        assert!(problem.ends_with(end), "{problem}");
    }
    assert!(of("retry.api.example.com.orders").unwrap().contains(", 3 attempts\n"));
    assert!(of("retry.api").unwrap().contains(", 2 attempts\n"));
    // Another table would not mend what is no name of a table.
    assert_eq!(
        of("retry.none").unwrap_err(),
        format!(
            "in {}, line 6: unknown field `name`, expected one of `initial`, `budget`, `multiplier`, `max_delay`, \
             `max_attempts`, `jitter`, `final_sleep`, `max_hint`",
            file.path()
        )
    );
}

#[test]
fn a_wrong_value_in_a_file_is_refused_with_its_line() {
    for (text, sentence) in [
        (
            "initial = \"200 ms\"\n",
            ", line 1: `initial` can't be `200 ms`: no space between a number and its unit; did you mean `200ms`?",
        ),
        (
            "# ours\r\n\r\nmultiplier = 1.0\r\n[other]\r\n",
            ", line 3: `multiplier` can't be `1`: it must be a finite number greater than 1, such as `2.0`; for a constant \
             delay set `max_delay` equal to `initial`",
        ),
        (
            "jitter = \"full\"\nmax_attempts = 0",
            ", line 2: `max_attempts` can't be `0`: it counts the first attempt, so use 1 to 4294967295; leave it out for no \
             limit",
        ),
        (
            "\nbudget = 10\n",
            ", line 2: invalid type: integer `10`, expected `budget` as text with a unit, such as \"3.5s\", or \"unlimited\"",
        ),
        ("\n\nintial = \"1s\"\n", ", line 3: unknown field `intial`; did you mean `initial`?"),
        ("jitter = full\n", ": TOML parse error at line 1, column 10"),
    ] {
        let file = File::new("wrong.toml", text);
        let problem = refused(&["schedule", "--file", file.path()]);
        assert_eq!(problem.lines().next(), Some(format!("in {}{sentence}", file.path()).as_str()));
    }
}

#[test]
fn files_hold_what_the_screen_shows() {
    let [csv, svg, html] = ["h.csv", "h.svg", "h.html"].map(|name| File::new(name, ""));
    let curves =
        File(csv.0.with_file_name(csv.0.file_name().unwrap().to_str().unwrap().replace(".csv", "-curves.csv")));
    let args = ["herd", "--clients", "10", "--jitter", "none", "--final-sleep", "trim"];
    let files = ["--csv", csv.path(), "--svg", svg.path(), "--html", html.path()];
    let text = shown(&args.iter().chain(&files).copied().collect::<Vec<_>>());
    for file in [&csv, &svg, &html, &curves] {
        assert!(text.contains(&format!("written: {}\n", file.path())), "{text}");
    }
    assert_eq!(
        csv.text(),
        "jitter,final sleep,attempts,per client,peak,peak at (s),of all clients\r\nnone,trim,60,6,10,0.2,1\r\n"
    );
    assert!(curves.text().contains("\"no jitter, trim\",arrivals,0.2,10\r\n"));
    assert!(svg.text().starts_with("<svg width=\"860\" height=\""));
    assert!(html.text().contains("<td class=\"text\">trim</td><td>60</td>"));
    assert!(
        refused(&["herd", "--clients", "10", "--svg", "no/such/place.svg"])
            .starts_with("can't write no/such/place.svg: ")
    );
}

#[test]
fn the_program_itself_says_no_on_standard_error() {
    let lab = || Command::new(env!("CARGO_BIN_EXE_backoff-lab"));
    let refused = lab().args(["schedule", "--attribute", "max_attempts = 0"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty());
    assert_eq!(
        String::from_utf8_lossy(&refused.stderr),
        "error: in the attribute: `max_attempts` can't be `0`: it counts the first attempt, so use 1 to 4294967295; leave it out \
         for no limit\n"
    );
    let shown = lab().args(["contention", "--clients", "2", "--repeats", "2"]).output().unwrap();
    assert!(shown.status.success());
    assert!(shown.stderr.is_empty(), "no bar where there is no terminal");
    assert!(!shown.stdout.contains(&0x1b), "no colours where there is no terminal");
}
