//! Nodes told by flags, environment and a file.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot set its scene has failed")]

mod common;

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use common::Sandbox;

const FILE: &str = r#"
[archive]
dir = "d"
listen = "127.0.0.1:0"
connections = 7
rpc = ["http://one:1", "http://two:2"]
genesis = "genesis.json"
warm = true

[validator]
home = "v"
genesis = "genesis.json"
tables = 64
halt-height = 7
upgrade-at = ["2=9"]

[keeper]
dir = "k"
min-rows = 5
operations = "127.0.0.1:0"

[openings]
dir = "d"
server = "a"
servers = "a=http://127.0.0.1:1"
"#;

/// What `--print-config` says, with some environment.
fn printed(sandbox: &Sandbox, line: &str, environment: &[(&str, &str)]) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let output = sandbox.command(&words).arg("--print-config").envs(environment.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_flag_goes_before_the_environment_and_that_before_the_file() {
    let sandbox = Sandbox::new();
    sandbox.write("a.toml", FILE);
    let of_file = printed(&sandbox, "node archive --config a.toml", &[]);
    let lines = |text: &str, expected: &[&str]| {
        expected.iter().for_each(|line| assert!(text.lines().any(|found| found == *line), "{line} in\n{text}"));
    };
    lines(
        &of_file,
        &[
            "[archive]",
            "dir = \"d\"  # file",
            "connections = 7  # file",
            "rpc = [\"http://one:1\", \"http://two:2\"]  # file",
            "warm = true  # file",
            "openings = 256  # default",
            "# operations is not set",
        ],
    );
    let environment = [
        ("AARDVARK_ARCHIVE_CONFIG", "a.toml"),
        ("AARDVARK_ARCHIVE_CONNECTIONS", "8"),
        ("AARDVARK_ARCHIVE_RPC", "http://three:3, http://four:4"),
        ("AARDVARK_ARCHIVE_WARM", "false"),
        ("AARDVARK_ARCHIVE_LISTEN", "127.0.0.1:1"),
        ("AARDVARK_VALIDATOR_HOME", "elsewhere"),
    ];
    let of_all = printed(&sandbox, "node archive --listen 127.0.0.1:2 --log=warn", &environment);
    lines(
        &of_all,
        &[
            "dir = \"d\"  # file",
            "listen = \"127.0.0.1:2\"  # flag",
            "connections = 8  # environment",
            "rpc = [\"http://three:3\", \"http://four:4\"]  # environment",
            "warm = false  # environment",
            "log = \"warn\"  # flag",
            "genesis = \"genesis.json\"  # file",
        ],
    );
    // What is printed is a file that says the same.
    sandbox.write("b.toml", &of_all);
    let again = printed(&sandbox, "node archive --config b.toml", &[]);
    let values = |text: &str| text.lines().map(|line| line.split("  #").next().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(values(&again), values(&of_all));
    let validator = printed(&sandbox, "node validator --config a.toml", &[]);
    let expected = ["[validator]", "home = \"v\"  # file", "tables = 64  # file", "halt-height = 7  # file"];
    lines(&validator, &expected);
    lines(&validator, &["upgrade-at = [\"2=9\"]  # file"]);
    let keeper =
        printed(&sandbox, "node keeper --config a.toml --answer-time 20", &[("AARDVARK_KEEPER_MIN_ROWS", "6")]);
    lines(&keeper, &["[keeper]", "dir = \"k\"  # file", "min-rows = 6  # environment", "answer-time = 20  # flag"]);
    let openings = printed(&sandbox, "node openings --config a.toml", &[("AARDVARK_OPENINGS_WARM", "true")]);
    let expected = ["[openings]", "server = \"a\"  # file", "servers = \"a=http://127.0.0.1:1\"  # file"];
    lines(&openings, &expected);
    lines(&openings, &["warm = true  # environment"]);
}

#[test]
fn what_is_printed_has_no_user_and_no_password() {
    let sandbox = Sandbox::new();
    let file = r#"
[archive]
store = "s3://somebody:geheimnis@bucket/prefix"
dir = "some@where"
genesis = "genesis.json"
rpc = ["http://somebody:geheimnis@one:1/path", "somebody:geheimnis@two:2", "http://three:3"]
from = "https://somebody:geheimnis@archive"
opening-servers = "a=http://somebody:geheimnis@one:1,b=http://two:2,c=http://somebody:geheimnis@three:3"
[validator]
home = "v"
genesis = "genesis.json"
archive = ["http://somebody:geheimnis@one:1"]
[keeper]
dir = "k"
genesis = "genesis.json"
rpc = ["http://somebody:geheimnis@one:1"]
[openings]
store = "file:///some@where"
server = "a"
servers = "a=http://somebody:geheimnis@one:1"
"#;
    sandbox.write("a.toml", file);
    let all: String = ["archive", "validator", "keeper", "openings"]
        .map(|process| printed(&sandbox, &format!("node {process} --config a.toml"), &[]))
        .concat();
    assert!(!all.contains("somebody") && !all.contains("geheimnis"), "{all}");
    for line in [
        "store = \"s3://***@bucket/prefix\"  # file",
        "dir = \"some@where\"  # file",
        "rpc = [\"http://***@one:1/path\", \"***@two:2\", \"http://three:3\"]  # file",
        "opening-servers = \"a=http://***@one:1,b=http://two:2,c=http://***@three:3\"  # file",
        "archive = [\"http://***@one:1\"]  # file",
        "store = \"file:///some@where\"  # file",
    ] {
        assert!(all.lines().any(|found| found == line), "{line} in\n{all}");
    }
}

#[test]
fn a_file_that_says_what_cannot_be_said_is_refused_before_anything_runs() {
    let sandbox = Sandbox::new();
    for (file, reason) in [
        ("[archive]\nlistn = \"x\"", "a.toml: archive.listn: there is no such option"),
        ("[archive]\ndir = \"d\"\n[validator]\nhom = \"v\"", "a.toml: validator.hom: there is no such option"),
        ("[archives]\n", "a.toml: archives: there are the tables"),
        ("dir = \"d\"", "a.toml: dir: there are the tables"),
        ("[archive]\ndir = [\"d\"]", "a.toml: archive.dir: text or a whole number"),
        ("[archive]\ndir = { a = 1 }", "a.toml: archive.dir: text or a whole number"),
        ("[archive]\nwarm = \"yes\"", "a.toml: archive.warm: true or false"),
        ("[archive]\ndir = \"d\"\ndir = \"e\"", "a.toml: line 3: duplicate key"),
        ("[archive\n", "a.toml: line 1: "),
        ("[archive]\ndir = \"d\"\nlisten = \"nowhere\"", "invalid value 'nowhere' for '--listen"),
        ("[archive]\nlisten = \"127.0.0.1:0\"", "--dir <DIR>"),
        ("[archive]\ndir = \"d\"\n[keeper]\nwarm = true", "a.toml: keeper.warm: there is no such option"),
        ("[openings]\nrpc = []", "a.toml: openings.rpc: there is no such option"),
        ("[validator]\nrollback = 7", "validator.rollback: there is no such option"),
        ("[archive]\nconfig = \"b.toml\"", "archive.config: there is no such option"),
    ] {
        sandbox.write("a.toml", file);
        let refused = sandbox.refused("node archive --config a.toml", 2, reason);
        assert!(refused.out.is_empty(), "{refused:?}");
    }
    sandbox.refused("node archive --config missing.toml", 2, "missing.toml");
    let mut command = sandbox.command(&["--json", "node", "archive", "--dir", "d"]);
    let refused = command.env("AARDVARK_ARCHIVE_WARM", "yes").output().unwrap();
    let said: serde_json::Value = serde_json::from_slice(&refused.stdout).unwrap();
    assert_eq!(said["error"], "AARDVARK_ARCHIVE_WARM: neither true nor false");
}

#[test]
fn a_process_runs_by_its_file_alone() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.write("a.toml", "[archive]\ndir = \"d\"\nlisten = \"127.0.0.1:0\"\nlog = \"error\"\n");
    let mut command = sandbox.command(&["node", "archive", "--config", "a.toml"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.starts_with("listening"), "{line}");
}
