//! Single openings with their verdicts: on the Ethereum ceremony, where any KZG verifier can judge
//! them, and on setups with a known secret, where the specification can.

use aardvark_algebra::ff::Field;
use aardvark_algebra::{Scalar, hash_to_scalar, scalar_to_bytes};
use aardvark_commitment::{Ceremony, Commitment, Kzg, Opening, SchemeKind, VectorCommitment};
use aardvark_spec::commitment::scheme::{Setup, commit, open};
use aardvark_spec::convert::to_seq;
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

use super::file::{File, Hex, Outcome};
use super::flags::Flag;
use crate::convert::{exponent_from_spec, scalar_to_spec};
use crate::opening_rule::malformed_bytes;
use crate::points::{Meaning, PointBytes, Points, multiple_of_generator, point_outside_subgroup, torsion_point};
use crate::setting::{Setting, secret};

use aardvark_algebra::group::Curve;

/// A claimed opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningCase {
    /// N.
    pub vector_size: usize,
    /// The commitment, 48 bytes. It must be in the subgroup.
    pub commitment: Hex,
    /// The index in the vector; for KZG it stands for the point ω^index.
    pub index: usize,
    /// The scalar claimed there, 32 bytes.
    pub scalar: Hex,
    /// The opening, 48 bytes.
    pub opening: Hex,
    /// What the format says.
    pub result: Outcome,
    /// What a verifier says that demands openings in the subgroup.
    pub strict: Outcome,
    /// Discrete logarithms, where the secret is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
}

/// What the specification needs: numbers in the place of points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// τ for KZG, α for Libert–Yung.
    pub secret: Hex,
    /// The commitment's discrete logarithm.
    pub commitment: Option<Hex>,
    /// The discrete logarithm of the opening's part in the subgroup; none where it is malformed.
    pub opening: Option<Hex>,
}

/// Where commitments and openings come from.
enum Source {
    Ceremony(Box<Kzg>),
    Known(Setting),
}

impl Source {
    fn commit(&self, vector: &[Scalar], points: &Points) -> PointBytes {
        match self {
            Self::Ceremony(kzg) => kzg.commit(vector).expect("a short enough vector").to_bytes(),
            Self::Known(setting) => points.opening(exponent_from_spec(commit(&setting.setup, &in_spec(vector)))),
        }
    }

    fn open(&self, vector: &[Scalar], index: usize, points: &Points) -> PointBytes {
        match self {
            Self::Ceremony(kzg) => kzg.open(vector, index).expect("an index of the vector").to_bytes(),
            Self::Known(setting) => points.opening(exponent_from_spec(open(&setting.setup, &in_spec(vector), index))),
        }
    }
}

fn in_spec(vector: &[Scalar]) -> hacspec_lib::Seq<aardvark_spec::base::scalar::Scalar> {
    to_seq(vector.iter().map(scalar_to_spec).collect())
}

/// One vector, its commitment, and what builds cases about it.
struct Subject<'a> {
    source: &'a Source,
    points: &'a Points,
    vector: Vec<Scalar>,
}

impl Subject<'_> {
    fn size(&self) -> usize {
        self.vector.len()
    }

    fn commitment(&self) -> PointBytes {
        self.source.commit(&self.vector, self.points)
    }

    fn honest(&self, index: usize) -> OpeningCase {
        OpeningCase {
            vector_size: self.size(),
            commitment: self.commitment().into(),
            index,
            scalar: scalar_to_bytes(&self.vector[index]).into(),
            opening: self.source.open(&self.vector, index, self.points).into(),
            result: Outcome::Valid,
            strict: Outcome::Valid,
            known: None,
        }
    }

    fn with(&self, index: usize, result: Outcome, change: impl FnOnce(&mut OpeningCase)) -> OpeningCase {
        let mut case = OpeningCase { result, strict: result, ..self.honest(index) };
        change(&mut case);
        case
    }
}

fn element(text: &str, index: usize) -> Scalar {
    hash_to_scalar(format!("{text} {index}").as_bytes(), b"VECTORS")
}

fn vector(text: &str, size: usize) -> Vec<Scalar> {
    (0..size).map(|index| element(text, index)).collect()
}

/// Adds a point of small order to encoded bytes.
fn plus_torsion(bytes: &Hex) -> Hex {
    let array: PointBytes = bytes.array().expect("48 bytes");
    let point = *Opening::from_bytes(&array).expect("an honest opening").point();
    (torsion_point() + point).to_affine().to_compressed().into()
}

fn negated(bytes: &Hex) -> Hex {
    let mut opposite = bytes.clone();
    opposite.0[0] ^= 0x20;
    opposite
}

type Tests = Vec<(String, Vec<Flag>, OpeningCase)>;

fn valid_openings(subject: &Subject<'_>, indices: &[usize]) -> Tests {
    let test = |index: &usize| (format!("N = {}, index {index}", subject.size()), Vec::new(), subject.honest(*index));
    indices.iter().map(test).collect()
}

fn edges(source: &Source, points: &Points) -> Tests {
    let subject = |vector: [Scalar; 4]| Subject { source, points, vector: vector.to_vec() };
    let zeros = subject([Scalar::ZERO; 4]);
    let largest = subject([-Scalar::ONE; 4]);
    let mixed = subject([Scalar::ZERO, element("mixed", 1), -Scalar::ONE, Scalar::ZERO]);
    let one = |case: &mut OpeningCase| case.scalar = scalar_to_bytes(&Scalar::ONE).into();
    let both = vec![Flag::EdgeScalar, Flag::IdentityPoint];
    vec![
        ("a vector of zeros, opened to 0".into(), both.clone(), zeros.honest(2)),
        ("a vector of zeros, opened to 1".into(), both, zeros.with(2, Outcome::False, one)),
        ("a vector of r - 1".into(), vec![Flag::EdgeScalar], largest.honest(1)),
        ("0 beside other scalars".into(), vec![Flag::EdgeScalar], mixed.honest(0)),
        ("r - 1 beside other scalars".into(), vec![Flag::EdgeScalar], mixed.honest(2)),
    ]
}

fn forgeries(subject: &Subject<'_>, other: &Subject<'_>) -> Tests {
    let (points, source) = (subject.points, subject.source);
    let opening_at = |index| Hex::from(source.open(&subject.vector, index, points));
    let scalar_at = |index: usize| Hex::from(scalar_to_bytes(&subject.vector[index]));
    let test = |comment: &str, flag: Flag, case| (comment.to_owned(), vec![flag], case);
    let false_with = |index, change: &dyn Fn(&mut OpeningCase)| subject.with(index, Outcome::False, change);
    let mut tests = vec![
        test(
            "the opening of index 1 for index 2",
            Flag::IndexPositionMismatch,
            false_with(2, &|case| case.opening = opening_at(1)),
        ),
        test(
            "scalar and opening of index 1 for index 2",
            Flag::IndexPositionMismatch,
            false_with(2, &|case| {
                (case.opening, case.scalar) = (opening_at(1), scalar_at(1));
            }),
        ),
        test(
            "the scalar of index 3 with the opening of index 0",
            Flag::IndexPositionMismatch,
            false_with(0, &|case| case.scalar = scalar_at(3)),
        ),
        test(
            "an index that the vector does not have",
            Flag::IndexOutOfRange,
            false_with(0, &|case| case.index = case.vector_size),
        ),
        test(
            "an honest opening under the commitment of another vector",
            Flag::SwappedCommitment,
            false_with(1, &|case| {
                case.commitment = other.commitment().into();
            }),
        ),
        test(
            "the opening of another vector at the same index",
            Flag::SwappedCommitment,
            false_with(1, &|case| {
                case.opening = source.open(&other.vector, 1, points).into();
            }),
        ),
        test(
            "the point at infinity in the place of the opening",
            Flag::IdentityPoint,
            false_with(1, &|case| {
                case.opening = Opening::identity().to_bytes().into();
            }),
        ),
        test(
            "the point at infinity in the place of the commitment",
            Flag::IdentityPoint,
            false_with(1, &|case| {
                case.commitment = Commitment::identity().to_bytes().into();
            }),
        ),
    ];
    tests.push((
        "a scalar larger by 1".into(),
        Vec::new(),
        false_with(1, &|case| {
            case.scalar = scalar_to_bytes(&(subject.vector[1] + Scalar::ONE)).into();
        }),
    ));
    tests.push((
        "the opposite of the opening".into(),
        Vec::new(),
        false_with(1, &|case| case.opening = negated(&case.opening)),
    ));
    tests.push((
        "the generator in the place of the opening".into(),
        Vec::new(),
        false_with(1, &|case| {
            case.opening = points.opening(Scalar::ONE).into();
        }),
    ));
    tests
}

fn torsion(subject: &Subject<'_>) -> Tests {
    let strict = |case: &mut OpeningCase| case.strict = Outcome::Malformed;
    let twisted = subject.with(1, Outcome::Valid, |case| {
        case.opening = plus_torsion(&case.opening);
        strict(case);
    });
    let twisted_lie = subject.with(1, Outcome::False, |case| {
        case.scalar = scalar_to_bytes(&(subject.vector[1] + Scalar::ONE)).into();
        case.opening = plus_torsion(&case.opening);
        strict(case);
    });
    let outside = subject.with(1, Outcome::False, |case| {
        case.opening = point_outside_subgroup().to_compressed().into();
        strict(case);
    });
    let small_order = subject.with(1, Outcome::False, |case| {
        case.opening = torsion_point().to_affine().to_compressed().into();
        strict(case);
    });
    let commitment = subject.with(1, Outcome::Malformed, |case| case.commitment = plus_torsion(&case.commitment));
    let flag = || vec![Flag::WrongSubgroup];
    vec![
        ("an honest opening plus a point of small order".into(), flag(), twisted),
        ("a false opening plus a point of small order".into(), flag(), twisted_lie),
        ("some point outside of the subgroup".into(), flag(), outside),
        ("a point of small order alone".into(), flag(), small_order),
        ("a commitment outside of the subgroup".into(), flag(), commitment),
    ]
}

fn malformed(subject: &Subject<'_>) -> Tests {
    let kinds: [(&str, Flag); 9] = [
        ("48 zeros", Flag::NonCanonicalEncoding),
        ("infinity without the flag of compression", Flag::NonCanonicalEncoding),
        ("infinity with the flag of the larger root", Flag::NonCanonicalEncoding),
        ("infinity with another bit", Flag::NonCanonicalEncoding),
        ("x = p", Flag::NonCanonicalEncoding),
        ("x = 2^381 - 1", Flag::NonCanonicalEncoding),
        ("x = 0", Flag::PointOfOrderThree),
        ("x = 0 with the larger root", Flag::PointOfOrderThree),
        ("an x off the curve", Flag::InvalidCurve),
    ];
    let mut tests = Tests::new();
    for (how, (comment, flag)) in (0..).zip(kinds) {
        let opening = subject.with(1, Outcome::Malformed, |case| case.opening = malformed_bytes(how).into());
        tests.push((format!("opening: {comment}"), vec![flag], opening));
        let commitment = subject.with(1, Outcome::Malformed, |case| case.commitment = malformed_bytes(how).into());
        tests.push((format!("commitment: {comment}"), vec![flag], commitment));
    }
    let order = BigUint::from_bytes_be(&scalar_to_bytes(&-Scalar::ONE)) + 1u8;
    let scalar = BigUint::from_bytes_be(&scalar_to_bytes(&subject.vector[1])) + order;
    let reduced = subject.with(1, Outcome::Malformed, |case| case.scalar = scalar.to_bytes_be().into());
    tests.push(("the scalar plus r".into(), vec![Flag::NonCanonicalScalar], reduced));
    tests
}

/// All tests about vectors of four scalars of one source.
fn tests_of(source: &Source) -> Tests {
    let points = Points::default();
    let subject = Subject { source, points: &points, vector: vector("subject", 4) };
    let other = Subject { source, points: &points, vector: vector("other", 4) };
    let mut tests = valid_openings(&subject, &[0, 1, 2, 3]);
    tests.extend(edges(source, &points));
    tests.extend(forgeries(&subject, &other));
    tests.extend(torsion(&subject));
    tests.extend(malformed(&subject));
    if let Source::Known(setting) = source {
        for (_, _, case) in &mut tests {
            case.known = Some(known(case, &points, setting));
        }
    }
    tests
}

fn known(case: &OpeningCase, points: &Points, setting: &Setting) -> Known {
    let exponent = |bytes: &Hex| match points.meaning(&bytes.array().expect("48 bytes")) {
        Meaning::Malformed => None,
        Meaning::Exponent(exponent) => Some(Hex::from(scalar_to_bytes(&exponent))),
    };
    debug_assert!(matches!(*setting.setup, Setup::Kzg(_) | Setup::LibertYung(_)));
    let in_subgroup = case.commitment.array().is_some_and(|bytes| Commitment::from_bytes(&bytes).is_ok());
    Known {
        secret: scalar_to_bytes(&secret()).into(),
        commitment: exponent(&case.commitment).filter(|_| in_subgroup),
        opening: untwisted(&case.opening, points).or_else(|| exponent(&case.opening)),
    }
}

/// The exponent of an opening that is one of the known ones plus torsion.
fn untwisted(bytes: &Hex, points: &Points) -> Option<Hex> {
    let point = *Opening::from_bytes(&bytes.array()?).ok()?.point();
    let plain = (-torsion_point() + point).to_affine().to_compressed();
    let candidate = match points.meaning(&plain) {
        Meaning::Exponent(exponent) => exponent,
        Meaning::Malformed => return None,
    };
    let confirmed = multiple_of_generator(&candidate).to_affine().to_compressed() == plain;
    confirmed.then(|| scalar_to_bytes(&candidate).into())
}

fn file(about: &str, tests: Tests) -> File<OpeningCase> {
    let borrowed = tests.iter().map(|(comment, flags, case)| (comment.as_str(), flags.as_slice(), case.clone()));
    File::new("openings", about, borrowed.collect())
}

fn ceremony(vector_size: usize) -> Source {
    let ceremony = Ceremony::ethereum().expect("the ceremony is part of the program");
    Source::Ceremony(Box::new(Kzg::new(ceremony, vector_size).expect("a legal size")))
}

/// On the Ethereum ceremony.
pub fn on_the_ceremony() -> File<OpeningCase> {
    let points = Points::default();
    let mut tests = tests_of(&ceremony(4));
    for (size, indices) in [(1, vec![0]), (2, vec![0, 1]), (1024, vec![0, 1, 512, 1023]), (4096, vec![4095])] {
        let subject = Subject { source: &ceremony(size), points: &points, vector: vector("subject", size) };
        tests.extend(valid_openings(&subject, &indices));
    }
    file("KZG on the Ethereum ceremony: every opening is a point proof at z = ω^index, ω = 7^((r-1)/N).", tests)
}

/// KZG with a secret that everyone knows.
pub fn kzg_with_known_secret() -> File<OpeningCase> {
    let source = Source::Known(Setting::new(SchemeKind::Kzg, 4, 0));
    file("KZG on a setup whose secret is stated, for specifications that work with exponents.", tests_of(&source))
}

/// Libert–Yung with a secret that everyone knows.
pub fn libert_yung_with_known_secret() -> File<OpeningCase> {
    let source = Source::Known(Setting::new(SchemeKind::LibertYung, 4, 0));
    file("Libert–Yung on a setup whose secret is stated.", tests_of(&source))
}
