//! Files with the columns of the paper's artifact.

use super::setting::Setting;
use crate::error::BenchError;

/// Writes `experimentX.csv`, where files are asked for.
pub fn write(setting: &Setting<'_>, header: &str, lines: &[String]) -> Result<(), BenchError> {
    let Some(directory) = &setting.options.csv else { return Ok(()) };
    let failed = |source| BenchError::io(directory.display().to_string(), source);
    std::fs::create_dir_all(directory).map_err(failed)?;
    let path = directory.join(format!("experiment{}.csv", setting.experiment.name()));
    let text = core::iter::once(header).chain(lines.iter().map(String::as_str)).collect::<Vec<&str>>().join("\n");
    std::fs::write(path, text + "\n").map_err(failed)
}
