//! The tokens of a generated body: names, numbers, and the operators that the translator writes.

/// A token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

/// Longer ones first.
const OPERATORS: [&str; 20] = [
    "[=?]", "[+]", "[-]", "[*]", "<=?", "=b?", "<?", "=?", "&&", "||", "++", ":=", "=>", ".(", "{|", "|}", "<-", "->",
    "[]", "()",
];

/// The tokens of a body, in their order.
pub fn tokens_of(body: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty()) {
        let length = token_length(rest);
        let text = rest.get(..length).unwrap_or(rest);
        if !text.trim().is_empty() {
            tokens.push(Token { text, start: at, end: at + text.len() });
        }
        at += text.len();
    }
    tokens
}

fn token_length(rest: &str) -> usize {
    let word: usize =
        rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == '\'').map(char::len_utf8).sum();
    if word > 0 {
        return word;
    }
    let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator)).map(|operator| operator.len());
    operator.or_else(|| rest.chars().next().map(char::len_utf8)).unwrap_or(1)
}

/// The index of the `then` that belongs to the `if` at index `i`.
pub fn then_of(tokens: &[Token<'_>], i: usize) -> Option<usize> {
    let mut depth = 0u32;
    for (j, token) in tokens.iter().enumerate().skip(i + 1) {
        match token.text {
            "if" => depth += 1,
            "then" if depth == 0 => return Some(j),
            "then" => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Where the operand that begins with token `i` ends: a name, a projection such as `s.(f)`, or what
/// stands in parentheses.
pub fn operand_end(tokens: &[Token<'_>], i: usize) -> usize {
    let (mut depth, mut end) = (0u32, 0);
    for (j, token) in tokens.iter().enumerate().skip(i) {
        match token.text {
            "(" | ".(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        end = token.end;
        let projected = tokens.get(j + 1).is_some_and(|next| next.text == ".(");
        if depth == 0 && !projected {
            break;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_whole_and_names_keep_their_primes() {
        let texts: Vec<&str> = tokens_of("left' [=?] s.(key) <=? [] ++ 12.").iter().map(|token| token.text).collect();
        assert_eq!(texts, ["left'", "[=?]", "s", ".(", "key", ")", "<=?", "[]", "++", "12", "."]);
    }

    #[test]
    fn an_operand_is_a_name_a_projection_or_a_parenthesis() {
        let body = "range (f a.(b)) s.(t).(u) x";
        let tokens = tokens_of(body);
        let second = tokens.iter().position(|token| token.text == "s").unwrap();
        assert_eq!(&body[tokens[1].start..operand_end(&tokens, 1)], "(f a.(b))");
        assert_eq!(&body[tokens[second].start..operand_end(&tokens, second)], "s.(t).(u)");
    }

    #[test]
    fn the_then_of_an_if_skips_those_inside() {
        let tokens = tokens_of("if if a then b else c then d else e");
        assert_eq!(then_of(&tokens, 0), Some(7));
        assert_eq!(then_of(&tokens, 1), Some(3));
    }
}
