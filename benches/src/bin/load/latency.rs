//! Durations and what they look like.

use std::time::Duration;

use serde_json::{Value, json};

/// Durations, gathered.
#[derive(Clone, Debug, Default)]
pub struct Latencies(Vec<Duration>);

impl Latencies {
    /// One more.
    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// Those of another thread too.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The least duration that so many thousandths do not exceed; nothing of none.
    pub fn quantile(&self, thousandths: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let rank = (sorted.len() * thousandths).div_ceil(1000).max(1);
        sorted.get(rank - 1).copied().unwrap_or_default()
    }

    /// Lines for people.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        NAMES.iter().map(|(name, thousandths)| (*name, format!("{:.2?}", self.quantile(*thousandths)))).collect()
    }

    /// Seconds by name.
    pub fn json(&self) -> Value {
        let seconds = |(name, thousandths): &(&str, usize)| {
            ((*name).to_owned(), json!(self.quantile(*thousandths).as_secs_f64()))
        };
        Value::Object(NAMES.iter().map(seconds).collect())
    }
}

const NAMES: [(&str, usize); 4] = [("p50", 500), ("p90", 900), ("p99", 990), ("max", 1000)];

/// The machine's load averages over one, five and fifteen minutes, where it says them.
pub fn load_average() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_the_durations_that_were_seen() {
        let mut latencies = Latencies::default();
        assert_eq!(latencies.quantile(500), Duration::ZERO);
        for milliseconds in (1..=100).rev() {
            latencies.push(Duration::from_millis(milliseconds));
        }
        let at = |thousandths| latencies.quantile(thousandths).as_millis();
        assert_eq!([at(500), at(990), at(1000), at(0)], [50, 99, 100, 1]);
    }
}
