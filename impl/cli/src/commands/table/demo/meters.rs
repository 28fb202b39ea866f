//! The meters: generated homes, always the same, and the table of their readings.

use std::path::Path;
use std::time::Instant;

use aardvark_aggregates::{KeyColumn, KeyKind, Schema, ValueColumn};
use aardvark_archive::Archive;
use aardvark_dictionary::Parameters;
use aardvark_tables::source::csv::CsvSource;
use aardvark_tables::{ImportOptions, Keeper};

use crate::commands::init::empty_genesis;
use crate::demo::Narrator;
use crate::failure::Failure;
use crate::report::{bytes, count, duration};

/// The table's name.
pub const TABLE: &str = "meters";
/// The first and the last time at which meters are read.
pub const TIMES: [u64; 2] = [100, 109];
/// How many districts there are.
const DISTRICTS: u32 = 6;
/// The greatest reading, in watts.
pub const HIGHEST: u64 = 20_000;

/// A reading.
#[derive(Clone, Debug)]
pub struct Reading {
    /// When.
    pub time: u64,
    /// The home's district.
    pub district: u32,
    /// Whether it is a workshop.
    pub industrial: u8,
    /// Watts.
    pub power: u64,
    /// The home.
    pub user: String,
    /// What entitles it to see its row.
    pub tag: String,
}

/// All readings.
pub struct Meters {
    /// The readings, by time and home.
    pub readings: Vec<Reading>,
}

impl Meters {
    /// The readings of so many homes.
    pub fn generate(homes: u32) -> Self {
        let mut random = SplitMix(20_231_108);
        let homes: Vec<(u32, u8, u64, String)> = (0..homes)
            .map(|home| {
                let industrial = u8::from(home % 5 == 0);
                let base = if industrial == 1 { 2_000 + random.below(6_000) } else { 80 + random.below(900) };
                let tag = format!("{:016x}{:016x}", random.next(), random.next());
                (home % DISTRICTS + 1, industrial, base, tag)
            })
            .collect();
        let mut readings = Vec::new();
        for time in TIMES[0]..=TIMES[1] {
            for (home, (district, industrial, base, tag)) in homes.iter().enumerate() {
                let power = (base / 2 + random.below(base + 1)).min(HIGHEST);
                let (district, industrial) = (*district, *industrial);
                let (user, tag) = (format!("home-{home}"), tag.clone());
                readings.push(Reading { time, district, industrial, power, user, tag });
            }
        }
        Self { readings }
    }

    fn csv(&self) -> String {
        let line = |reading: &Reading| {
            let Reading { time, district, industrial, power, user, tag } = reading;
            format!("{time},{district},{industrial},{power},{user},{tag}\n")
        };
        let lines: String = self.readings.iter().map(line).collect();
        format!("time,district,industrial,power,user,tag\n{lines}")
    }
}

/// Numbers that look random and are always the same (Steele, Lea, Flood: "Fast splittable
/// pseudorandom number generators", 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }
}

/// The table's schema.
fn schema() -> Schema {
    let key = |name: &str, width: u8| KeyColumn { name: name.to_owned(), kind: KeyKind::Unsigned, width };
    let power = ValueColumn { name: "power".to_owned(), lowest: 0, span: HIGHEST, bits: 16, moments: 2, scale: 0 };
    Schema {
        append_only: true,
        deletable: false,
        writers: Vec::new(),
        keys: vec![key("time", 8), key("district", 4), key("industrial", 1)],
        values: vec![power],
        rows: vec!["user".to_owned(), "tag".to_owned()],
        watermark: Vec::new(),
    }
}

/// Makes the table, and imports the readings.
pub fn scene(folder: &Path, meters: &Meters, tell: &mut Narrator) -> Result<Keeper, Failure> {
    tell.section("A keeper's table: rows in a vault, commitments and certificates in public")?;
    // Always the same salt, so that two demonstrations show the same identities.
    let genesis = empty_genesis("meters of a town", [0; 32], Parameters { vector_size: 256, ..Parameters::default() })?;
    let archive = Archive::builder().create(folder, &genesis)?;
    let mut keeper = Keeper::open(archive, folder)?;
    let schema = schema();
    keeper.create(TABLE, &schema)?;
    let start = Instant::now();
    let text = meters.csv();
    let mut source =
        CsvSource::new(text.as_bytes(), &schema, &Default::default()).map_err(aardvark_tables::TablesError::from)?;
    let report = keeper.import(TABLE, &schema, &mut source, &ImportOptions::default(), &mut |_| {})?;
    let (rows, runs) = (count(report.rows), count(report.runs));
    tell.line("imported", &format!("{rows} readings as {runs} runs of one time, district and kind"))?;
    let sheets = count(report.sheets);
    tell.line("certified", &format!("{sheets} sheets, in {} with all that is written", duration(start.elapsed())))?;
    let commitments = 48 * keeper.archive().commitments(report.version)?.len() as u64;
    tell.line("what an asker trusts", &format!("{} of commitments", bytes(commitments)))?;
    tell.fact("rows", report.rows);
    tell.fact("runs", report.runs);
    tell.fact("sheets", report.sheets);
    Ok(keeper)
}
