//! The command line: what people type.

use clap::{Parser, Subcommand};

use crate::commands::apply::Apply;
use crate::commands::archive_backup::ArchiveBackup;
use crate::commands::archive_jobs::ArchiveJobs;
use crate::commands::archive_openings::ArchiveOpenings;
use crate::commands::archive_restore::ArchiveRestore;
use crate::commands::audit::Audit;
use crate::commands::client::args::Client;
use crate::commands::commitments::Commitments;
use crate::commands::completions::Completions;
use crate::commands::demo::Demo;
use crate::commands::diff::Diff;
use crate::commands::explain::Explain;
use crate::commands::export::Export;
use crate::commands::get::Get;
use crate::commands::history::History;
use crate::commands::import::Import;
use crate::commands::init::Init;
use crate::commands::list::List;
use crate::commands::man::Man;
use crate::commands::mixnet::Mixnet;
use crate::commands::node_archive::NodeArchive;
use crate::commands::node_genesis::NodeGenesis;
use crate::commands::node_keeper::NodeKeeper;
use crate::commands::node_openings::NodeOpenings;
use crate::commands::node_validator::NodeValidator;
use crate::commands::node_validators::NodeValidators;
use crate::commands::prove::Prove;
use crate::commands::root::Root;
use crate::commands::status::Status;
use crate::commands::table::Table;
use crate::commands::verify::Verify;
use crate::deferred::{Deferred, Listed};

/// An authenticated dictionary: short proofs that a key has a value, or that it is absent, against
/// 48 bytes per 1,024 keys.
///
/// Exit codes: 0, it holds; 1, it is false, or the work failed; 2, the input is malformed, about
/// something else, or cannot be read; 3, a job that `archive jobs status` asks about is unfinished.
#[derive(Debug, Parser)]
#[command(name = "aardvark", version, arg_required_else_help = true, propagate_version = false)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Print JSON instead of text for people.
    #[arg(long, global = true)]
    pub json: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the whole of it on Debian's package index: build, prove, verify, forge, measure.
    Demo(Deferred<Demo>),
    /// Make an empty dictionary.
    Init(Deferred<Init>),
    /// Put and delete the keys of a file, as import blocks.
    Import(Deferred<Import>),
    /// Check transactions and apply them as blocks; those that fail are reported and left out.
    Apply(Deferred<Apply>),
    /// Look a key up.
    Get(Deferred<Get>),
    /// Print keys and values, one entry a line.
    List(Deferred<List>),
    /// Print a version as a file that `import` takes.
    Export(Deferred<Export>),
    /// Print what a key was at every version that can be read.
    History(Deferred<History>),
    /// Print what two versions differ in.
    Diff(Deferred<Diff>),
    /// Print a proof that a key has its value, or that it is absent; of many keys, or of a range.
    Prove(Deferred<Prove>),
    /// Check a proof with nothing but the commitments, the state root or a signed note.
    Verify(Deferred<Verify>),
    /// Show why a proof convinces: slot, interval, equation, theorem.
    Explain(Deferred<Explain>),
    /// Print what a validator knows: the commitments of a version.
    Commitments(Deferred<Commitments>),
    /// Print the state root of a version, 32 bytes to verify with; sign it.
    Root(Deferred<Root>),
    /// Say how large the dictionary is, and what a validator needs.
    Status(Deferred<Status>),
    /// Replay every block from genesis, and compare every slot, index entry and commitment.
    Audit(Deferred<Audit>),
    /// Back an archive up while it goes on, and restore it; store its openings; run the processes
    /// of a large one.
    #[command(name = "archive", subcommand)]
    OfArchive(OfArchive),
    /// Keep tables of private rows, of which anybody can check that they are in order.
    Table(Deferred<Listed<Table>>),
    /// Run a node of a network.
    #[command(subcommand)]
    Node(Node),
    /// Read and write a network's keys, trusting neither its archives nor its nodes.
    Client(Deferred<Listed<Client>>),
    /// Hold votes without voters, and answer questions about them.
    Mixnet(Deferred<Listed<Mixnet>>),
    /// Print completions for a shell.
    Completions(Deferred<Completions>),
    /// Write the man pages into a folder.
    #[command(hide = true)]
    Man(Deferred<Man>),
}

/// `aardvark archive`
#[derive(Debug, Subcommand)]
pub enum OfArchive {
    /// Write all that an archive has, its chain's records too, into one file.
    Backup(Deferred<ArchiveBackup>),
    /// Make the archive of a backup: every commitment is computed anew.
    Restore(Deferred<ArchiveRestore>),
    /// Store all openings of the newest version, or renew those that are stale, so that `prove`
    /// finds them: 80 bytes a key, derived, and never needed.
    Openings(Deferred<ArchiveOpenings>),
    /// Audit the newest version, or store its openings, in partitions, which goes on after a kill.
    #[command(subcommand)]
    Jobs(ArchiveJobs),
    /// Follow a chain and write its archive, in a folder or on object storage: `aardvark node
    /// archive` with --rpc.
    Follow(Deferred<NodeArchive>),
    /// Answer of an archive's store on object storage that another process writes: `aardvark node
    /// archive` with --store and without --rpc.
    Front(Deferred<NodeArchive>),
    /// Serve the openings of some of an archive's vectors to fronts: another name for `aardvark
    /// node openings`. (`aardvark archive openings` stores openings in a file.)
    ServeOpenings(Deferred<NodeOpenings>),
}

/// `aardvark node`
#[derive(Debug, Subcommand)]
pub enum Node {
    /// Run a validator: the application that CometBFT asks.
    Validator(Deferred<NodeValidator>),
    /// Show who decides a chain's blocks, and change them, as its council.
    #[command(subcommand)]
    Validators(NodeValidators),
    /// Write what a chain begins with into CometBFT's genesis file.
    Genesis(Deferred<NodeGenesis>),
    /// Serve an archive over HTTP, and keep it up to date with a chain.
    Archive(Deferred<NodeArchive>),
    /// Serve the openings of some of an archive's vectors to those who answer for it.
    Openings(Deferred<NodeOpenings>),
    /// Serve an archive with the rows of its tables, of which it answers statistics with proofs.
    Keeper(Deferred<NodeKeeper>),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn numbers_out_of_range_are_usage_errors() {
        for line in [
            ["aardvark", "init", "d", "--vector-size", "0"],
            ["aardvark", "init", "d", "--window", "-1"],
            ["aardvark", "get", "d", "--version", "x"],
        ] {
            assert!(Arguments::try_parse_from(line).is_err(), "{line:?}");
        }
        assert!(Arguments::try_parse_from(["aardvark", "import", "d", "f", "--block-size", "0"]).is_err());
    }
}
