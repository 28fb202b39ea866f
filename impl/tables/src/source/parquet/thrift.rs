//! Thrift's compact protocol, read to see whether the counts that it states are there.
//!
//! The crate `parquet` takes memory for lists by the count that is stated, and reads a field by its
//! number, whatever type it is said to have. So here each field that the crate knows has to have
//! the type that the crate takes it for, and each list as many elements as bytes could hold.

/// How deep structures may lie in each other.
const DEEPEST: usize = 24;
/// The most structures in lists.
const MOST_STRUCTURES: usize = 1 << 18;
/// The most elements of lists, structures or not: a byte of them may take 24 where it is read.
const MOST_ELEMENTS: usize = 1 << 20;

/// What the bytes of a structure are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// They end before it does.
    Short,
    /// They are none of what it is said to be.
    Malformed,
    /// It has something that is not read here.
    Unread(&'static str),
}

/// The type of a field.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Bool,
    I8,
    I16,
    I32,
    I64,
    Binary,
    List(&'static Kind),
    Struct(&'static Structure),
    /// What a file that is read here does not have.
    Unread(&'static str),
}

/// A structure: the numbers and types of its fields.
pub(super) struct Structure {
    pub(super) name: &'static str,
    pub(super) fields: &'static [(i16, Kind)],
}

/// Told of each integer: the structure's name, the field's number, and the integer.
pub(super) type Visit<'v> = dyn FnMut(&'static str, i16, i64) -> Result<(), Fault> + 'v;

/// Bytes that are read.
pub(super) struct Bytes<'b> {
    rest: &'b [u8],
    structures: usize,
    elements: usize,
}

impl<'b> Bytes<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes, structures: 0, elements: 0 }
    }

    /// How many bytes there are behind what was read.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// Reads a structure.
    pub(super) fn structure(&mut self, of: &'static Structure, visit: &mut Visit<'_>) -> Result<(), Fault> {
        self.fields(Some(of), 0, visit)
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        let (byte, rest) = self.rest.split_first().ok_or(Fault::Short)?;
        self.rest = rest;
        Ok(*byte)
    }

    fn skip(&mut self, bytes: u64) -> Result<(), Fault> {
        let bytes = usize::try_from(bytes).map_err(|_| Fault::Short)?;
        self.rest = self.rest.get(bytes..).ok_or(Fault::Short)?;
        Ok(())
    }

    fn varint(&mut self) -> Result<u64, Fault> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Fault::Malformed)
    }

    fn integer(&mut self) -> Result<i64, Fault> {
        let number = self.varint()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn fields(&mut self, of: Option<&'static Structure>, depth: usize, visit: &mut Visit<'_>) -> Result<(), Fault> {
        if depth > DEEPEST {
            return Err(Fault::Malformed);
        }
        let mut number = 0i16;
        loop {
            let head = self.byte()?;
            if head & 0x0f == 0 {
                return Ok(());
            }
            number = match head >> 4 {
                0 => i16::try_from(self.integer()?).map_err(|_| Fault::Malformed)?,
                step => number.checked_add(i16::from(step)).ok_or(Fault::Malformed)?,
            };
            let known = of.and_then(|of| of.fields.iter().find(|(field, _)| *field == number));
            let name = of.map_or("", |of| of.name);
            match (known, head & 0x0f) {
                (Some((_, kind)), found) if !kind.is(found) => {
                    return Err(if let Kind::Unread(what) = kind { Fault::Unread(what) } else { Fault::Malformed });
                }
                // A truth value stands in the head.
                (_, 1 | 2) => {}
                (known, found) => {
                    let mut visit_field = |integer| visit(name, number, integer);
                    if let Some(integer) = self.integer_of(found)? {
                        if known.is_some() {
                            visit_field(integer)?;
                        }
                    } else {
                        self.value(known.map(|(_, kind)| *kind), found, depth, visit)?;
                    }
                }
            }
        }
    }

    /// The integer that stands here, where the type is one of integers.
    fn integer_of(&mut self, found: u8) -> Result<Option<i64>, Fault> {
        match found {
            3 => Ok(Some(i64::from(self.byte()? as i8))),
            4..=6 => self.integer().map(Some),
            _ => Ok(None),
        }
    }

    /// Reads a value that is no truth value in a field's head.
    fn value(&mut self, known: Option<Kind>, found: u8, depth: usize, visit: &mut Visit<'_>) -> Result<(), Fault> {
        match found {
            1..=3 => self.skip(1),
            4..=6 => self.integer().map(drop),
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(length)
            }
            9 => self.list(known, depth, visit),
            12 => {
                let of = if let Some(Kind::Struct(of)) = known { Some(of) } else { None };
                self.fields(of, depth + 1, visit)
            }
            _ => Err(Fault::Malformed),
        }
    }

    fn list(&mut self, known: Option<Kind>, depth: usize, visit: &mut Visit<'_>) -> Result<(), Fault> {
        if depth > DEEPEST {
            return Err(Fault::Malformed);
        }
        let head = self.byte()?;
        let found = head & 0x0f;
        let count = match head >> 4 {
            15 => self.varint()?,
            count => u64::from(count),
        };
        // Each element has a byte at least.
        let count = usize::try_from(count).ok().filter(|count| *count <= self.rest.len()).ok_or(Fault::Short)?;
        let element = if let Some(Kind::List(element)) = known { Some(*element) } else { None };
        if count > 0 && element.is_some_and(|element| !element.is(found)) {
            return Err(Fault::Malformed);
        }
        // Neither sum wraps: each count is at most the bytes' number.
        self.elements += count;
        self.structures += if found == 12 { count } else { 0 };
        if self.structures > MOST_STRUCTURES || self.elements > MOST_ELEMENTS {
            return Err(Fault::Unread("a description of more parts than a million"));
        }
        (0..count).try_for_each(|_| self.value(element, found, depth + 1, visit))
    }
}

impl Kind {
    /// Whether this is how the type is written.
    fn is(self, found: u8) -> bool {
        match self {
            Self::Bool => matches!(found, 1 | 2),
            Self::I8 => found == 3,
            Self::I16 => found == 4,
            Self::I32 => found == 5,
            Self::I64 => found == 6,
            Self::Binary => found == 8,
            Self::List(_) => found == 9,
            Self::Struct(_) => found == 12,
            Self::Unread(_) => false,
        }
    }
}
