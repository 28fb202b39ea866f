//! Keys that are encrypted at rest: made, converted, used for a signature, and refused without
//! their password.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use common::Sandbox;

const VARIABLE: &str = "AARDVARK_KEY_PASSWORD_FILE";

/// The exit code, and what the command says, with this file of a password.
fn run(sandbox: &Sandbox, line: &str, password: Option<&str>) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aardvark"));
    command.args(line.split_whitespace()).current_dir(sandbox.path(".")).stdin(Stdio::null()).env_remove(VARIABLE);
    if let Some(file) = password {
        command.env(VARIABLE, file);
    }
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

fn private(sandbox: &Sandbox, name: &str, text: &str) {
    sandbox.write(name, text);
    std::fs::set_permissions(sandbox.path(name), std::fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn an_encrypted_key_signs_with_its_password_and_with_nothing_else() {
    let sandbox = Sandbox::new();
    private(&sandbox, "password", "correct horse\nnot this line\n");
    private(&sandbox, "wrong", "battery staple\n");
    private(&sandbox, "empty", "\n");
    let said = |line: &str, password: Option<&str>, code: i32| {
        let (found, text) = run(&sandbox, line, password);
        assert_eq!(found, Some(code), "{line}: {text}");
        text
    };
    let made = said("client keygen key --encrypted", Some("password"), 0);
    let text = std::fs::read_to_string(sandbox.path("key")).unwrap();
    assert!(text.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----"));
    assert_eq!(said("client account key", Some("password"), 0), made);
    // A key that lies open, encrypted into another file.
    let open = said("client keygen open", None, 0);
    said("client keygen closed --encrypted --from open", Some("password"), 0);
    assert_eq!(said("client account closed", Some("password"), 0), open);

    assert!(said("client account key", Some("wrong"), 2).contains("not this key's"));
    assert!(said("client account key", None, 2).contains(VARIABLE));
    assert!(said("client keygen other --encrypted", Some("empty"), 2).contains("empty password"));
    assert!(!sandbox.path("other").exists());
    assert!(said("client keygen key --encrypted", Some("password"), 2).contains("key"));
    std::fs::set_permissions(sandbox.path("password"), std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(said("client account key", Some("password"), 2).contains("others may read it"));
    std::fs::set_permissions(sandbox.path("password"), std::fs::Permissions::from_mode(0o600)).unwrap();

    said("init d --vector-size 4 --name people", None, 0);
    let note = said("root d --sign key", Some("password"), 0);
    assert!(note.contains("people"), "{note}");
}

/// Openssl's own program, in the sandbox; nothing where it is not there.
fn openssl(sandbox: &Sandbox, line: &str) -> Option<String> {
    let words = line.split_whitespace();
    let output = Command::new("openssl").args(words).current_dir(sandbox.path(".")).stdin(Stdio::null()).output();
    let output = output.ok()?;
    assert!(output.status.success(), "openssl {line}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn openssl_reads_encrypted_keys_and_its_own_are_read() {
    let sandbox = Sandbox::new();
    private(&sandbox, "password", "correct horse\n");
    let Some(_) = openssl(&sandbox, "version") else { return eprintln!("skipped: no program openssl") };
    let account = |key: &str| {
        let (code, text) = run(&sandbox, &format!("client account {key}"), Some("password"));
        assert_eq!(code, Some(0), "{key}: {text}");
        text
    };
    let made = run(&sandbox, "client keygen ours --encrypted", Some("password"));
    assert_eq!(made.0, Some(0), "{}", made.1);
    // Ours: read, decrypted into a file that lies open, and encrypted again in other ways.
    openssl(&sandbox, "pkey -in ours -passin file:password -noout");
    openssl(&sandbox, "pkcs8 -in ours -passin file:password -out open");
    for (name, how) in [("scrypt", "-scrypt"), ("pbkdf2", "-v2 aes-256-cbc -v2prf hmacWithSHA256")] {
        openssl(&sandbox, &format!("pkcs8 -topk8 -in open -passout file:password {how} -out {name}"));
    }
    openssl(&sandbox, "genpkey -algorithm ed25519 -aes-256-cbc -pass file:password -out theirs");
    for name in ["ours", "open", "scrypt", "pbkdf2", "theirs"] {
        std::fs::set_permissions(sandbox.path(name), std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    let ours = account("ours");
    for name in ["open", "scrypt", "pbkdf2"] {
        assert_eq!(account(name), ours, "{name}");
    }
    assert_ne!(account("theirs"), ours);
}
