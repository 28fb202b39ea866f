//! Commands whose options are put together when they are asked for.
//!
//! clap makes the options of all commands before it reads a word: of this program's, a megabyte and
//! a millisecond, as much as some commands take for their work. A command behind [`Deferred`] gives
//! its name and what it is about, and the rest only where it is the one that was typed, or where
//! all are asked for, as for man pages ([`at_once`]). So does one that has a list of commands
//! ([`Listed`]).

use std::cell::Cell;
use std::ops::Deref;

use clap::builder::Resettable;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};

thread_local! {
    /// Whether nothing is left for later.
    static AT_ONCE: Cell<bool> = const { Cell::new(false) };
}

/// A command line with all that its commands take, for whoever lists it: clap names for `help` what
/// is there when the command line is put together.
pub fn at_once(command_line: fn() -> Command) -> Command {
    AT_ONCE.set(true);
    let command = command_line();
    AT_ONCE.set(false);
    command
}

/// What a command takes, put together when it is asked for. For variants of a list of commands
/// only: clap would drop what is deferred within what is deferred.
#[derive(Debug)]
pub struct Deferred<T>(T);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        if AT_ONCE.get() {
            return T::augment_args(command);
        }
        command.defer(|command| described_as_before(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| described_as_before(command, T::augment_args_for_update))
    }
}

/// A list of commands as what one command takes, for [`Deferred`].
#[derive(Debug, Args)]
pub struct Listed<T: Subcommand> {
    /// One of the list.
    #[command(subcommand)]
    command: T,
}

impl<T: Subcommand> Deref for Listed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.command
    }
}

/// What a list of commands says of one goes before what its options say of it.
fn described_as_before(command: Command, augment: fn(Command) -> Command) -> Command {
    let (about, long) = (command.get_about().cloned(), command.get_long_about().cloned());
    augment(command).about(Resettable::from(about)).long_about(Resettable::from(long))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser, Subcommand};

    use super::*;

    /// Of the options.
    ///
    /// At length.
    #[derive(Debug, Args)]
    struct Options {
        /// A number.
        #[arg(long)]
        number: u32,
    }

    #[derive(Debug, Subcommand)]
    enum Commands {
        /// Of the list.
        One(Deferred<Options>),
        /// Further ones.
        More(Deferred<Listed<Further>>),
    }

    #[derive(Debug, Subcommand)]
    enum Further {
        /// Of the further list.
        Two(Deferred<Options>),
    }

    #[derive(Debug, Parser)]
    struct Line {
        #[command(subcommand)]
        command: Commands,
    }

    #[test]
    fn options_are_there_when_the_command_is_typed_and_not_before() {
        let line = Line::command();
        let one = line.find_subcommand("one").unwrap();
        assert_eq!((one.get_arguments().count(), one.get_about().unwrap().to_string()), (0, "Of the list".to_owned()));
        let Commands::One(options) = Line::parse_from(["line", "one", "--number", "7"]).command else {
            unreachable!("it is the other command")
        };
        assert_eq!(options.number, 7);
        for wrong in [vec!["line", "one"], vec!["line", "one", "--number", "x"]] {
            assert!(Line::try_parse_from(wrong).is_err());
        }
    }

    #[test]
    fn so_are_lists_of_commands() {
        let line = Line::command();
        assert_eq!(line.find_subcommand("more").unwrap().get_subcommands().count(), 0);
        let Commands::More(further) = Line::parse_from(["line", "more", "two", "--number", "7"]).command else {
            unreachable!("it is the other command")
        };
        let Further::Two(options) = &**further;
        assert_eq!(options.number, 7);
        for wrong in [vec!["line", "more"], vec!["line", "more", "one"], vec!["line", "more", "two"]] {
            assert!(Line::try_parse_from(wrong).is_err());
        }
    }

    #[test]
    fn all_of_it_is_there_where_all_are_asked_for_described_by_the_list() {
        let mut line = Line::command();
        line.build();
        let one = line.find_subcommand("one").unwrap();
        assert!(one.get_arguments().any(|option| option.get_long() == Some("number")));
        assert_eq!(one.get_about().unwrap().to_string(), "Of the list");
        assert!(one.get_long_about().is_none());
        let more = line.find_subcommand("more").unwrap();
        assert_eq!(more.get_about().unwrap().to_string(), "Further ones");
        let two = more.find_subcommand("two").unwrap();
        assert!(two.get_arguments().any(|option| option.get_long() == Some("number")));
    }

    #[test]
    fn put_together_at_once_help_names_the_lists_commands() {
        let named = |mut line: Command| {
            line.build();
            let of_help = line.find_subcommand("help").unwrap().find_subcommand("more").unwrap();
            of_help.find_subcommand("two").is_some()
        };
        assert!(named(at_once(Line::command)) && !named(Line::command()));
        let line = at_once(Line::command);
        assert_eq!(line.find_subcommand("one").unwrap().get_about().unwrap().to_string(), "Of the list");
    }
}
