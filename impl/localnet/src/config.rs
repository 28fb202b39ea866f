//! CometBFT's config.toml: values are set in the file that `cometbft init` writes.

use std::path::Path;

use crate::LocalnetError;

/// A section, a key and its value.
pub type Setting<'a> = (&'a str, &'a str, String);

/// Sets values in the file of a node's folder.
pub fn configure<'a>(home: &Path, settings: impl IntoIterator<Item = Setting<'a>>) -> Result<(), LocalnetError> {
    let path = home.join("config/config.toml");
    let config = std::fs::read_to_string(&path).map_err(LocalnetError::file(&path))?;
    let set = |config: String, (section, key, value): Setting<'_>| set(&config, section, key, &value);
    let config = settings.into_iter().fold(config, set);
    std::fs::write(&path, config).map_err(LocalnetError::file(&path))
}

/// Sets `key = value` of a section (the empty name: before all sections). A key that the file does
/// not have is added to its section.
fn set(config: &str, section: &str, key: &str, value: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let (mut current, mut done) = (String::new(), false);
    for line in config.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            if current == section && !done {
                lines.push(format!("{key} = {value}"));
                done = true;
            }
            current = name.to_owned();
        }
        let is_it = current == section && !done && line.split_once('=').is_some_and(|(name, _)| name.trim() == key);
        if is_it {
            lines.push(format!("{key} = {value}"));
            done = true;
        } else {
            lines.push(line.to_owned());
        }
    }
    if !done && current == section {
        lines.push(format!("{key} = {value}"));
    }
    lines.join("\n") + "\n"
}

/// A text as TOML.
pub fn text(value: &str) -> String {
    format!("{value:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_set_in_its_section_only() {
        let config = "a = 1\n\n[x]\na = 2\nb = 3\n\n[y]\na = 4\n";
        assert_eq!(set(config, "x", "a", "9"), "a = 1\n\n[x]\na = 9\nb = 3\n\n[y]\na = 4\n");
        assert_eq!(set(config, "", "a", "9"), "a = 9\n\n[x]\na = 2\nb = 3\n\n[y]\na = 4\n");
        assert_eq!(set(config, "x", "c", "9"), "a = 1\n\n[x]\na = 2\nb = 3\n\nc = 9\n[y]\na = 4\n");
        assert_eq!(set(config, "y", "c", "9"), "a = 1\n\n[x]\na = 2\nb = 3\n\n[y]\na = 4\nc = 9\n");
    }
}
