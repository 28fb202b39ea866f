//! Shares of keys, and what t of them make of a row.

use aardvark_algebra::group::Group;
use aardvark_algebra::{G1Projective, Scalar};
use aardvark_sigma::sharing::{SecretPolynomial, lagrange, public_share, share_holds};
use aardvark_sigma::threshold::plaintexts;
use aardvark_sigma::{List, Secrets};
use aardvark_spec::base::group::g1_multiple;
use aardvark_spec::convert::to_seq;
use aardvark_spec::mixnet::sharing::{share_commitments, share_of, share_public, share_verify, share_weight};
use aardvark_spec::mixnet::threshold::decryption_plaintext;
use differential_tests::convert::{scalar_from_spec, scalar_to_spec};

use crate::lists::{Draw, Known, points, scalars_to_spec};

#[test]
fn shares_commitments_and_weights_agree() {
    for number in 0..12 {
        let mut draw = Draw::new(40 + number);
        let servers = 1 + draw.below(4) as u16;
        let threshold = 1 + draw.below(usize::from(servers));
        let coefficients = draw.scalars(threshold);
        let polynomial = SecretPolynomial::new(Secrets::new(coefficients.clone()));
        let specified = scalars_to_spec(&coefficients);
        let committed = share_commitments(&specified);
        let commitments = polynomial.commit();
        assert_eq!(Known::of_elements(&committed).list().points(), commitments);
        for server in 1..=servers {
            let share = polynomial.share(server);
            assert_eq!(scalar_to_spec(&share), share_of(&specified, usize::from(server)));
            let public = share_public(&committed, usize::from(server));
            assert_eq!(Known::of_elements(&to_seq(vec![public])).list().points(), [public_share(&commitments, server)]);
            for share in [share, share + Scalar::from(1)] {
                let verdict = share_verify(&committed, usize::from(server), scalar_to_spec(&share));
                assert_eq!(share_holds(&commitments, server, &share), verdict);
            }
        }
        let chosen: Vec<u16> = (1..=servers).rev().take(threshold).collect();
        let numbers = to_seq(chosen.iter().map(|k| usize::from(*k)).collect());
        let weights: Vec<Scalar> =
            chosen.iter().map(|k| scalar_from_spec(&share_weight(&numbers, usize::from(*k)))).collect();
        assert_eq!(lagrange(&chosen).unwrap(), weights);
        assert_eq!(
            weights.iter().zip(&chosen).map(|(w, k)| *w * polynomial.share(*k)).sum::<Scalar>(),
            coefficients[0]
        );
    }
    assert_eq!(lagrange(&[1, 2, 1]), None);
    assert_eq!(lagrange(&[0, 2]), None);
    assert_eq!(lagrange(&[]), Some(Vec::new()));
}

#[test]
fn any_t_servers_decrypt_and_both_sides_find_the_same_plaintexts() {
    let mut draw = Draw::new(90);
    for (servers, threshold) in [(1, 1), (3, 2), (4, 4), (4, 1)] {
        let coefficients = draw.scalars(threshold);
        let polynomial = SecretPolynomial::new(Secrets::new(coefficients.clone()));
        let randomness = draw.scalars(3);
        let messages = draw.scalars(3);
        let exponents = randomness.iter().zip(&messages).flat_map(|(rho, m)| [*rho, *m + *rho * coefficients[0]]);
        let rows = Known::new(exponents.collect(), 2);
        for first in 1..=servers - threshold as u16 + 1 {
            let chosen: Vec<u16> = (first..first + threshold as u16).collect();
            let shares: Vec<Vec<Scalar>> =
                chosen.iter().map(|k| randomness.iter().map(|rho| *rho * polynomial.share(*k)).collect()).collect();
            let lists: Vec<List> = shares.iter().map(|shares| Known::new(shares.clone(), 1).list()).collect();
            let found = plaintexts(&rows.list(), &chosen, &lists.iter().collect::<Vec<_>>()).unwrap();
            assert_eq!(found.points(), points(&messages));
            let numbers = to_seq(chosen.iter().map(|k| usize::from(*k)).collect());
            for (row, message) in messages.iter().enumerate() {
                let of_row = Known::new(shares.iter().map(|shares| shares[row]).collect(), 1).elements();
                let component = g1_multiple(scalar_to_spec(&rows.exponents[2 * row + 1]));
                assert_eq!(decryption_plaintext(component, &numbers, &of_row), g1_multiple(scalar_to_spec(message)));
            }
        }
    }
    let row = List::computed(vec![G1Projective::generator().into(); 2], 2);
    assert!(plaintexts(&row, &[1, 1], &[&row.column(0), &row.column(0)]).is_err());
    assert!(plaintexts(&row, &[1, 2], &[&row.column(0)]).is_err());
}
