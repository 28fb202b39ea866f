//! `aardvark verify KEY PROOF`, `verify --keys FILE PROOF`, `verify --range LO HI PROOF`

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use aardvark_commitment::SchemeKind;
use aardvark_dictionary::{Key, Value};
use aardvark_proof::{Answer, KeyAnswer, KeyRange, Question, Region, Strictness};
use clap::Args;
use serde_json::json;

use crate::anchor::{Anchor, AnchorArguments};
use crate::answer_refusal::AnswerRefusal;
use crate::answer_report::{self, merge, presence_json};
use crate::answers::verify_answer;
use crate::entries::parse_end;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::import::KeyFileArguments;
use crate::key_text::{display, parse_key};
use crate::notation::notation;
use crate::proof_files::{KeyProof, read_answer, read_key_proof};
use crate::report::{Report, Rows};
use crate::verification;

/// `aardvark verify`
#[derive(Debug, Args)]
#[command(override_usage = "aardvark verify [OPTIONS] <KEY> <PROOF>
       aardvark verify [OPTIONS] --keys <FILE> <PROOF>
       aardvark verify [OPTIONS] --range <LO> <HI> <PROOF>
       with one of --commitments <FILE>, --root <HASH>, --note <FILE> --publisher <KEY>")]
pub struct Verify {
    /// The key asked for, as text, or in hexadecimal behind 0x; not with --keys and --range.
    #[arg(value_name = "KEY")]
    pub first: OsString,
    /// The proof; - is standard input.
    #[arg(value_name = "PROOF")]
    pub second: Option<PathBuf>,
    /// The proof is for the keys of this file, as `prove --keys FILE --together` makes it.
    #[arg(long, value_name = "FILE", conflicts_with = "range")]
    pub keys: Option<PathBuf>,
    /// The proof is for every entry from LO up to HI, and not HI; "" is no end.
    #[arg(long, num_args = 2, value_names = ["LO", "HI"])]
    pub range: Option<Vec<String>>,
    /// With --range: the proof must be for this limit; by default it is the proof's.
    #[arg(long, value_name = "N", requires = "range")]
    pub limit: Option<u64>,
    /// How the file of keys is read.
    #[command(flatten)]
    pub reading: KeyFileArguments,
    /// What is trusted.
    #[command(flatten)]
    pub anchor: AnchorArguments,
    /// Demand that openings lie in the subgroup, as other KZG verifiers do.
    #[arg(long)]
    pub strict: bool,
    /// Take keys that begin with 0x for text.
    #[arg(long)]
    pub text: bool,
}

impl Verify {
    fn strictness(&self) -> Strictness {
        if self.strict { Strictness::Subgroup } else { Strictness::Format }
    }

    /// The proof's file where no key is given.
    fn only_proof(&self) -> Result<&Path, Failure> {
        match self.second {
            None => Ok(Path::new(&self.first)),
            Some(_) => Err(Failure::Usage("with --keys or --range only the proof is given, and no key".to_owned())),
        }
    }

    /// The key and the proof's file.
    fn key_and_proof(&self) -> Result<(Key, &Path), Failure> {
        let Some(proof) = &self.second else {
            return Err(Failure::Usage("a key and a proof are needed: <KEY> <PROOF>".to_owned()));
        };
        let key = self
            .first
            .to_str()
            .ok_or_else(|| Failure::Usage("a key that is not UTF-8 is written in hexadecimal, after 0x".to_owned()))?;
        Ok((parse_key(key, notation(self.text))?, proof))
    }
}

/// Verifies a proof against what is trusted.
///
/// # Errors
/// A malformed key, file or proof, and a proof that does not hold.
pub fn run(arguments: &Verify) -> Result<Report, Failure> {
    match (&arguments.range, &arguments.keys) {
        (Some(ends), _) => verify_range(arguments, ends),
        (None, Some(file)) => verify_keys(arguments, file),
        (None, None) => verify_key(arguments),
    }
}

fn verify_range(arguments: &Verify, ends: &[String]) -> Result<Report, Failure> {
    let path = arguments.only_proof()?;
    let [from, to] = ends else {
        return Err(Failure::Usage("a range has two ends: --range <LO> <HI>".to_owned()));
    };
    let notation = notation(arguments.text);
    let (from, to) = (parse_end(from, notation)?, parse_end(to, notation)?);
    let anchor = arguments.anchor.read()?;
    let proof = read_answer(path)?;
    let limit = arguments.limit.or(match &proof.question {
        Question::Region(Region::Range(range)) => range.limit,
        _ => None,
    });
    let question = Question::Region(Region::Range(KeyRange { from, to, limit }));
    let answer = verify_answer(&anchor, &question, &proof, arguments.strictness())?;
    Ok(answer_report::verified(&question, &answer, &proof, &anchor))
}

fn verify_keys(arguments: &Verify, file: &Path) -> Result<Report, Failure> {
    let path = arguments.only_proof()?;
    let question = Question::keys(arguments.reading.keys(file, notation(arguments.text))?);
    let anchor = arguments.anchor.read()?;
    let proof = read_answer(path)?;
    let answer = verify_answer(&anchor, &question, &proof, arguments.strictness())?;
    Ok(answer_report::verified(&question, &answer, &proof, &anchor))
}

fn verify_key(arguments: &Verify) -> Result<Report, Failure> {
    let (key, path) = arguments.key_and_proof()?;
    let anchor = arguments.anchor.read()?;
    let strictness = arguments.strictness();
    let said = match (read_key_proof(path)?, &anchor) {
        (KeyProof::One(proof), Anchor::Commitments(file)) => {
            let known = file.known()?;
            let answer = verification::verify(&known.verifier()?, &known, &key, &proof, strictness)?;
            Said { value: answer.value, shows_predecessor: answer.shows_predecessor, ..Said::of(&proof) }
        }
        (KeyProof::One(_), Anchor::Root(_) | Anchor::Note(_)) => return Err(AnswerRefusal::NoRoot.into()),
        (KeyProof::Answer(proof), _) => {
            let value = match verify_answer(&anchor, &Question::key(key.clone()), &proof, strictness)? {
                Answer::Keys(answers) => answers.into_iter().next().and_then(|KeyAnswer { value, .. }| value),
                Answer::Range(_) | Answer::Predecessor(_) | Answer::Successor(_) => None,
            };
            let (scheme, version) = (proof.scheme, proof.version);
            Said { value, shows_predecessor: false, scheme, version, dictionary: encode(&proof.dictionary.0) }
        }
    };
    Ok(report(&key, &said, &anchor))
}

/// What a proof for one key shows.
struct Said {
    value: Option<Value>,
    shows_predecessor: bool,
    scheme: SchemeKind,
    version: u64,
    dictionary: String,
}

impl Said {
    fn of(proof: &crate::proof_json::Proof) -> Self {
        let (scheme, version) = (proof.scheme, proof.version);
        Self { value: None, shows_predecessor: false, scheme, version, dictionary: encode(&proof.dictionary.0) }
    }
}

fn report(key: &Key, said: &Said, anchor: &Anchor) -> Report {
    let rows = Rows::new().row("proof", "holds").row("key", display(key));
    let rows = match &said.value {
        Some(value) => rows.row("answer", "present").row("value", display(value)),
        None => rows.row("answer", "absent"),
    };
    let rows = if said.shows_predecessor { rows.row("deletion", "the predecessor is shown too") } else { rows };
    let mut rows = rows.row("version", said.version.to_string());
    let mut json = json!({
        "result": "holds",
        "key": encode(key),
        "present": said.value.is_some(),
        "shows_predecessor": said.shows_predecessor,
        "version": said.version,
        "dictionary": said.dictionary,
    });
    merge(&mut json, presence_json(said.value.as_ref()));
    if let Anchor::Note(note) = anchor {
        rows = note.rows(rows);
        merge(&mut json, json!({ "note": note.json() }));
    }
    let rows = match said.scheme {
        SchemeKind::Kzg => rows,
        SchemeKind::LibertYung => rows.row("warning", "libert-yung stands on a setup whose secret is public: insecure"),
    };
    Report::done(rows.to_text(), json)
}
