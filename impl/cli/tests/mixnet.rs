//! Ceremonies from the command line: a board and its servers are processes of their own, one is
//! killed while it mixes and comes back, and answers are read by whoever may.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::Sandbox;
use serde_json::Value;

/// A process that is killed when the test ends.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn spawn(command: &mut Command) -> Process {
    Process(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
}

fn board(sandbox: &Sandbox) -> (Process, String) {
    let arguments = ["--json", "mixnet", "board", "board", "--listen", "127.0.0.1:0"];
    let mut process = spawn(&mut sandbox.command(&arguments));
    let mut line = String::new();
    BufReader::new(process.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let said: Value = serde_json::from_str(&line).unwrap();
    (process, format!("http://{}", said["listening"].as_str().unwrap()))
}

fn server(sandbox: &Sandbox, number: usize, url: &str, fail_point: &str) -> Process {
    let home = format!("server{number}");
    let arguments = ["mixnet", "server", "--home", &home, "--board", url];
    spawn(sandbox.command(&arguments).env("AARDVARK_FAIL_POINT", fail_point))
}

fn status(sandbox: &Sandbox, url: &str) -> Value {
    sandbox.ok_json(&format!("mixnet status --board {url}"))
}

/// Waits until a ceremony is at a stage.
fn wait(sandbox: &Sandbox, url: &str, stage: &str) -> Value {
    let begun = Instant::now();
    loop {
        let status = status(sandbox, url);
        if status["stage"] == stage {
            return status;
        }
        assert!(begun.elapsed() < Duration::from_secs(900), "{status:#}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn public(sandbox: &Sandbox, file: &str) -> (String, String) {
    let made = sandbox.ok_json(&format!("mixnet key {file}"));
    (made["key"].as_str().unwrap().to_owned(), made["public"].as_str().unwrap().to_owned())
}

#[test]
fn a_ceremony_of_processes_survives_a_kill_and_answers() {
    let sandbox = Sandbox::new();
    let (_board, url) = board(&sandbox);
    let mut new = "mixnet new terms --value-bytes 2 --threshold 2 --registry senders.csv --least 3".to_owned();
    for number in 1..=3 {
        std::fs::create_dir(sandbox.path(&format!("server{number}"))).unwrap();
        new += &format!(" --server {}", public(&sandbox, &format!("server{number}/key")).1);
    }
    new += &format!(" --querier {}", public(&sandbox, "querier").1);
    public(&sandbox, "organiser");
    let senders = ["north", "south", "south"]
        .iter()
        .enumerate()
        .map(|(number, label)| format!("{},{label}\n", public(&sandbox, &format!("sender{number}")).0));
    sandbox.write("senders.csv", senders.collect::<String>());
    assert_eq!(sandbox.ok_json(&new)["quorum"], 3);

    // Server 2 dies at each of its fail points while it deals, and is started again; what it once
    // wrote to its journal it signs.
    let mut servers = vec![server(&sandbox, 1, &url, ""), server(&sandbox, 3, &url, "")];
    let mut killed = server(&sandbox, 2, &url, "before-journal");
    sandbox.ok(&format!("mixnet start terms --key organiser --board {url}"));
    sandbox.refused(&format!("mixnet send 7 --key sender0 --board {url}"), 2, "takes no inputs now");
    assert!(!killed.0.wait().unwrap().success());
    assert_eq!(sandbox.read("server2/journal").lines().count(), 0);
    let mut journals = Vec::new();
    for point in ["after-journal", "after-body", "after-post"] {
        assert!(!server(&sandbox, 2, &url, point).0.wait().unwrap().success(), "{point}");
        journals.push(sandbox.read("server2/journal"));
    }
    assert!(journals.iter().all(|journal| *journal == journals[0] && journal.lines().count() == 1));
    // It dies again while it mixes.
    servers.push(server(&sandbox, 2, &url, ""));
    wait(&sandbox, &url, "open");
    for (number, value) in [7, 8, 9].iter().enumerate() {
        sandbox.ok(&format!("mixnet send {value} --key sender{number} --board {url}"));
    }
    sandbox.refused(&format!("mixnet send 5 --key sender0 --board {url}"), 1, "another post");
    sandbox.refused(&format!("mixnet send 5 --key organiser --board {url}"), 2, "not registered");
    sandbox.refused(&format!("mixnet outputs --board {url}"), 2, "no outputs yet");
    drop(servers.pop());
    sandbox.ok(&format!("mixnet close --key organiser --board {url}"));
    servers.push(server(&sandbox, 2, &url, ""));
    let done = wait(&sandbox, &url, "done");
    assert_eq!((&done["labels"]["south"], &done["inputs"]), (&Value::from(2), &Value::from(3)));
    assert_eq!(done["faults"], serde_json::json!([]));
    let outputs = sandbox.ok_json(&format!("mixnet outputs --board {url}"));
    let mut values: Vec<&str> = outputs["outputs"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
    values.sort_unstable();
    assert_eq!(values, ["0x0007", "0x0008", "0x0009"]);

    // Which of these two came from the north?
    sandbox.write("sample", "7\n8\n");
    let ask = format!("--outputs values:sample --key querier --wait --board {url}");
    let asked = sandbox.ok_json(&format!("mixnet trace-out --inputs label:north {ask}"));
    let yes = |asked: &Value| -> Vec<(String, bool)> {
        let mut answers: Vec<(String, bool)> = asked["answers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|answer| (answer["value"].as_str().unwrap().to_owned(), answer["answer"].as_bool().unwrap()))
            .collect();
        answers.sort();
        answers
    };
    let expected = [("0x0007".to_owned(), true), ("0x0008".to_owned(), false)];
    assert_eq!(yes(&asked), expected);
    // The same for the querier alone; then opened to all.
    let private = sandbox.ok_json(&format!("mixnet trace-out --private --inputs label:north {ask}"));
    assert_eq!((yes(&private), &private["private"]), (expected.to_vec(), &Value::from(true)));
    let id = private["query"].as_str().unwrap();
    sandbox.refused(&format!("mixnet answer {id} --board {url}"), 2, "querier alone");
    sandbox.ok(&format!("mixnet answer {id} --key querier --open --board {url}"));
    assert_eq!(yes(&sandbox.ok_json(&format!("mixnet verify --query {id} --board {url}"))), expected);
    // How many of the south stand among them?
    let count = format!("mixnet trace-in --reveal count --inputs label:south {ask}");
    assert_eq!(sandbox.ok_json(&count)["count"], 1);
    // Others may not ask.
    let stranger = format!("mixnet trace-in --inputs all --outputs all --key sender0 --board {url}");
    sandbox.refused(&stranger, 2, "QueryForbidden");
    // A server that nobody waited for may still post what the others had: they end, and what the
    // last request brought is there.
    drop(servers);
    let verify = || sandbox.ok_json(&format!("mixnet verify --board {url}"));
    let mut verified = verify();
    loop {
        let again = verify();
        if again["posts"] == verified["posts"] {
            break;
        }
        verified = again;
    }
    assert_eq!((&verified["queries"], &verified["missing"]), (&Value::from(3), &Value::from(0)));
    under_what_is_trusted(&sandbox, &url, &verified["verified"]);
}

/// Everything is read under a root, and under no other; commitments and notes are as good.
fn under_what_is_trusted(sandbox: &Sandbox, url: &str, verified: &Value) {
    let (root, version) = (verified["root"].as_str().unwrap(), verified["version"].as_u64().unwrap());
    assert_eq!(verified["posts"], version);
    for command in ["verify", "status", "outputs"] {
        let read = sandbox.ok_json(&format!("mixnet {command} --board {url} --root {root}"));
        assert_eq!(&read["verified"], verified);
        let other = format!("0x{}", "7".repeat(64));
        sandbox.refused(&format!("mixnet {command} --board {url} --root {other}"), 1, "do not hash to the root");
    }
    let at = format!("mixnet verify --board {url} --root {root} --at-version");
    sandbox.refused(&format!("{at} {}", version - 1), 1, "do not hash to the root");
    sandbox.refused(&format!("{at} {}", version + 1), 1, "no_such_version");
    // The commitments that the board's dictionary has, by the path that all archives have.
    let mut stream = TcpStream::connect(url.trim_start_matches("http://")).unwrap();
    stream.write_all(b"GET /v1/commitments HTTP/1.0\r\nhost: board\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    sandbox.write("commitments.json", answer.split_once("\r\n\r\n").unwrap().1);
    let read = sandbox.ok_json(&format!("mixnet verify --board {url} --commitments commitments.json"));
    assert_eq!(read["verified"]["version"], version);
    sandbox.refused(&format!("mixnet verify --board {url} --note none"), 2, "--publisher");
}

#[test]
fn keys_and_terms_that_are_none_are_refused() {
    let sandbox = Sandbox::new();
    let (_, one) = public(&sandbox, "one");
    sandbox.refused("mixnet key one", 1, "one");
    sandbox.write("none.csv", "");
    // A server twice; a threshold above the servers; one input; values of odd length.
    for more in [
        &format!("--server {one} --server {one}"),
        &format!("--server {one} --threshold 2"),
        &format!("--server {one} --least 1"),
        &format!("--server {one} --value-bytes 3"),
    ] {
        sandbox.refused(&format!("mixnet new terms {more} --registry none.csv"), 2, "Malformed");
    }
    sandbox.refused("mixnet new terms --server 0x12 --registry none.csv", 2, "0x12");
    sandbox.write("bad.csv", "0x12,north\n");
    sandbox.refused(&format!("mixnet new terms --server {one} --registry bad.csv"), 2, "line 1");
    sandbox.write("text", "0x00\n");
    sandbox.refused("mixnet start text --key one --board http://127.0.0.1:1", 2, "Malformed");
    std::fs::set_permissions(sandbox.path("one"), std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    sandbox.refused("mixnet close --key one --board http://127.0.0.1:1", 2, "others may read it");
}
