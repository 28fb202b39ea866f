//! The contract ABI: as much of its encoding as the contracts' functions need.

use revm::primitives::keccak256;

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number, a digest, a truth value: one word.
    Word([u8; 32]),
    /// Bytes of any number.
    Bytes(Vec<u8>),
    /// A struct, or the arguments of a function.
    Tuple(Vec<Value>),
    /// An array of any number of items.
    Array(Vec<Value>),
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Word(word(number))
    }
}

/// A number as a word.
fn word(number: u64) -> [u8; 32] {
    let mut word = [0; 32];
    word[24..].copy_from_slice(&number.to_be_bytes());
    word
}

impl Value {
    fn is_dynamic(&self) -> bool {
        match self {
            Self::Word(_) => false,
            Self::Bytes(_) | Self::Array(_) => true,
            Self::Tuple(values) => values.iter().any(Self::is_dynamic),
        }
    }

    fn encode(&self) -> Vec<u8> {
        match self {
            Self::Word(word) => word.to_vec(),
            Self::Bytes(bytes) => {
                let padding = bytes.len().next_multiple_of(32) - bytes.len();
                [&word(bytes.len() as u64), bytes.as_slice(), &vec![0; padding]].concat()
            }
            Self::Tuple(values) => sequence(values),
            Self::Array(values) => [word(values.len() as u64).to_vec(), sequence(values)].concat(),
        }
    }
}

/// Values one after the other: those of no fixed length as offsets, and behind all of them.
fn sequence(values: &[Value]) -> Vec<u8> {
    let head = |value: &Value| if value.is_dynamic() { 32 } else { value.encode().len() };
    let mut offset = values.iter().map(head).sum::<usize>();
    let (mut heads, mut tails) = (Vec::new(), Vec::new());
    for value in values {
        let encoded = value.encode();
        if value.is_dynamic() {
            heads.extend(word(offset as u64));
            offset += encoded.len();
            tails.extend(encoded);
        } else {
            heads.extend(encoded);
        }
    }
    [heads, tails].concat()
}

/// The data of a call.
pub fn call(signature: &str, arguments: Vec<Value>) -> Vec<u8> {
    [selector(signature).as_slice(), &Value::Tuple(arguments).encode()].concat()
}

/// What tells a function or an error from others.
pub fn selector(signature: &str) -> [u8; 4] {
    let digest = keccak256(signature);
    [digest[0], digest[1], digest[2], digest[3]]
}

/// What `returns (bool present, bytes memory value)` returned: the value, if one is present.
pub fn answer(output: &[u8]) -> Option<Vec<u8>> {
    let [_, _, rest @ ..] = output.as_chunks::<32>().0 else { panic!("{output:?}") };
    let [length, value @ ..] = rest else { panic!("{output:?}") };
    let length = usize::try_from(u64::from_be_bytes(length[24..].try_into().unwrap())).unwrap();
    let value = value.as_flattened()[..length].to_vec();
    match output[31] {
        0 => {
            assert!(value.is_empty(), "an absent key has a value");
            None
        }
        1 => Some(value),
        other => panic!("{other} is no truth value"),
    }
}
