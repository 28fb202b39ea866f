//! The package's command at work where it was installed: an archive is made, served by the
//! installed configuration, asked, and stopped.

use std::path::Path;
use std::time::{Duration, Instant};

use aardvark_localnet::{Process, free_ports, get_text};

use crate::chore::{ChoreError, output_of, read, write_below};

/// Seconds until the archive answers, and until it has ended: on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the command that is installed below this folder.
pub fn run(installed: &Path) -> Result<(), ChoreError> {
    let wrong = |what: String| ChoreError::Package(what);
    let aardvark = installed.join("usr/bin/aardvark");
    let says = |words: &[&str]| output_of(&aardvark.display().to_string(), words);
    let ports = free_ports(2).map_err(|error| wrong(error.to_string()))?;
    let [listen, operations] = ports.as_slice() else { return Err(wrong("no free ports".to_owned())) };

    // What is installed, with the folders below this one and with ports that nobody has.
    let text = read(&installed.join("etc/aardvark/aardvark.toml"))?;
    let folders = format!("\"{}/var/lib/", installed.display());
    let adapted = text.replace("\"/var/lib/", &folders);
    let adapted = adapted.replace(":8080\"", &format!(":{listen}\"")).replace(":9464\"", &format!(":{operations}\""));
    let configuration = installed.join("etc/aardvark/adapted.toml");
    write_below(&configuration, &adapted)?;

    let archive = installed.join("var/lib/aardvark/archive");
    std::fs::create_dir_all(installed.join("var/lib/aardvark"))
        .map_err(|source| ChoreError::File { path: archive.display().to_string(), source })?;
    let (folder, rows) = (archive.display().to_string(), installed.join("rows.csv"));
    write_below(&rows, "apt,2.6\nbash,5.2\ncurl,7.88\n")?;
    says(&["init", &folder, "--vector-size", "4"])?;
    says(&["import", &folder, &rows.display().to_string()])?;

    let arguments = ["node", "archive", "--config"].map(Into::into).into_iter().chain([configuration.into()]);
    let arguments: Vec<std::ffi::OsString> = arguments.collect();
    let log = installed.join("archive.log");
    let started = Process::start(&[], &aardvark, &arguments, &[], &log);
    let mut process = started.map_err(|error| wrong(error.to_string()))?;
    let begun = Instant::now();
    let (ready, public) = (format!("http://127.0.0.1:{operations}/readyz"), format!("http://127.0.0.1:{listen}"));
    while let Err(error) = get_text(&ready) {
        if begun.elapsed() > PATIENCE || !process.runs() {
            return Err(wrong(format!("{error}; its log: {}", read(&log).unwrap_or_default())));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let proof = get_text(&format!("{public}/v1/proof/curl")).map_err(|error| wrong(error.to_string()))?;
    let status = says(&["status", &folder])?;
    if !proof.contains("opening") || !status.contains("keys") {
        return Err(wrong(format!("the archive says {proof} and {status}")));
    }
    process.ask_to_end();
    while process.runs() {
        if begun.elapsed() > 2 * PATIENCE {
            return Err(wrong("the archive does not end when it is asked to".to_owned()));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    match process.exit_code() {
        Some(0) => Ok(()),
        code => Err(wrong(format!("the archive ended with exit code {code:?}: {}", read(&log)?))),
    }
}
