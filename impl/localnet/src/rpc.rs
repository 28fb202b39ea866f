//! CometBFT's RPC, as far as tests and the status line need it: answers of our own nodes, which are
//! believed.

use std::time::Duration;

use serde_json::{Value, json};

use crate::LocalnetError;

/// A node's RPC.
#[derive(Clone, Debug)]
pub struct Rpc {
    url: String,
    agent: ureq::Agent,
}

impl Rpc {
    /// The RPC on a port of the loopback.
    pub fn new(port: u16) -> Self {
        Self { url: format!("http://127.0.0.1:{port}"), agent: agent() }
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Calls a method.
    ///
    /// # Errors
    /// [`LocalnetError::Rpc`].
    pub fn call(&self, method: &str, params: &Value) -> Result<Value, LocalnetError> {
        let failed = |problem: String| LocalnetError::Rpc { url: format!("{}/{method}", self.url), problem };
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let request = self.agent.post(&self.url).header("content-type", "application/json");
        let mut response = request.send(body).map_err(|error| failed(error.to_string()))?;
        let text = response.body_mut().read_to_string().map_err(|error| failed(error.to_string()))?;
        let mut answer: Value = serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
        match answer.get_mut("result").map(Value::take) {
            Some(result) if answer.get("error").is_none_or(Value::is_null) => Ok(result),
            _ => Err(failed(answer.get("error").unwrap_or(&Value::Null).to_string())),
        }
    }

    /// The latest height.
    ///
    /// # Errors
    /// [`LocalnetError::Rpc`].
    pub fn height(&self) -> Result<u64, LocalnetError> {
        let status = self.call("status", &json!({}))?;
        number(&status, "/sync_info/latest_block_height").ok_or_else(|| self.odd("status"))
    }

    /// The app hash in the header of a height, which is the state root of the height before:
    /// hexadecimal.
    ///
    /// # Errors
    /// [`LocalnetError::Rpc`].
    pub fn app_hash(&self, height: u64) -> Result<String, LocalnetError> {
        let block = self.call("block", &json!({ "height": height.to_string() }))?;
        let hash = block.pointer("/block/header/app_hash").and_then(Value::as_str);
        hash.map(str::to_owned).ok_or_else(|| self.odd("block"))
    }

    /// The app hash in the header of a height; `None` where the node has deleted that block.
    ///
    /// # Errors
    /// [`LocalnetError::Rpc`].
    pub fn kept_app_hash(&self, height: u64) -> Result<Option<String>, LocalnetError> {
        match self.app_hash(height) {
            Ok(hash) => Ok(Some(hash)),
            Err(_) if self.earliest_height()? > height => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    /// The lowest height whose block the node has.
    ///
    /// # Errors
    /// [`LocalnetError::Rpc`].
    pub fn earliest_height(&self) -> Result<u64, LocalnetError> {
        let status = self.call("status", &json!({}))?;
        number(&status, "/sync_info/earliest_block_height").ok_or_else(|| self.odd("status"))
    }

    /// The hash of a height's block: hexadecimal.
    ///
    /// # Errors
    /// [`LocalnetError::Rpc`].
    pub fn block_hash(&self, height: u64) -> Result<String, LocalnetError> {
        let block = self.call("block", &json!({ "height": height.to_string() }))?;
        let hash = block.pointer("/block_id/hash").and_then(Value::as_str);
        hash.map(str::to_owned).ok_or_else(|| self.odd("block"))
    }

    /// Submits a transaction, and waits for CheckTx: its code.
    ///
    /// # Errors
    /// [`LocalnetError::Rpc`], also where the mempool is full or has it already.
    pub fn submit(&self, transaction: &[u8]) -> Result<u64, LocalnetError> {
        let answer = self.call("broadcast_tx_sync", &json!({ "tx": base64(transaction) }))?;
        answer.get("code").and_then(Value::as_u64).ok_or_else(|| self.odd("broadcast_tx_sync"))
    }

    /// The heights and codes of the transactions with an id of ours.
    ///
    /// # Errors
    /// [`LocalnetError::Rpc`].
    pub fn find(&self, id: &str) -> Result<Vec<(u64, u64)>, LocalnetError> {
        let found = self.call("tx_search", &json!({ "query": format!("aardvark.id='{id}'") }))?;
        let all = found.get("txs").and_then(Value::as_array).ok_or_else(|| self.odd("tx_search"))?;
        let one = |tx: &Value| Some((number(tx, "/height")?, tx.pointer("/tx_result/code").and_then(Value::as_u64)?));
        all.iter().map(|tx| one(tx).ok_or_else(|| self.odd("tx_search"))).collect()
    }

    /// The height and code of the transaction with a hash of CometBFT's, as anybody asks for it:
    /// `/tx?hash=0x…`.
    ///
    /// # Errors
    /// [`LocalnetError::Rpc`], also where no block has it.
    pub fn transaction(&self, hash: &str) -> Result<(u64, u64), LocalnetError> {
        let url = format!("{}/tx?hash=0x{hash}", self.url);
        let failed = |error: ureq::Error| LocalnetError::Rpc { url: url.clone(), problem: error.to_string() };
        let mut response = self.agent.get(&url).call().map_err(failed)?;
        let text = response.body_mut().read_to_string().map_err(failed)?;
        let answer: Value = serde_json::from_str(&text).map_err(|_| self.odd("tx"))?;
        let code = answer.pointer("/result/tx_result/code").and_then(Value::as_u64);
        number(&answer, "/result/height").zip(code).ok_or_else(|| self.odd("tx"))
    }

    /// How many transactions a query finds in the node's index.
    ///
    /// # Errors
    /// [`LocalnetError::Rpc`].
    pub fn count(&self, query: &str) -> Result<u64, LocalnetError> {
        let found = self.call("tx_search", &json!({ "query": query }))?;
        number(&found, "/total_count").ok_or_else(|| self.odd("tx_search"))
    }

    fn odd(&self, method: &str) -> LocalnetError {
        LocalnetError::Rpc { url: format!("{}/{method}", self.url), problem: "an answer of another form".to_owned() }
    }
}

/// Who asks: an answer has a minute, for nodes that share a busy machine.
pub(crate) fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().timeout_global(Some(Duration::from_secs(60))).build().into()
}

fn number(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer).and_then(Value::as_str).and_then(|text| text.parse().ok())
}

/// RFC 4648, with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: [char; 64] = {
        let mut digits = ['/'; 64];
        let mut i = 0u8;
        while i < 26 {
            digits[i as usize] = (b'A' + i) as char;
            digits[26 + i as usize] = (b'a' + i) as char;
            if i < 10 {
                digits[52 + i as usize] = (b'0' + i) as char;
            }
            i += 1;
        }
        digits[62] = '+';
        digits
    };
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word = group.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= group.len() { digit } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE=")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
    }
}
