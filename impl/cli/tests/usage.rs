//! What every command shares: usage errors, help, completions, JSON, standard output that goes
//! away.

mod common;

use std::io::Read;
use std::process::Stdio;

use common::Sandbox;

const COMMANDS: [&str; 16] = [
    "demo",
    "init",
    "import",
    "apply",
    "get",
    "list",
    "export",
    "history",
    "diff",
    "prove",
    "verify",
    "commitments",
    "root",
    "status",
    "audit",
    "completions",
];

#[test]
fn help_lists_every_command_and_each_has_help_of_its_own() {
    let sandbox = Sandbox::new();
    let help = sandbox.ok("--help");
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}: {help}");
        assert!(sandbox.ok(&format!("{command} --help")).contains("Usage: aardvark"));
    }
    assert!(sandbox.ok("--version").starts_with("aardvark 0."));
}

#[test]
fn an_archives_processes_have_names_of_their_own_that_demand_what_they_are() {
    let sandbox = Sandbox::with_five_keys();
    for (line, said) in [
        ("archive follow --dir a", "archive follow follows a chain: give it --rpc and --genesis"),
        ("archive follow --store file:///nowhere", "archive follow follows a chain: give it --rpc and --genesis"),
        ("archive front --dir d", "give it --store"),
        ("archive front --store file:///x --dir a --rpc http://h:1 --genesis g", "leave --rpc out"),
        ("archive front --store file:///x --dir nowhere", "nowhere: No such file or directory"),
        ("archive serve-openings --dir d --server b --servers a=http://h:1", "no server of the name b"),
    ] {
        sandbox.refused(line, 2, said);
    }
    // They are the commands of nodes, with their tables of the configuration.
    sandbox.write(
        "a.toml",
        "[archive]\nstore = \"file:///x\"\n[openings]\ndir = \"d\"\nserver = \"a\"\nservers = \"a=http://h:1\"\n",
    );
    for (name, node) in [("front", "archive"), ("follow", "archive"), ("serve-openings", "openings")] {
        let own = sandbox.ok(&format!("archive {name} --config a.toml --print-config"));
        assert_eq!(own, sandbox.ok(&format!("node {node} --config a.toml --print-config")));
        assert!(own.starts_with(&format!("[{node}]\n")), "{own}");
        let help = sandbox.ok(&format!("archive {name} --help"));
        assert!(help.contains(&format!("Usage: aardvark archive {name}")), "{help}");
    }
    let pages = sandbox.path("pages");
    std::fs::create_dir(&pages).unwrap();
    sandbox.ok("man pages");
    for name in ["archive-follow", "archive-front", "archive-serve-openings", "node-keeper", "node-openings"] {
        assert!(sandbox.read(&format!("pages/aardvark-{name}.1")).contains("print\\-config"), "{name}");
    }
    assert!(sandbox.ok("completions bash").contains("serve-openings"));
}

#[test]
fn usage_errors_end_with_exit_code_2() {
    let sandbox = Sandbox::new();
    for line in [
        "",
        "frobnicate",
        "get",
        "get d",
        "get d k --version x",
        "init d --vector-size 0",
        "init d --vector-size many",
        "init d --window -1",
        "import d f --format xml",
        "import d f --block-size 0",
        "verify k p",
        "verify k p --commitments",
        "verify p --range a",
        "prove d k --output",
        "prove d --range a",
        "list",
        "diff d 1",
        "root d --signer x",
        "completions tcsh",
        "status",
        "status d e",
    ] {
        let outcome = sandbox.run(line);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(!outcome.err.is_empty(), "{outcome:?}");
    }
}

#[test]
fn usage_errors_are_json_where_json_was_asked_for() {
    let sandbox = Sandbox::new();
    for (line, says) in [
        ("--json frobnicate", "frobnicate"),
        ("get --json d", "<KEY>"),
        ("init d --vector-size many --json", "many"),
        ("--json", "no command"),
    ] {
        let outcome = sandbox.run(line);
        outcome.demand(2, "error: ");
        let answer: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
        assert_eq!((&answer["result"], &answer["reason"]), (&"malformed".into(), &"Usage".into()), "{line}");
        assert!(answer["error"].as_str().unwrap().contains(says), "{answer}");
        assert!(answer["help"].is_string(), "{answer}");
    }
    assert_eq!(sandbox.run("get d -- --json x").out, "");
}

#[test]
#[cfg(unix)]
fn a_key_that_is_not_utf_8_is_refused_with_the_notation_that_takes_it() {
    use std::os::unix::ffi::OsStrExt;
    let key = std::ffi::OsStr::from_bytes(b"k\xff");
    let sandbox = Sandbox::new();
    let output = sandbox.command(&["get".as_ref(), "d".as_ref(), key]).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && message.contains("after 0x"), "{message}");
}

#[test]
fn status_names_the_kernel_and_the_environment_chooses_it() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4");
    let run = |arguments: &[&str], kernel: &str| {
        let output = sandbox.command(arguments).env("AARDVARK_KERNEL", kernel).output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.code(), out, err)
    };
    let (code, out, _) = run(&["--json", "status", "d"], "scalar");
    let status: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &status["kernel"]), (Some(0), &"scalar".into()));
    assert!(run(&["status", "d"], "scalar").1.contains("scalar"));
    assert!(["scalar", "avx2", "avx512", "ifma"].contains(&sandbox.ok_json("status d")["kernel"].as_str().unwrap()));
    let (code, _, err) = run(&["status", "d"], "abacus");
    assert!(code == Some(2) && err.contains("AARDVARK_KERNEL") && err.contains("abacus"), "{err}");
}

#[test]
fn completions_are_written_for_every_shell() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = sandbox.ok(&format!("completions {shell}"));
        assert!(script.contains("aardvark") && script.contains("vector-size"), "{shell}");
        assert_eq!(sandbox.ok_json(&format!("completions {shell}"))["shell"], shell);
    }
}

#[test]
fn every_command_answers_in_json_when_asked() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.write("none.jsonl", "");
    sandbox.ok("prove d curl -o p.json");
    for line in [
        "init e --vector-size 4",
        "import d five.csv",
        "apply d none.jsonl",
        "get d curl",
        "prove d curl",
        "prove d curl -o q.json",
        "verify curl p.json --commitments c.json",
        "commitments d",
        "commitments d -o c2.json",
        "root d",
        "root d -o r",
        "history d curl",
        "status d",
        "audit d",
    ] {
        assert!(sandbox.ok_json(line).is_object(), "{line}");
    }
    for line in ["get d 0xzz", "get missing curl", "import d missing.csv", "verify curl five.csv --commitments c.json"]
    {
        let outcome = sandbox.run(&format!("--json {line}"));
        outcome.demand(2, "error: ");
        let answer: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
        assert_eq!(answer["result"], "malformed", "{line}");
        assert!(outcome.err.contains(answer["error"].as_str().unwrap()), "{outcome:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error_and_a_full_standard_output_is() {
    let sandbox = Sandbox::with_five_keys();
    let mut child = sandbox.command(&["commitments", "d"]);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));

    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        let output = sandbox.command(&["commitments", "d"]).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("standard output"));
    }
}

/// Milliseconds on a machine on which a process starts in one: on others it is compared with that.
#[test]
fn verifying_takes_milliseconds_as_a_whole_process() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.ok("prove d curl -o p.json");
    let time = |line: &str| {
        let start = std::time::Instant::now();
        sandbox.ok(line);
        start.elapsed()
    };
    let times: Vec<_> = (0..10).map(|_| (time("--version"), time("verify curl p.json --commitments c.json"))).collect();
    let starting = times.iter().map(|(starting, _)| *starting).min().unwrap();
    let verifying = times.iter().map(|(_, verifying)| *verifying).min().unwrap();
    assert!(verifying < 60 * starting, "{verifying:?}, and {starting:?} to start, even without optimization");
}
