//! Who takes part: everything of a server, sender, querier or organiser follows from one seed.

use aardvark_algebra::{TaggedHash, hash_to_scalar};
use aardvark_sigma::claim::claims_hold;
use aardvark_sigma::knowledge::{KnowledgeClaim, KnowledgeProof, multiples, prove_knowledge};
use aardvark_sigma::{Digest, List, Secrets, Seed};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use crate::codec::{Reader, scalar_bytes, short_points};
use crate::fault::Fault;

/// An Ed25519 public key.
pub type AuthorKey = [u8; 32];
/// Bytes of a signature.
pub const SIGNATURE_BYTES: usize = 64;
/// Bytes of a [`KnownKey`].
pub const KNOWN_KEY_BYTES: usize = 128;

/// What a point of G1 is the public key of; its proof of knowledge is bound to that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyUse {
    /// N: masks shares that are dealt to a server.
    Transport,
    /// P: private answers are encrypted for it too.
    Reading,
    /// P once more, in a query about the mix with this digest.
    Asking(Digest),
}

impl KeyUse {
    /// The seed of the proof: `H(tag, author || point)`, for a query `H(tag, mix || author ||
    /// point)`.
    fn seed(self, author: &AuthorKey, point: &List) -> Digest {
        let hash = match self {
            Self::Transport => TaggedHash::new("AARDVARK-V1-MIXNET-TRANSPORT"),
            Self::Reading => TaggedHash::new("AARDVARK-V1-MIXNET-QUERIER"),
            Self::Asking(mix) => TaggedHash::new("AARDVARK-V1-MIXNET-ASKING").chain(mix),
        };
        hash.chain(author).chain(short_points(point)).finalize()
    }
}

/// A public key in G1 with the proof that its author knows the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownKey {
    /// The key: one point.
    pub point: List,
    /// The proof.
    pub proof: KnowledgeProof,
}

impl KnownKey {
    /// Point (48), T (48), z (32).
    pub fn to_bytes(&self) -> Vec<u8> {
        let points = [short_points(&self.point), short_points(&self.proof.first)].concat();
        [points, scalar_bytes(&self.proof.responses)].concat()
    }

    /// Reads a key; its proof is not checked.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let (point, first) = (reader.points(1, 1)?, reader.points(1, 1)?);
        Ok(Self { point, proof: KnowledgeProof { first, responses: reader.scalars(1)? } })
    }

    /// Whether the author is shown to know the secret.
    #[must_use]
    pub fn holds(&self, key_use: KeyUse, author: &AuthorKey) -> bool {
        let claim = KnowledgeClaim::new(&key_use.seed(author, &self.point), &self.point, &self.proof);
        claim.is_ok_and(|claim| claims_hold(&[&claim]))
    }
}

/// The secrets of one who takes part.
#[derive(Debug)]
pub struct Identity {
    seed: Seed,
    signing: SigningKey,
    transport: Secrets,
    reading: Secrets,
}

impl Identity {
    /// What follows from 32 bytes that nobody else knows.
    pub fn new(seed: [u8; 32]) -> Self {
        let of = |tag: &'static str| TaggedHash::new(tag).chain(seed).finalize();
        let scalar = |tag| Secrets::new(vec![hash_to_scalar(&of(tag), b"AARDVARK-V1-MIXNET-SECRET")]);
        Self {
            signing: SigningKey::from_bytes(&of("AARDVARK-V1-MIXNET-SIGNING-KEY")),
            transport: scalar("AARDVARK-V1-MIXNET-TRANSPORT-KEY"),
            reading: scalar("AARDVARK-V1-MIXNET-READING-KEY"),
            seed: Seed::new(of("AARDVARK-V1-MIXNET-RANDOMNESS")),
        }
    }

    /// Where all randomness comes from.
    pub fn seed(&self) -> &Seed {
        &self.seed
    }

    /// The public key that posts are signed with.
    pub fn author(&self) -> AuthorKey {
        self.signing.verifying_key().to_bytes()
    }

    /// ν.
    pub fn transport_secret(&self) -> &Secrets {
        &self.transport
    }

    /// p.
    pub fn reading_secret(&self) -> &Secrets {
        &self.reading
    }

    /// A key of this identity for one use, with its proof.
    pub fn known_key(&self, key_use: KeyUse) -> KnownKey {
        let secret = if key_use == KeyUse::Transport { &self.transport } else { &self.reading };
        let point = multiples(secret);
        let proof = prove_knowledge(&key_use.seed(&self.author(), &point), secret, &self.seed);
        KnownKey { point, proof }
    }

    /// What others may know.
    pub fn public(&self) -> PublicIdentity {
        PublicIdentity {
            author: self.author(),
            transport: self.known_key(KeyUse::Transport),
            reading: self.known_key(KeyUse::Reading),
        }
    }

    /// The signature of a digest.
    pub fn sign(&self, digest: &Digest) -> [u8; SIGNATURE_BYTES] {
        self.signing.sign(digest).to_bytes()
    }
}

/// Whether a signature of a digest is its author's.
#[must_use]
pub fn is_signed(author: &AuthorKey, digest: &Digest, signature: &[u8; SIGNATURE_BYTES]) -> bool {
    let key = VerifyingKey::from_bytes(author);
    key.is_ok_and(|key| key.verify_strict(digest, &Signature::from_bytes(signature)).is_ok())
}

/// What others may know of one who takes part: 288 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicIdentity {
    /// The key that posts are signed with.
    pub author: AuthorKey,
    /// The key for shares, if it serves.
    pub transport: KnownKey,
    /// The key for private answers, if it asks.
    pub reading: KnownKey,
}

impl PublicIdentity {
    /// Author (32), transport key and reading key (128 each).
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.author.to_vec(), self.transport.to_bytes(), self.reading.to_bytes()].concat()
    }

    /// Reads what [`PublicIdentity::to_bytes`] writes; the proofs are not checked.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let author = reader.array()?;
        let (transport, reading) = (KnownKey::read(&mut reader)?, KnownKey::read(&mut reader)?);
        reader.finish()?;
        Ok(Self { author, transport, reading })
    }
}
