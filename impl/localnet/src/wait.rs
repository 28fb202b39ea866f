//! Polls a condition until it holds, a process that brings it about has ended, or a deadline
//! passes.

use std::time::{Duration, Instant};

use crate::LocalnetError;
use crate::process::Process;

/// Asks until it is so, as long as these processes run; `None` is one that does not.
pub(crate) fn wait(
    what: &str,
    seconds: u64,
    processes: &[Option<&Process>],
    mut is_so: impl FnMut() -> Result<bool, LocalnetError>,
) -> Result<(), LocalnetError> {
    let started = Instant::now();
    let said = || processes.iter().flatten().map(|process| format!("\n{}", process.last_words())).collect();
    while !is_so()? {
        if !processes.iter().all(|process| process.is_some_and(Process::runs)) {
            return Err(LocalnetError::Ended { what: what.to_owned(), said: said() });
        }
        if started.elapsed() > Duration::from_secs(seconds) {
            return Err(LocalnetError::TooLate { what: what.to_owned(), seconds, said: said() });
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_process_that_ended_is_not_waited_for_and_its_last_words_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let shell = |script: &str| Process::start(&[], Path::new("sh"), &["-c".into(), script.into()], &[], &log);
        let ending = shell("echo the port is taken; exit 3").unwrap();
        let error = wait("an answer", 60, &[Some(&ending)], || Ok(false)).unwrap_err().to_string();
        assert_eq!(error, "an answer cannot happen: a process has ended\nthe port is taken");
        let running = shell("sleep 100").unwrap();
        let error = wait("an answer", 0, &[Some(&running)], || Ok(false)).unwrap_err().to_string();
        assert_eq!(error, "an answer did not happen within 0 s\nthe port is taken");
        wait("an answer", 0, &[Some(&running)], || Ok(true)).unwrap();
        wait("an answer", 0, &[None], || Ok(false)).unwrap_err();
    }
}
