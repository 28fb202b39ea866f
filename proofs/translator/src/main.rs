//! `aardvark-translator [--check] SPECIFICATION OUTPUT`: translates the folder that holds `lib.rs`,
//! or checks that the output is what the translation would be.

#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

use aardvark_translator::{check, translate, write};

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let only_check = arguments.first().is_some_and(|first| first == "--check");
    if only_check {
        arguments.remove(0);
    }
    let [specification, output] = arguments.as_slice() else {
        eprintln!("usage: aardvark-translator [--check] SPECIFICATION OUTPUT");
        return ExitCode::from(2);
    };
    let (specification, output) = (PathBuf::from(specification), PathBuf::from(output));
    let outcome = translate(&specification).and_then(|generated| {
        if only_check {
            return check(&generated, &output);
        }
        write(&generated, &output)?;
        Ok(Vec::new())
    });
    match outcome {
        Ok(differences) if differences.is_empty() => ExitCode::SUCCESS,
        Ok(differences) => {
            for difference in differences {
                eprintln!("{difference}");
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("not translated: {error}");
            ExitCode::from(2)
        }
    }
}
