//! Who takes part: a board and four servers as processes, and everybody else.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use aardvark_board::BoardClient;
use aardvark_board::client::server_keys;
use aardvark_mixnet::ceremony::{Querier, Rules, Server};
use aardvark_mixnet::input::Sender;
use aardvark_mixnet::post::Draft;
use aardvark_mixnet::stored::StoredBody;
use aardvark_mixnet::{Ceremony, CeremonyName, Identity, Kind, Memo, PostKey, View};
use serde_json::Value;

use crate::commands::init::random_salt;
use crate::commands::mixnet::args::OnBoard;
use crate::commands::mixnet::failure::MixnetFailure;
use crate::commands::mixnet::{key_file, state};
use crate::demo::Narrator;
use crate::failure::Failure;

/// The polling stations.
pub const STATIONS: [&str; 3] = ["north", "south", "west"];
/// The number of servers, and how many decrypt.
pub const SERVERS: (u16, u8) = (4, 3);
/// Bytes of a value: a length, a ballot code of 5 bytes, a choice of 2.
const VALUE_BYTES: u8 = 8;
/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(300);
/// How often the board is looked at.
const POLL: Duration = Duration::from_millis(100);

/// A process that is killed when it is not needed any more.
pub struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    fn start(arguments: &[&str], environment: &[(&str, &str)], output: Stdio) -> Result<Self, MixnetFailure> {
        let failed = |error| MixnetFailure::System(arguments.join(" "), error);
        let mut command = Command::new(std::env::current_exe().map_err(failed)?);
        command.args(arguments).envs(environment.iter().copied());
        command.stdin(Stdio::null()).stdout(output).stderr(Stdio::null());
        Ok(Self(command.spawn().map_err(failed)?))
    }

    /// Waits until it has ended by itself; whether it was killed.
    pub fn died(&mut self) -> Result<bool, MixnetFailure> {
        let begun = Instant::now();
        loop {
            let ended = self.0.try_wait().map_err(|error| MixnetFailure::System("a server".to_owned(), error))?;
            match ended {
                Some(status) => return Ok(!status.success()),
                None if begun.elapsed() > PATIENCE => return Ok(false),
                None => std::thread::sleep(POLL),
            }
        }
    }
}

/// A voter with the vote.
pub struct Voter {
    /// The voter's key.
    pub identity: Identity,
    /// A number of [`STATIONS`].
    pub station: usize,
    /// Ballot code and choice.
    pub value: Vec<u8>,
}

/// Everything of the election.
pub struct Hall {
    folder: PathBuf,
    _board: Process,
    servers: Vec<Option<Process>>,
    /// The board.
    pub client: BoardClient,
    memo: Memo,
    /// The ceremony on it.
    pub at: OnBoard,
    name: CeremonyName,
    organiser: Identity,
    /// Who asks.
    pub auditor: Identity,
    /// Who votes.
    pub voters: Vec<Voter>,
    /// A registered voter who sends a copy of another's ballot.
    pub copier: Identity,
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn person() -> Result<Identity, Failure> {
    Ok(Identity::new(random_salt()?))
}

impl Hall {
    /// Starts board and servers, and posts the terms.
    pub fn open(folder: &Path, of_station: usize, tell: &mut Narrator) -> Result<Self, Failure> {
        tell.section("A board and four servers, three of whom decrypt")?;
        let directory = text(&folder.join("board"));
        let organiser = person()?;
        let author = crate::hex_text::encode(&organiser.author());
        let arguments = ["--json", "mixnet", "board", &directory, "--listen", "127.0.0.1:0", "--organiser", &author];
        let mut board = Process::start(&arguments, &[], Stdio::piped())?;
        let client = BoardClient::new(&listening(&mut board)?);
        let at = OnBoard { board: client.url().to_owned(), organiser: None, number: None };
        let name = CeremonyName {
            dictionary: client.about().map_err(MixnetFailure::from)?.dictionary.0,
            organiser: organiser.author(),
            number: 1,
        };
        let (auditor, copier) = (person()?, person()?);
        let voters = voters(of_station)?;
        let mut registry: Vec<Sender> = Vec::new();
        for (key, station) in voters.iter().map(|voter| (voter.identity.author(), voter.station)) {
            registry.push(Sender { key, label: STATIONS.get(station).copied().unwrap_or_default().to_owned() });
        }
        registry.push(Sender { key: copier.author(), label: "west".to_owned() });
        registry.sort_by_key(|sender| sender.key);
        let mut hall = Self {
            folder: folder.to_owned(),
            _board: board,
            servers: Vec::new(),
            client,
            memo: Memo::default(),
            at,
            name,
            organiser,
            auditor,
            voters,
            copier,
        };
        let mut servers = Vec::new();
        for number in 1..=SERVERS.0 {
            let home = hall.home(number);
            std::fs::create_dir_all(&home).map_err(|error| MixnetFailure::System(text(&home), error))?;
            let public = key_file::create(&home.join("key"))?.public();
            servers.push(Server { author: public.author, transport: public.transport });
            let process = hall.server(number, "")?;
            hall.servers.push(Some(process));
        }
        let querier = hall.auditor.public();
        let terms = Ceremony {
            title: "an election".to_owned(),
            value_bytes: VALUE_BYTES,
            threshold: SERVERS.1,
            servers,
            queriers: vec![Querier { author: querier.author, reading: Some(querier.reading) }],
            rules: Rules::default(),
            least: 2,
            registry,
        };
        let keys: Vec<[u8; 32]> = terms.servers.iter().map(|server| server.author).collect();
        let draft = Draft::new(&hall.name.dictionary, hall.name.terms_key(), terms.to_bytes(), &hall.organiser);
        state::post_terms(&hall.client, &draft, &keys, terms.threshold())?;
        let begun = Instant::now();
        hall.wait(|view| view.keys.is_some())?;
        tell.line("keys dealt, no dealer", &crate::report::duration(begun.elapsed()))?;
        tell.fact("voters", hall.voters.len());
        Ok(hall)
    }

    fn home(&self, number: u16) -> PathBuf {
        self.folder.join(format!("server{number}"))
    }

    fn server(&self, number: u16, fail_point: &str) -> Result<Process, MixnetFailure> {
        let home = text(&self.home(number));
        let arguments = ["mixnet", "server", "--home", &home, "--board", &self.at.board];
        Process::start(&arguments, &[("AARDVARK_FAIL_POINT", fail_point)], Stdio::null())
    }

    /// Kills a server.
    pub fn kill(&mut self, number: u16) {
        if let Some(server) = self.servers.get_mut(usize::from(number) - 1) {
            *server = None;
        }
    }

    /// Starts a server again, which dies at a fail point if one is named.
    pub fn restart(&mut self, number: u16, fail_point: &str) -> Result<&mut Process, Failure> {
        self.kill(number);
        let process = self.server(number, fail_point)?;
        let none = || Failure::broken(format!("there is no server {number}"));
        Ok(self.servers.get_mut(usize::from(number) - 1).ok_or_else(none)?.insert(process))
    }

    /// A server's key, for those who lie in its name.
    pub fn identity(&self, number: u16) -> Result<Identity, Failure> {
        Ok(key_file::load(&self.home(number).join("key"))?)
    }

    /// The key of a post of the ceremony.
    pub fn key(&self, kind: Kind, query: Option<[u8; 32]>, sequence: u16) -> PostKey {
        self.name.key(kind, query, sequence, [0; 32])
    }

    /// What the board says now.
    pub fn view(&mut self) -> Result<View, Failure> {
        self.client.read().map_err(MixnetFailure::from)?;
        let view = self.memo.view(&self.name, self.client.posts());
        let view = view.map_err(|fault| MixnetFailure::Faulty(Box::new(fault)))?;
        Ok(view.ok_or_else(|| MixnetFailure::NotThere("the terms are not there".to_owned()))?)
    }

    /// Waits until something is so.
    pub fn wait(&mut self, is_so: impl Fn(&View) -> bool) -> Result<View, Failure> {
        let (begun, mut seen) = (Instant::now(), None);
        loop {
            let version = self.client.about().map_err(MixnetFailure::from)?.version;
            if seen.replace(version) != Some(version) {
                let view = self.view()?;
                if is_so(&view) {
                    return Ok(view);
                }
            }
            if begun.elapsed() > PATIENCE {
                return Err(Failure::broken("what was waited for did not come"));
            }
            std::thread::sleep(POLL);
        }
    }

    /// Posts somebody's body, with receipts if it needs them.
    pub fn post(&self, view: &View, author: &Identity, key: PostKey, body: Vec<u8>) -> Result<(), Failure> {
        let draft = Draft::new(&self.name.dictionary, key, body, author);
        let posted = self.client.write_with_receipts(&draft, &server_keys(view), view.ceremony.threshold(), PATIENCE);
        Ok(posted.map_err(MixnetFailure::from)?)
    }

    /// Ends the voting.
    pub fn close(&mut self) -> Result<(), Failure> {
        let view = self.view()?;
        self.post(&view, &self.organiser, self.key(Kind::Close, None, 0), Vec::new())
    }

    /// Bytes of all values and bodies that were read.
    pub fn bytes(&self) -> usize {
        let body = |body: &Option<StoredBody>| body.as_ref().map_or(0, |body| body.len());
        self.client.posts().iter().map(|(key, posted)| key.len() + posted.value.len() + body(&posted.body)).sum()
    }
}

/// Where a board says that it listens.
fn listening(board: &mut Process) -> Result<String, Failure> {
    let mut line = String::new();
    if let Some(output) = board.0.stdout.take() {
        let read = BufReader::new(output).read_line(&mut line);
        read.map_err(|error| MixnetFailure::System("the board".to_owned(), error))?;
    }
    let said: Value = serde_json::from_str(&line).unwrap_or_default();
    let address = said.get("listening").and_then(Value::as_str);
    address.map(|address| format!("http://{address}")).ok_or_else(|| Failure::broken("the board did not start"))
}

/// The voters with their votes: each ballot has a code of its own.
fn voters(of_station: usize) -> Result<Vec<Voter>, Failure> {
    let mut voters = Vec::new();
    for number in 0..of_station * STATIONS.len() {
        let station = number % STATIONS.len();
        // Every station votes otherwise.
        let choice = if (number / STATIONS.len()).is_multiple_of(station + 2) { "no" } else { "ye" };
        let value = format!("{:05}{choice}", number * 37 + 1_000).into_bytes();
        voters.push(Voter { identity: person()?, station, value });
    }
    Ok(voters)
}
