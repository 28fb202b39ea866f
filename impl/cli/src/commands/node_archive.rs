//! `aardvark node archive`

use aardvark_node::archive::{ChainOptions, Limits, Options, Serving, run as serve};
use serde_json::json;

use crate::args::NodeArchive;
use crate::failure::Failure;
use crate::print::{self, Lines};
use crate::report::{Report, Rows};

/// Serves an archive until the process is told to end. Says where it listens as soon as it does.
///
/// # Errors
/// An archive that cannot be opened, an address that cannot be listened on.
pub fn run(arguments: &NodeArchive, json: bool) -> Result<Report, Failure> {
    arguments.logging.begin().map_err(Failure::Logging)?;
    let limits = Limits {
        connections: arguments.connections.get(),
        connections_per_address: arguments.connections_per_address.get(),
        ..Limits::default()
    };
    let chain = arguments.genesis.as_ref().map(|genesis| ChainOptions {
        nodes: arguments.rpc.clone(),
        genesis: genesis.clone(),
        content: arguments.content.clone(),
        from: arguments.from.clone(),
        retention: arguments.retention,
    });
    let options = Options {
        directory: arguments.dir.clone(),
        listen: arguments.listen,
        opening_bytes: usize::try_from(arguments.openings).unwrap_or(usize::MAX).saturating_mul(1 << 20),
        warm: arguments.warm,
        limits,
        chain,
    };
    let ended = serve(&options, |address| match json {
        true => unheard(print::json(&json!({ "listening": address.to_string() }).to_string())),
        false => unheard(Lines::default().and(format!("listening   http://{address}/")).print()),
    })?;
    let said = match ended {
        Serving::Finished => "all requests were answered",
        Serving::CutOff => "requests that took too long were cut off",
    };
    Ok(Report::done(Rows::new().row("ended", said).to_text(), json!({ "ended": said })))
}

/// An archive serves also where nobody reads what it prints.
fn unheard(_printed: std::io::Result<()>) {}
