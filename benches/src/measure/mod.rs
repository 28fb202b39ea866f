//! How a number is taken: clocks, spreads, memory, rows.

pub mod clock;
pub mod contest;
pub mod machine;
pub mod memory;
pub mod row;
pub mod statistics;
