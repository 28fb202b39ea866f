//! README and `docs/`: blocks marked `console` are run and print what stands there; other commands
//! that they show are ones that the command takes. Those of a network need CometBFT, so they are
//! not run here; the network's own tests run them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

mod common;

use std::path::{Path, PathBuf};

use common::Sandbox;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// The repository's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages that people read.
fn pages() -> Vec<PathBuf> {
    let documents = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let documents = documents.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let front = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root().join(name));
    let mut pages: Vec<PathBuf> = front.into_iter().chain(documents).collect();
    pages.sort();
    pages
}

/// Where a program of this machine lies.
fn program(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("{name} is not in PATH"))
}

#[test]
fn what_is_shown_of_the_command_is_what_it_prints() {
    let cases = trycmd::TestCases::new();
    for name in ["cat", "cp", "sed"] {
        cases.register_bin(name, program(name).as_path());
    }
    for page in pages() {
        cases.case(page);
    }
}

#[test]
fn pages_show_the_command_at_work() {
    let console = |page: &PathBuf| blocks(page).into_iter().filter(|block| block.language == "console");
    let commands = pages().iter().flat_map(console).flat_map(|block| block.commands).count();
    assert!(commands >= 15, "only {commands} commands are run");
}

#[test]
fn commands_that_are_not_run_are_taken_by_the_command() {
    let sandbox = Sandbox::new();
    let mut parsed = 0;
    let mut refused = Vec::new();
    for page in pages() {
        let others = blocks(&page).into_iter().filter(|block| block.language != "console");
        for command in others.flat_map(|block| block.commands) {
            for words in spelled_out(&command) {
                parsed += 1;
                let words: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
                let outcome = sandbox.run_list(&words);
                if outcome.code != Some(0) {
                    refused.push(format!("{}: {}: {}", page.display(), outcome.line, outcome.err));
                }
            }
        }
    }
    assert!(parsed >= 20, "only {parsed} commands were parsed");
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn commands_that_the_command_does_not_take_are_noticed() {
    let sandbox = Sandbox::new();
    for command in ["aardvark no-such-command", "aardvark node archive --no-such-option", "aardvark prove --version x"]
    {
        for words in spelled_out(command) {
            let words: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
            assert_eq!(sandbox.run_list(&words).code, Some(2), "{command}");
        }
    }
}

/// A block of code, or an inline piece.
struct Block {
    language: String,
    /// Its lines that call the command.
    commands: Vec<String>,
}

/// The code of a page.
fn blocks(page: &Path) -> Vec<Block> {
    let text = std::fs::read_to_string(page).unwrap();
    let mut blocks: Vec<Block> = Vec::new();
    let mut in_block = false;
    for event in Parser::new_ext(&text, pulldown_cmark::Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                blocks.push(Block { language, commands: Vec::new() });
                in_block = true;
            }
            Event::End(TagEnd::CodeBlock) => in_block = false,
            Event::Text(text) if in_block => blocks.last_mut().unwrap().commands.extend(commands(&text)),
            Event::Code(code) => blocks.push(Block { language: String::new(), commands: commands(&code) }),
            _ => {}
        }
    }
    blocks
}

/// The lines that call the command.
fn commands(code: &str) -> Vec<String> {
    let lines = code.lines().map(|line| line.trim_start_matches("$ "));
    lines.filter(|line| line.starts_with("aardvark ")).map(str::to_owned).collect()
}

/// The arguments of a command as a synopsis has it: brackets fall away, each of `a|b` is a command
/// of its own, and a word that stands for a value is given one.
fn spelled_out(command: &str) -> Vec<Vec<String>> {
    // What follows two spaces explains the command.
    let command = command.split("  ").next().unwrap_or(command);
    let mut spelled = vec![Vec::new()];
    for word in command.split_whitespace().skip(1) {
        let word = word.trim_matches(['[', ']', '(', ')', '\'']).trim_end_matches("..").trim_end_matches(']');
        let choices: Vec<&str> = word.split('|').filter(|choice| !choice.is_empty() && *choice != "…").collect();
        if choices.is_empty() {
            continue;
        }
        spelled = choices
            .iter()
            .flat_map(|choice| spelled.iter().map(move |words: &Vec<String>| [&words[..], &[value(choice)]].concat()))
            .collect();
    }
    spelled
}

/// A value for a word that stands for one.
fn value(word: &str) -> String {
    let hash = "1b".repeat(32);
    match word {
        "H" | "K" | "N" | "W" | "V" | "MIB" | "GAS" | "SECONDS" | "HEIGHT" => "1".to_owned(),
        "HASH" => hash,
        "HEX" | "KEY" => format!("0x{hash}"),
        "KEY=AMOUNT" | "KEY=POWER" => format!("0x{hash}=1"),
        "HEIGHT:HASH" | "1:HASH" => format!("1:{hash}"),
        "URL" | "NODE" | "NODE2" => "http://127.0.0.1:1".to_owned(),
        "LEVELS" => "info".to_owned(),
        _ => word.to_owned(),
    }
}
