//! `aardvark mixnet new`, `start`, `close`, `absent`

use aardvark_board::BoardClient;
use aardvark_mixnet::ceremony::{Querier, Rules, Server};
use aardvark_mixnet::input::Sender;
use aardvark_mixnet::post::Draft;
use aardvark_mixnet::{Ceremony, CeremonyName, Kind, Stage};
use serde_json::json;

use crate::commands::mixnet::args::{Absent, AbsentStage, New, Organise, Start};
use crate::commands::mixnet::failure::MixnetFailure;
use crate::commands::mixnet::{key_file, state};
use crate::failure::Failure;
use crate::hex_text::{decode, encode};
use crate::report::{Report, Rows, counted};

fn system(path: &std::path::Path, error: std::io::Error) -> MixnetFailure {
    MixnetFailure::System(path.display().to_string(), error)
}

/// The senders of a registry, in ascending order of keys.
fn registry(path: &std::path::Path) -> Result<Vec<Sender>, MixnetFailure> {
    let text = std::fs::read_to_string(path).map_err(|error| system(path, error))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = lines.map(|(number, line)| {
        let (key, label) = line.split_once(',').unwrap_or((line, ""));
        let malformed =
            |why: String| MixnetFailure::Malformed(format!("{}: line {}: {why}", path.display(), number + 1));
        let key = key_file::author(key.trim()).map_err(malformed)?;
        Ok(Sender { key, label: label.trim().to_owned() })
    });
    let mut senders = read.collect::<Result<Vec<_>, MixnetFailure>>()?;
    senders.sort_by_key(|sender| sender.key);
    Ok(senders)
}

/// Writes the terms of a ceremony.
pub fn new(arguments: &New) -> Result<Report, Failure> {
    let all = u8::try_from(arguments.servers.len()).unwrap_or(u8::MAX);
    let servers = arguments.servers.iter();
    let ceremony = Ceremony {
        title: arguments.title.clone(),
        value_bytes: arguments.value_bytes,
        threshold: arguments.threshold.unwrap_or(all),
        servers: servers.map(|server| Server { author: server.author, transport: server.transport.clone() }).collect(),
        queriers: arguments
            .queriers
            .iter()
            .map(|querier| Querier { author: querier.author, reading: Some(querier.reading.clone()) })
            .collect(),
        rules: Rules { anyone: arguments.anyone_asks, queries: arguments.queries, ..Rules::default() },
        least: arguments.least,
        registry: registry(&arguments.registry)?,
    };
    let bytes = ceremony.to_bytes();
    // What servers would refuse is not written.
    Ceremony::from_bytes(&bytes).map_err(MixnetFailure::from)?;
    std::fs::write(&arguments.file, format!("{}\n", encode(&bytes))).map_err(|error| system(&arguments.file, error))?;
    let rows = Rows::new()
        .row("servers", format!("{all}, of which {} decrypt", ceremony.threshold))
        .row("agree", format!("{} on a mix before it is decrypted", ceremony.quorum()))
        .row("senders", counted(ceremony.registry.len() as u64, "key", "keys"));
    let json = json!({
        "result": "holds", "servers": all, "threshold": ceremony.threshold, "quorum": ceremony.quorum(),
        "senders": ceremony.registry.len(),
    });
    Ok(Report::done(rows.to_text(), json))
}

/// Posts the terms of a ceremony.
pub fn start(arguments: &Start) -> Result<Report, Failure> {
    let text = std::fs::read_to_string(&arguments.file).map_err(|error| system(&arguments.file, error))?;
    let malformed = |why: String| MixnetFailure::Malformed(format!("{}: {why}", arguments.file.display()));
    let bytes = decode(text.trim()).map_err(|error| malformed(error.to_string()))?;
    let ceremony = Ceremony::from_bytes(&bytes).map_err(|fault| malformed(fault.to_string()))?;
    let organiser = key_file::load(&arguments.key)?;
    let board = BoardClient::new(&arguments.board);
    let dictionary = board.about().map_err(MixnetFailure::from)?.dictionary.0;
    let name = CeremonyName { dictionary, organiser: organiser.author(), number: arguments.number };
    let draft = Draft::new(&dictionary, name.terms_key(), bytes, &organiser);
    let servers: Vec<[u8; 32]> = ceremony.servers.iter().map(|server| server.author).collect();
    state::post_terms(&board, &draft, &servers, ceremony.threshold())?;
    let admitted = state::admit(&board, &name, &ceremony, &organiser)?;
    let digest = encode(&ceremony.digest(&dictionary, &name.terms_key().to_bytes()));
    let rows = Rows::new().row("ceremony", &digest).row("number", arguments.number.to_string());
    let rows = if admitted > 0 { rows.row("admitted", counted(admitted as u64, "author", "authors")) } else { rows };
    let json = json!({ "result": "holds", "ceremony": digest, "number": arguments.number, "admitted": admitted });
    Ok(Report::done(rows.to_text(), json))
}

fn posted(what: &str) -> Report {
    Report::done(Rows::new().row("posted", what).to_text(), json!({ "result": "holds", "posted": what }))
}

/// Ends the inputs.
pub fn close(arguments: &Organise) -> Result<Report, Failure> {
    let organiser = key_file::load(&arguments.key)?;
    let (board, view) = state::view(&arguments.at)?;
    let key = view.name.key(Kind::Close, None, 0, organiser.author());
    state::post(&board, &view, key, Vec::new(), &organiser)?;
    Ok(posted("close"))
}

/// Goes on without a server's post.
pub fn absent(arguments: &Absent) -> Result<Report, Failure> {
    let organiser = key_file::load(&arguments.organiser.key)?;
    let (board, view) = state::view(&arguments.organiser.at)?;
    let stage = match (arguments.stage, view.stage) {
        (Some(AbsentStage::Dealing), _) | (None, Stage::Dealing) => Kind::Dealing,
        (Some(AbsentStage::Verdict), _) | (None, Stage::Verdicts) => Kind::Verdict,
        (Some(AbsentStage::Layer), _) | (None, Stage::Mixing) => Kind::Layer,
        (None, _) => {
            return Err(MixnetFailure::NotThere("no server is waited for at this stage".to_owned()).into());
        }
    };
    if view.ceremony.server(arguments.server).is_none() {
        return Err(MixnetFailure::Malformed(format!("there is no server {}", arguments.server)).into());
    }
    let sequence = u16::from(stage as u8) << 8 | arguments.server;
    let key = view.name.key(Kind::Absent, None, sequence, organiser.author());
    state::post(&board, &view, key, Vec::new(), &organiser)?;
    Ok(posted("absent"))
}
