//! The store under bad conditions: other formats, second writers, full disks, flipped bytes.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use common::Sandbox;

const STORE: &str = "d/archive.redb";

#[test]
fn a_store_of_another_format_is_refused_with_both_numbers() {
    let sandbox = Sandbox::with_five_keys();
    let marker = sandbox.read("d/format");
    sandbox.write("d/format", marker.replace('3', "9"));
    for command in ["status d", "import d five.csv", "get d curl", "audit d"] {
        let outcome = sandbox.refused(command, 2, "format 9");
        assert!(outcome.err.contains("formats 2 to 3"), "{outcome:?}");
    }
    sandbox.write("d/format", "something else");
    sandbox.refused("status d", 2, "d holds no archive");
    sandbox.write("d/format", marker);
    sandbox.ok("audit d");
}

#[test]
#[cfg(unix)]
fn a_second_writer_is_refused_while_the_first_one_works_and_loses_nothing() {
    let sandbox = Sandbox::with_five_keys();
    assert!(Command::new("mkfifo").arg(sandbox.path("pipe")).status().unwrap().success());
    let mut first = sandbox.command(&["import", "d", "pipe", "--format", "csv"]).stdout(Stdio::null()).spawn().unwrap();
    // This waits until the first writer opens the pipe, which it does with the store open already.
    let mut pipe = std::fs::OpenOptions::new().write(true).open(sandbox.path("pipe")).unwrap();
    for command in ["import d five.csv", "get d curl", "audit d"] {
        let outcome = sandbox.refused(command, 1, "d/archive.redb");
        assert!(outcome.err.contains("--wait SECONDS"), "{outcome:?}");
    }
    pipe.write_all(b"zsh,5.9\n").unwrap();
    drop(pipe);
    assert!(first.wait().unwrap().success());
    assert!(sandbox.ok("get d zsh").contains("5.9"));
    assert_eq!(sandbox.ok_json("status d")["version"], 2);
    sandbox.ok("audit d");
}

#[test]
#[cfg(unix)]
fn a_busy_store_is_waited_for_as_long_as_was_said() {
    let sandbox = Sandbox::with_five_keys();
    assert!(Command::new("mkfifo").arg(sandbox.path("pipe")).status().unwrap().success());
    let mut first = sandbox.command(&["import", "d", "pipe", "--format", "csv"]).stdout(Stdio::null()).spawn().unwrap();
    let mut pipe = std::fs::OpenOptions::new().write(true).open(sandbox.path("pipe")).unwrap();
    let begun = std::time::Instant::now();
    sandbox.refused("get d zsh --wait 1", 1, "in use");
    assert!(begun.elapsed().as_secs() >= 1);
    let busy = sandbox.run("--json get d zsh");
    let answer: serde_json::Value = serde_json::from_str(&busy.out).unwrap();
    assert_eq!((busy.code, &answer["result"]), (Some(1), &serde_json::json!("failed")));
    let mut second = sandbox.command(&["get", "d", "zsh", "--wait", "60"]);
    let second = second.stdout(Stdio::piped()).spawn().unwrap();
    pipe.write_all(b"zsh,5.9\n").unwrap();
    drop(pipe);
    assert!(first.wait().unwrap().success());
    let output = second.wait_with_output().unwrap();
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("5.9"));
}

#[test]
fn truncated_and_overwritten_stores_are_errors_and_never_panics() {
    let sandbox = Sandbox::with_five_keys();
    let whole = std::fs::read(sandbox.path(STORE)).unwrap();
    for length in [0, 1, 100, 4096, whole.len() / 2, whole.len() - 1] {
        sandbox.write(STORE, &whole[..length]);
        for command in ["get d curl", "audit d", "status d"] {
            let outcome = sandbox.run(command);
            assert!(matches!(outcome.code, Some(1 | 2)), "{length} bytes: {outcome:?}");
            assert!(!outcome.err.contains("panicked"), "{length} bytes: {outcome:?}");
        }
    }
    sandbox.write(STORE, [0xaa; 10_000]);
    sandbox.refused("get d curl", 2, "d/archive.redb");
    std::fs::remove_file(sandbox.path(STORE)).unwrap();
    sandbox.refused("get d curl", 2, "d/archive.redb");
}

#[test]
#[cfg(unix)]
fn a_full_disk_is_an_error_and_the_version_before_stays() {
    let sandbox = Sandbox::with_five_keys();
    let keys: String = (0..20_000).map(|number| format!("key-{number:06},{number:064}\n")).collect();
    sandbox.write("many.csv", keys);
    // A limit on the size of files stands for the full disk; 1,024-byte blocks, 2 MiB.
    let script = format!("trap '' XFSZ; ulimit -f 2048; exec {} import d many.csv", env!("CARGO_BIN_EXE_aardvark"));
    let shell =
        |script: &str| Command::new("bash").args(["-c", script]).current_dir(sandbox.path(".")).output().unwrap();
    let full = shell(&script);
    let message = String::from_utf8_lossy(&full.stderr);
    assert_eq!(full.status.code(), Some(1), "{message}");
    assert!(message.contains("version 2 was not committed") && !message.contains("panicked"), "{message}");

    let status = sandbox.ok_json("status d");
    assert_eq!((&status["version"], &status["keys"]), (&serde_json::json!(1), &serde_json::json!(5)));
    sandbox.ok("audit d");
    sandbox.ok("import d many.csv");
    assert_eq!(sandbox.ok_json("status d")["keys"], 20_005);
}

#[test]
fn a_flipped_byte_in_a_slot_the_index_or_a_block_is_found_by_the_audit() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4");
    // Values and keys that stand nowhere else in the file: in slots and the log, and in the index.
    sandbox.write("keys.csv", "unmistakable-key,unmistakable-value\nother-key,1\nthird-key,2\n");
    sandbox.ok("import d keys.csv");
    sandbox.ok("audit d");
    let whole = std::fs::read(sandbox.path(STORE)).unwrap();
    let mut found = 0;
    for needle in [b"unmistakable-key".as_slice(), b"unmistakable-value"] {
        for at in (0..whole.len() - needle.len()).filter(|at| whole[*at..].starts_with(needle)) {
            let mut flipped = whole.clone();
            flipped[at + 5] ^= 1;
            sandbox.write(STORE, &flipped);
            let outcome = sandbox.run("audit d");
            if outcome.code == Some(0) {
                // A page that no root refers to any more: its bytes are nowhere read.
                continue;
            }
            assert!(matches!(outcome.code, Some(1 | 2)) && !outcome.err.contains("panicked"), "{at}: {outcome:?}");
            found += 1;
        }
    }
    // The key as key of its slot, as next key of its predecessor's, in the index and in the block;
    // the value in its slot and in the block.
    assert!(found >= 6, "only {found} flipped bytes were found");
    sandbox.write(STORE, &whole);
    sandbox.ok("audit d");
}

#[test]
fn an_audit_does_not_believe_the_lagrange_basis_that_lies_in_the_folder() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4");
    // Two points change places, and the checksum is made to fit: the next import commits wrongly.
    let mut basis = std::fs::read(sandbox.path("d/lagrange")).unwrap();
    let content = basis.len() - 4;
    let points = content - 16 * 96;
    basis[points + 96..points + 3 * 96].rotate_left(96);
    let checksum = crc32c::crc32c(&basis[..content]);
    basis[content..].copy_from_slice(&checksum.to_be_bytes());
    sandbox.write("d/lagrange", &basis);
    sandbox.write("five.csv", common::FIVE_KEYS);
    sandbox.ok("import d five.csv");
    let outcome = sandbox.run("audit d");
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.out.contains("! d/lagrange: "), "{outcome:?}");
    assert!(outcome.out.contains("the commitment of vector 0"), "{outcome:?}");
}

#[test]
fn an_audit_with_an_anchor_finds_another_dictionary_in_the_place_of_its_own() {
    let sandbox = Sandbox::with_five_keys();
    let root = sandbox.ok_json("audit d")["root"].as_str().unwrap().to_owned();
    sandbox.write("more.csv", "zsh,5.9\n");
    sandbox.ok("import d more.csv");
    let later = sandbox.ok_json("audit d")["root"].as_str().unwrap().to_owned();
    assert_ne!(root, later);
    for line in ["--commitments c.json".to_owned(), format!("--root {root} --version 1"), format!("--root {later}")] {
        let report = sandbox.ok_json(&format!("audit d {line}"));
        assert!(report["anchored"].is_number(), "{line}: {report}");
    }
    let found = |line: &str, reason: &str| {
        let outcome = sandbox.run(line);
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        assert!(outcome.out.contains(reason), "{outcome:?}");
    };
    found(&format!("audit d --root {root}"), "version 2 against what it was to be: its state root is 0x");
    found(&format!("audit d --root {root} --version 9"), "the store ends before it, at version 2");
    // Another dictionary, whole and in order, copied over this one.
    sandbox.ok("init other --vector-size 8");
    sandbox.ok("import other five.csv");
    sandbox.ok("import other more.csv");
    std::fs::remove_dir_all(sandbox.path("d")).unwrap();
    std::fs::rename(sandbox.path("other"), sandbox.path("d")).unwrap();
    assert!(sandbox.ok("audit d").contains("another whole dictionary in its place would pass"));
    found("audit d --commitments c.json", "version 1 against what it was to be: this is another dictionary");
    found(&format!("audit d --root {later}"), "version 2 against what it was to be: its state root is 0x");
}

#[test]
fn an_anchor_that_is_malformed_is_an_error_before_anything_is_audited() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.refused("audit d --root 0x12", 2, "1 bytes where 32 are needed");
    sandbox.refused(&format!("audit d --root {}", "12".repeat(32)), 2, "hexadecimal starts with 0x");
    sandbox.refused("audit d --commitments five.csv", 2, "five.csv");
    sandbox.refused("audit d --commitments missing.json", 2, "missing.json");
    let commitments = sandbox.read("c.json");
    let commitment = sandbox.json("c.json")["commitments"][1].as_str().unwrap().to_owned();
    sandbox.write("short.json", commitments.replace(&commitment, &commitment[..90]));
    sandbox.refused("audit d --commitments short.json", 2, "short.json: a commitment");
    sandbox.refused(&format!("audit d --commitments c.json --root 0x{}", "00".repeat(32)), 2, "cannot be used with");
    sandbox.refused("audit d --commitments c.json --version 1", 2, "cannot be used with");
    sandbox.refused("audit d --version 1", 2, "--root");
}

#[test]
fn an_init_that_was_killed_is_said_to_be_interrupted_and_made_again_by_init() {
    let sandbox = Sandbox::with_five_keys();
    // What a kill just before the end leaves: everything, under the marker's first name.
    std::fs::rename(sandbox.path("d/format"), sandbox.path("d/format.creating")).unwrap();
    for command in ["import d five.csv", "get d curl", "audit d"] {
        sandbox.refused(command, 2, "its creation was interrupted");
    }
    sandbox.write("d/letter.txt", "dear");
    sandbox.refused("init d --vector-size 4", 2, "d is not empty");
    std::fs::remove_file(sandbox.path("d/letter.txt")).unwrap();
    sandbox.ok("init d --vector-size 4");
    sandbox.ok("import d five.csv");
    assert_eq!(sandbox.ok_json("status d")["keys"], 5);
    sandbox.ok("audit d");
    // And what it leaves earlier, beside nothing at all.
    std::fs::create_dir(sandbox.path("e")).unwrap();
    sandbox.write("e/format.creating", "aardvark arch");
    sandbox.write("e/lagrange.77.0.draft", "half");
    sandbox.ok("init e --vector-size 4");
    sandbox.ok("import e five.csv");
}

#[test]
fn imports_of_the_same_lines_do_not_grow_the_disk_and_say_that_nothing_changed() {
    let sandbox = Sandbox::with_five_keys();
    let bytes = std::fs::metadata(sandbox.path(STORE)).unwrap().len();
    for _ in 0..3 {
        let report = sandbox.ok_json("import d five.csv");
        let counts = ["blocks", "version", "inserted", "updated", "deleted", "unchanged", "absent", "superseded"];
        assert_eq!(counts.map(|name| report[name].as_u64().unwrap()), [0, 1, 0, 0, 0, 5, 0, 0]);
    }
    assert_eq!(std::fs::metadata(sandbox.path(STORE)).unwrap().len(), bytes);
    sandbox.write("deletes.jsonl", "{\"key\":\"curl\",\"value\":null}\n{\"key\":\"crul\",\"value\":null}\n");
    let report = sandbox.ok("import d deletes.jsonl");
    assert!(report.contains("absent") && report.contains("1 delete that found nothing"), "{report}");
    assert_eq!(sandbox.ok_json("status d")["keys"], 4);
    sandbox.ok("audit d");
}

#[test]
#[cfg(unix)]
fn an_archive_logs_json_where_it_is_told_to_and_refuses_levels_that_are_none() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.refused("node archive --dir d --log archive=loud", 2, "--log archive=loud");
    let arguments =
        ["node", "archive", "--dir", "d", "--listen", "127.0.0.1:0", "--log", "info", "--log-format", "json"];
    let mut serving = sandbox.command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(serving.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(Command::new("kill").arg(serving.id().to_string()).status().unwrap().success());
    let event: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(event["message"], "serving", "{line}");
    assert_eq!((&event["level"], &event["version"]), (&"INFO".into(), &1.into()), "{line}");
    assert!(serving.wait().unwrap().success());
}

#[test]
fn stored_openings_are_made_found_renewed_and_removed() {
    let sandbox = Sandbox::with_five_keys();
    let proof = sandbox.ok("prove d curl");
    assert_eq!(sandbox.ok_json("status d")["stored_openings"], serde_json::Value::Null);
    assert!(!sandbox.ok("status d").contains("stored openings"));
    let made = sandbox.ok_json("archive openings d");
    let bytes = std::fs::metadata(sandbox.path("d/openings")).unwrap().len();
    assert_eq!(made, serde_json::json!({ "version": 1, "vectors": 2, "renewed": 2, "bytes": bytes }));
    assert_eq!(sandbox.ok_json("status d")["stored_openings"], serde_json::json!({ "bytes": bytes, "current": 2 }));
    assert!(sandbox.ok("status d").contains("2 vectors up to date"));
    assert_eq!(sandbox.ok("prove d curl"), proof);
    assert_eq!(sandbox.ok_json("archive openings d")["renewed"], 0);
    sandbox.write("more.csv", "zsh,5.9\n");
    sandbox.ok("import d more.csv");
    assert_eq!(sandbox.ok_json("status d")["stored_openings"]["current"], 1);
    sandbox.ok("prove d zsh -o p");
    sandbox.ok("commitments d -o c");
    sandbox.ok("verify zsh p --commitments c");
    assert_eq!(sandbox.ok_json("archive openings d")["renewed"], 1);
    sandbox.ok("audit d");
    assert_eq!(sandbox.ok_json("archive openings d --remove"), serde_json::json!({ "removed": true }));
    assert!(sandbox.ok("archive openings d --remove").contains("there were none"));
    sandbox.refused("archive openings nowhere", 2, "nowhere");
}

#[test]
fn jobs_are_done_shown_resumed_and_removed_and_say_what_an_audit_does_not_show() {
    let sandbox = Sandbox::with_five_keys();
    assert!(sandbox.ok("archive jobs status d").contains("none"));
    sandbox.refused("archive jobs resume d audit", 2, "there is no audit job");
    sandbox.refused("archive jobs status nowhere", 2, "nowhere");
    sandbox.refused("archive jobs start d openings --root 0x00", 2, "--root is for the job audit");
    sandbox.refused("archive jobs start d audit --partition-size 0", 2, "--partition-size");
    let root = sandbox.ok("root d");
    let done = sandbox.ok_json(&format!("archive jobs start d audit --partition-size 1 --root {root}"));
    assert_eq!(
        (&done["result"], &done["root"], &done["anchored"]),
        (&"holds".into(), &root.trim().into(), &true.into())
    );
    assert_eq!((&done["partitions"], &done["done"], &done["vectors"]), (&2.into(), &2.into(), &2.into()));
    assert!(done["does_not_show"].as_str().unwrap().contains("blocks of the log"), "{done}");
    let shown = sandbox.ok("archive jobs resume d audit");
    assert!(shown.contains("2 of 2") && shown.contains("does not show") && shown.contains(root.trim()), "{shown}");
    let other = sandbox.run(&format!("archive jobs resume d audit --root 0x{}", "1".repeat(64)));
    assert_eq!(other.code, Some(1), "{other:?}");
    assert!(other.out.contains("its state root is"), "{other:?}");
    assert_eq!(sandbox.ok_json("archive jobs start d openings")["done"], 1);
    assert_eq!(sandbox.ok_json("status d")["stored_openings"]["current"], 2);
    assert_eq!(sandbox.run("archive jobs status d").code, Some(1), "the audit was resumed with another root");
    sandbox.ok(&format!("archive jobs resume d audit --root {root}"));
    let shown = sandbox.ok("archive jobs status d");
    assert!(shown.contains("audit of version 1") && shown.contains("openings of version 1"), "{shown}");
    assert_eq!(sandbox.ok_json("archive jobs status d")["jobs"].as_array().unwrap().len(), 2);
    sandbox.write("more.csv", "zsh,5.9\n");
    sandbox.ok("import d more.csv");
    sandbox.refused("archive jobs resume d openings", 2, "version 1, and the newest one is 2");
    assert_eq!(sandbox.ok_json("archive jobs cancel d openings"), serde_json::json!({ "removed": true }));
    assert!(sandbox.ok("archive jobs cancel d openings").contains("there was none"));
}

#[test]
fn the_status_of_a_job_says_what_was_found_at_its_end_and_that_it_is_unfinished() {
    let sandbox = Sandbox::with_five_keys();
    let demand = |code: i32, result: &str| {
        let asked = sandbox.run("--json archive jobs status d");
        let said: serde_json::Value = serde_json::from_str(&asked.out).unwrap();
        assert_eq!((asked.code, &said["result"]), (Some(code), &result.into()), "{said}");
        said["jobs"][0].clone()
    };
    assert_eq!(demand(0, "none"), serde_json::Value::Null);
    // Another root than the archive's: nothing is said to be shown, now and later.
    let other = format!("archive jobs start d audit --partition-size 1 --root 0x{}", "ab".repeat(32));
    let found = sandbox.run(&other);
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.out.contains("its state root is") && !found.out.contains("the root is theirs"), "{found:?}");
    let found: serde_json::Value = serde_json::from_str(&sandbox.run(&format!("--json {other}")).out).unwrap();
    assert_eq!((&found["result"], &found["shows"]), (&"false".into(), &serde_json::Value::Null), "{found}");
    let recorded = demand(1, "false");
    assert!(recorded["findings"][0].as_str().unwrap().contains("its state root is"), "{recorded}");
    let shown = sandbox.run("archive jobs status d").out;
    assert!(shown.contains("! audit, over all partitions: ") && shown.contains("2 of 2"), "{shown}");
    // One that is killed at some of its 751 partitions.
    sandbox.ok("archive jobs cancel d audit");
    sandbox.write("many.csv", (0..3_000).map(|number| format!("key{number},{number}\n")).collect::<String>());
    sandbox.ok("import d many.csv");
    let root = sandbox.ok("root d");
    let mut running =
        sandbox.command(&["archive", "jobs", "start", "d", "audit", "--partition-size", "1"]).spawn().unwrap();
    while !sandbox.run("archive jobs status d").out.contains("audit of version 2") {
        assert!(running.try_wait().unwrap().is_none());
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let killed = demand(3, "unfinished");
    assert!(killed["result"] == "unfinished" && killed["done"].as_u64() < killed["partitions"].as_u64(), "{killed}");
    assert!(sandbox.run("archive jobs status d").out.contains("unfinished"));
    sandbox.ok(&format!("archive jobs resume d audit --root {root}"));
    let recorded = demand(0, "holds");
    assert_eq!((&recorded["root"], &recorded["anchored"]), (&root.trim().into(), &true.into()));
}

#[cfg(not(feature = "object-storage"))]
#[test]
fn a_store_that_is_not_built_in_is_refused_by_name() {
    let sandbox = Sandbox::with_five_keys();
    let reason = "file:///tmp/store: this program was built without stores on object storage";
    for process in ["archive", "openings --server a --servers a=http://127.0.0.1:1"] {
        sandbox.refused(&format!("node {process} --listen 127.0.0.1:0 --store file:///tmp/store"), 2, reason);
    }
    sandbox.refused("node archive --listen 127.0.0.1:0 --store file:///tmp/store --dir d", 2, reason);
    sandbox.refused("init e --store file:///tmp/store", 2, reason);
    sandbox.refused("import d five.csv --store file:///tmp/store", 2, reason);
    sandbox.refused("node archive --listen 127.0.0.1:0", 2, "--dir <DIR>");
}
