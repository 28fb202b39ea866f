//! Zero tests as posts.

use aardvark_sigma::zero_test::ZeroTest;

use crate::body::{Part, Writer, read};
use crate::fault::{Fault, FaultKind};

/// The post's body: list C'; list T; z for each target.
pub fn encode(test: &ZeroTest) -> Vec<u8> {
    Writer::default().list(&test.after).list(&test.first).scalars(&test.responses).finish()
}

/// The zero test of a server of so many targets.
pub fn decode(bytes: &[u8], targets: usize, server: u16) -> Result<ZeroTest, Fault> {
    let wrong = || Fault::of_server(FaultKind::WrongLength, server);
    let twice = targets.checked_mul(2).ok_or_else(wrong)?;
    let parts = [Part::List(targets, 2), Part::List(twice, 1), Part::Scalars(targets)];
    let (lists, scalars) = read(bytes, &parts, server)?;
    let [after, first]: [_; 2] = lists.try_into().map_err(|_| wrong())?;
    let [responses]: [_; 1] = scalars.try_into().map_err(|_| wrong())?;
    Ok(ZeroTest { after, first, responses })
}
