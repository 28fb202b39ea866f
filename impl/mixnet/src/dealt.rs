//! Dealings and verdicts as posts, and the keys that follow from them.

use aardvark_algebra::encoding::{G1_BYTES, SCALAR_BYTES};
use aardvark_algebra::{Scalar, encode_g1};
use aardvark_sigma::dealing::{Complaint, Dealer, Dealing};
use aardvark_sigma::knowledge::{KnowledgeProof, multiples};
use aardvark_sigma::{List, Secrets};

use crate::ceremony::Ceremony;
use crate::codec::{Reader, scalar_bytes, short_points};
use crate::fault::{Fault, FaultKind};
use crate::keys::PublicKeys;

/// A dealing's body: all A; for each constant term and each R its T, then each z; for each server R
/// and its masked shares.
pub fn encode_dealing(dealing: &Dealing) -> Vec<u8> {
    let mut bytes = short_points(&dealing.commitments);
    bytes.extend(short_points(&dealing.proof.first));
    bytes.extend(scalar_bytes(&dealing.proof.responses));
    for (point, sealed) in dealing.randomised.points().iter().zip(&dealing.sealed) {
        bytes.extend(encode_g1(point));
        bytes.extend(scalar_bytes(sealed));
    }
    bytes
}

/// The dealing of these bytes, in a ceremony; its proof is not checked.
pub fn decode_dealing(bytes: &[u8], ceremony: &Ceremony) -> Result<Dealing, Fault> {
    let (keys, threshold, servers) = (ceremony.keys(), ceremony.threshold(), ceremony.servers.len());
    let (proved, shares) = (keys + servers, G1_BYTES + keys * SCALAR_BYTES);
    if bytes.len() != keys * threshold * G1_BYTES + proved * (G1_BYTES + SCALAR_BYTES) + servers * shares {
        return Err(Fault::new(FaultKind::WrongLength));
    }
    let mut reader = Reader::new(bytes);
    let commitments = reader.points(keys, threshold)?;
    let proof = KnowledgeProof { first: reader.points(proved, 1)?, responses: reader.scalars(proved)? };
    let (mut points, mut sealed): (Vec<_>, Vec<Vec<Scalar>>) = (Vec::new(), Vec::new());
    for _ in 0..servers {
        // Each was checked to lie in G1.
        points.extend_from_slice(reader.points(1, 1)?.points());
        sealed.push(reader.scalars(keys)?);
    }
    Ok(Dealing { commitments, randomised: List::computed(points, 1), sealed, proof })
}

/// A verdict's body: `u16 count`; for each complaint `u16 dealer`, S, T twice, z.
pub fn encode_verdict(complaints: &[Complaint]) -> Vec<u8> {
    let mut bytes = (complaints.len() as u16).to_be_bytes().to_vec();
    for complaint in complaints {
        bytes.extend(complaint.dealer.to_be_bytes());
        bytes.extend(short_points(&complaint.shared));
        bytes.extend(short_points(&complaint.proof.first));
        bytes.extend(scalar_bytes(&complaint.proof.responses));
    }
    bytes
}

/// The complaints of these bytes, in ascending order of dealers.
pub fn decode_verdict(bytes: &[u8]) -> Result<Vec<Complaint>, Fault> {
    let mut reader = Reader::new(bytes);
    let count = usize::from(reader.u16()?);
    if bytes.len() != 2 + count * (2 + 3 * G1_BYTES + SCALAR_BYTES) {
        return Err(Fault::new(FaultKind::WrongLength));
    }
    let mut complaints: Vec<Complaint> = Vec::new();
    for _ in 0..count {
        let (dealer, shared) = (reader.u16()?, reader.points(1, 1)?);
        let proof = KnowledgeProof { first: reader.points(2, 1)?, responses: reader.scalars(1)? };
        if complaints.last().is_some_and(|last| last.dealer >= dealer) {
            return Err(Fault::new(FaultKind::Malformed));
        }
        complaints.push(Complaint { dealer, shared, proof });
    }
    Ok(complaints)
}

/// The keys of these dealings, in ascending order of dealers.
pub fn public_keys(ceremony: &Ceremony, digest: &[u8; 32], dealings: &[(u16, &Dealing)]) -> Result<PublicKeys, Fault> {
    let rows: Vec<(u16, Vec<Vec<_>>)> = dealings
        .iter()
        .map(|(dealer, dealing)| (*dealer, dealing.commitments.iter().map(<[_]>::to_vec).collect()))
        .collect();
    let commitments: Vec<_> = rows.iter().map(|(dealer, rows)| (*dealer, rows.as_slice())).collect();
    PublicKeys::new(digest, &commitments, ceremony.servers.len() as u16, ceremony.threshold())
}

/// A server's shares of all keys: the sums of what the dealers gave it. An error if they are not
/// what everybody computed of them; then the server must not use them.
pub fn key_shares(
    digest: &[u8; 32],
    dealings: &[(u16, &Dealing)],
    keys: &PublicKeys,
    server: u16,
    transport: &Secrets,
    seed: &aardvark_sigma::Seed,
) -> Result<Secrets, Fault> {
    let mut sums: Vec<Scalar> = vec![Scalar::from(0); keys.keys.len()];
    for (number, dealing) in dealings {
        let dealer = Dealer { ceremony: *digest, number: *number };
        let received = dealing.receive(&dealer, server, transport, seed)?;
        let shares = received.map_err(|_| Fault::of_server(FaultKind::DealingFalse, *number))?;
        sums.iter_mut().zip(&*shares).for_each(|(sum, share)| *sum += share);
    }
    let secrets = Secrets::new(sums);
    let public = keys.shares_of(server, 0..keys.keys.len());
    if multiples(&secrets).points() == public.points() {
        Ok(secrets)
    } else {
        Err(Fault::of_server(FaultKind::DealingFalse, server))
    }
}
