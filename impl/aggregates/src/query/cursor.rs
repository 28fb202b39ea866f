//! The words of a query's text, and where they stand.

use super::error::{Problem, QueryError};

/// A part of the text: a word, a quoted text, or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, a keyword or a number: letters, digits, `_`, `-` and `.`.
    Word(String),
    /// A text in single quotes, of which two in a row are one.
    Quoted(String),
    /// One of `( ) , / = < <= > >=`.
    Sign(&'static str),
    /// The end.
    End,
}

impl Token {
    /// The token as an error shows it.
    fn shown(&self) -> String {
        match self {
            Self::Word(word) => format!("`{word}`"),
            Self::Quoted(_) => "a quoted text".to_owned(),
            Self::Sign(sign) => format!("`{sign}`"),
            Self::End => "the end".to_owned(),
        }
    }
}

/// A text that is read token by token.
#[derive(Debug)]
pub(super) struct Cursor {
    /// The tokens, each with the number of its first character, from 1.
    tokens: Vec<(usize, Token)>,
    next: usize,
    end: usize,
}

/// Signs, the longer ones first.
const SIGNS: [&str; 9] = ["<=", ">=", "(", ")", ",", "/", "=", "<", ">"];

impl Cursor {
    pub(super) fn new(text: &str) -> Result<Self, QueryError> {
        let mut tokens = Vec::new();
        let mut characters = text.chars().enumerate().map(|(i, c)| (i + 1, c)).peekable();
        while let Some((at, character)) = characters.next() {
            if character.is_ascii_whitespace() {
                continue;
            }
            if character == '\'' {
                tokens.push((at, Token::Quoted(quoted(at, &mut characters)?)));
                continue;
            }
            if is_word(character) {
                let mut word = String::from(character);
                while let Some((_, more)) = characters.next_if(|(_, c)| is_word(*c)) {
                    word.push(more);
                }
                tokens.push((at, Token::Word(word)));
                continue;
            }
            let mut sign = String::from(character);
            if matches!(character, '<' | '>') && characters.next_if(|(_, c)| *c == '=').is_some() {
                sign.push('=');
            }
            let known = SIGNS.into_iter().find(|known| *known == sign);
            tokens.push((at, Token::Sign(known.ok_or(QueryError { at, problem: Problem::Character(character) })?)));
        }
        Ok(Self { tokens, next: 0, end: text.chars().count() + 1 })
    }

    /// Where the next token stands.
    pub(super) fn at(&self) -> usize {
        self.tokens.get(self.next).map_or(self.end, |(at, _)| *at)
    }

    fn peek(&self) -> Token {
        self.tokens.get(self.next).map_or(Token::End, |(_, token)| token.clone())
    }

    /// The next token, and where it stands.
    pub(super) fn take(&mut self) -> (usize, Token) {
        let taken = (self.at(), self.peek());
        self.next += 1;
        taken
    }

    /// An error at the next token, where something else is wanted.
    pub(super) fn wanted(&self, wanted: &'static str) -> QueryError {
        QueryError { at: self.at(), problem: Problem::Wanted { wanted, found: self.peek().shown() } }
    }

    /// The next token, which must be a word.
    pub(super) fn word(&mut self, wanted: &'static str) -> Result<(usize, String), QueryError> {
        match self.peek() {
            Token::Word(word) => {
                let at = self.take().0;
                Ok((at, word))
            }
            _ => Err(self.wanted(wanted)),
        }
    }

    /// Whether the next token is this keyword, which is then taken.
    pub(super) fn keyword(&mut self, keyword: &str) -> bool {
        let found = self.peek() == Token::Word(keyword.to_owned());
        self.next += usize::from(found);
        found
    }

    /// Whether the next token is this sign, which is then taken.
    pub(super) fn sign(&mut self, sign: &'static str) -> bool {
        let found = self.peek() == Token::Sign(sign);
        self.next += usize::from(found);
        found
    }

    /// The next token, which must be this sign.
    pub(super) fn expect(&mut self, sign: &'static str) -> Result<(), QueryError> {
        if self.sign(sign) { Ok(()) } else { Err(self.wanted(sign)) }
    }

    /// The next token, which must be this keyword.
    pub(super) fn expect_keyword(&mut self, keyword: &'static str) -> Result<(), QueryError> {
        if self.keyword(keyword) { Ok(()) } else { Err(self.wanted(keyword)) }
    }

    /// Whether all is read.
    pub(super) fn is_done(&self) -> bool {
        self.peek() == Token::End
    }
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.')
}

/// The text up to the closing quote.
fn quoted(
    at: usize,
    characters: &mut std::iter::Peekable<impl Iterator<Item = (usize, char)>>,
) -> Result<String, QueryError> {
    let mut text = String::new();
    loop {
        match characters.next() {
            None => return Err(QueryError { at, problem: Problem::Unclosed }),
            Some((_, '\'')) if characters.next_if(|(_, c)| *c == '\'').is_none() => return Ok(text),
            Some((_, character)) => text.push(character),
        }
    }
}
