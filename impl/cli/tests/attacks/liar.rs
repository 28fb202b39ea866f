//! A proposer without honour: what stands between a validator's CometBFT and its application,
//! changes what the application proposes, and votes for every block.
//!
//! ```text
//! CometBFT -- requests, as they are --> application
//!          <-- answers; a proposal goes through `change`, a judgement becomes "accept" --
//! ```

use std::io::{self, BufReader, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use prost::Message as _;
use prost::bytes::Bytes;
use tendermint_proto::v0_38::abci::response::Value;
use tendermint_proto::v0_38::abci::response_process_proposal::ProposalStatus;
use tendermint_proto::v0_38::abci::{Response, ResponsePrepareProposal};

use crate::scene::PATIENCE;

/// What a proposed list of transactions becomes.
pub type Change = dyn FnMut(Vec<Bytes>) -> Vec<Bytes> + Send;

/// Takes an application's place: where CometBFT finds it. The threads end with the connections.
pub fn stand_before(application: String, change: Box<Change>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let change = Arc::new(Mutex::new(change));
    std::thread::spawn(move || {
        for cometbft in listener.incoming() {
            let (cometbft, application) = (cometbft.unwrap(), connect(&application));
            let requests = [&cometbft, &application].map(|stream| stream.try_clone().unwrap());
            std::thread::spawn(move || pass_requests(requests));
            let change = Arc::clone(&change);
            std::thread::spawn(move || pass_answers(application, cometbft, &change));
        }
    });
    address
}

/// The application may come later than CometBFT.
fn connect(address: &str) -> TcpStream {
    let begun = Instant::now();
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => return stream,
            Err(error) => assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "{error}"),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn pass_requests([mut from, mut to]: [TcpStream; 2]) {
    // However it ends, both ends hear of it.
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Both);
}

/// Passes answers on until one of the two has gone.
fn pass_answers(application: TcpStream, mut cometbft: TcpStream, change: &Mutex<Box<Change>>) {
    let mut application = BufReader::new(application);
    while let Ok(mut answer) = read_answer(&mut application) {
        match &mut answer.value {
            Some(Value::PrepareProposal(ResponsePrepareProposal { txs })) => {
                *txs = change.lock().unwrap()(std::mem::take(txs));
            }
            Some(Value::ProcessProposal(judgement)) => judgement.status = ProposalStatus::Accept.into(),
            _ => {}
        }
        if cometbft.write_all(&answer.encode_length_delimited_to_vec()).is_err() {
            break;
        }
    }
    let _ = cometbft.shutdown(Shutdown::Both);
}

/// The next answer: a varint of its length, and so many bytes.
fn read_answer(application: &mut BufReader<TcpStream>) -> io::Result<Response> {
    let mut prefix = Vec::new();
    while prefix.last().is_none_or(|byte| byte & 0x80 != 0) {
        let mut byte = [0];
        application.read_exact(&mut byte)?;
        prefix.extend(byte);
    }
    let mut bytes = vec![0; prost::decode_length_delimiter(prefix.as_slice()).unwrap()];
    application.read_exact(&mut bytes)?;
    Ok(Response::decode(bytes.as_slice()).unwrap())
}
