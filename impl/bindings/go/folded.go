package aardvark

import (
	"encoding/binary"

	"github.com/consensys/gnark-crypto/ecc"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	goethkzg "github.com/crate-crypto/go-eth-kzg"
)

// A foldedClaim says that the polynomial under a commitment has a value at a point.
type foldedClaim struct {
	commitment   *commitment
	point, value fr.Element
}

// checkFolded wants the folded opening to open all claims, in their order (docs/answers.md, "Many
// openings in one").
func (verifier *Verifier) checkFolded(about subject, proof *Proof, commitments []*commitment) error {
	quotient, err := goethkzg.DeserializeKZGProof(proof.Folded.Quotient)
	if err != nil {
		return refuse(AnswerOpeningMalformed)
	}
	witness, err := goethkzg.DeserializeKZGProof(proof.Folded.Witness)
	if err != nil {
		return refuse(AnswerOpeningMalformed)
	}
	domain := newDomain(about.vectorSize)
	claims := make([]foldedClaim, len(proof.Claims))
	for i := range proof.Claims {
		value, err := proof.Claims[i].Slot.scalar()
		if err != nil {
			return err
		}
		claims[i] = foldedClaim{commitments[i], domain.at(proof.Claims[i].Position), value}
	}
	seed := claimsSeed(foldContext(about.dictionary, proof.Version, about.vectorSize), claims)
	holds, err := verifier.foldHolds(claims, seed, proof.Folded.Quotient, &quotient, &witness)
	if err != nil {
		return err
	}
	if !holds {
		return refuse(AnswerOpeningFalse)
	}
	return nil
}

// foldContext binds an answer's fold to what it is about.
func foldContext(dictionary [32]byte, version uint64, vectorSize uint32) [32]byte {
	about := binary.BigEndian.AppendUint64(dictionary[:], version)
	return taggedHash("AARDVARK-V1-FOLD-ANSWER", binary.BigEndian.AppendUint32(about, vectorSize))
}

// claimsSeed is the seed of γ: it binds the context and all claims in their order.
func claimsSeed(context [32]byte, claims []foldedClaim) [32]byte {
	bound := make([]byte, 0, len(context)+8+len(claims)*(48+32+32))
	bound = append(bound, context[:]...)
	bound = binary.BigEndian.AppendUint64(bound, uint64(len(claims)))
	for i := range claims {
		point, value := claims[i].point.Bytes(), claims[i].value.Bytes()
		bound = append(bound, claims[i].commitment.bytes[:]...)
		bound = append(bound, point[:]...)
		bound = append(bound, value[:]...)
	}
	return taggedHash("AARDVARK-V1-FOLD-CLAIMS", bound)
}

// challenge draws the scalar with a number from a seed.
func challenge(seed [32]byte, i uint64) (fr.Element, error) {
	return hashToScalar(binary.BigEndian.AppendUint64(seed[:], i), "AARDVARK-V1-CHALLENGE")
}

// foldHolds says whether no claim is about z, and
//
//	e(Σ γ_i / (z - z_i) (C_i - y_i g1) - W + z W', g2) = e(W', [τ]_2).
func (verifier *Verifier) foldHolds(
	claims []foldedClaim, seed [32]byte, encodedQuotient [48]byte, quotient, witness *bls12381.G1Affine,
) (bool, error) {
	z, err := challenge(taggedHash("AARDVARK-V1-FOLD", append(seed[:], encodedQuotient[:]...)), 0)
	if err != nil {
		return false, err
	}
	// 1 / (z - z_i), all by one inversion.
	factors := make([]fr.Element, len(claims))
	for i := range claims {
		if factors[i].Sub(&z, &claims[i].point).IsZero() {
			return false, nil
		}
	}
	factors = fr.BatchInvert(factors)

	_, _, generator, _ := bls12381.Generators()
	var one, minusOne, values fr.Element
	one.SetOne()
	minusOne.Neg(&one)
	points, scalars := []bls12381.G1Affine{*quotient, *witness}, []fr.Element{minusOne, z}
	// Claims of one vector share its commitment: one term for each vector.
	terms := make(map[*commitment]int)
	for i := range claims {
		gamma, err := challenge(seed, uint64(i))
		if err != nil {
			return false, err
		}
		factor := &factors[i]
		factor.Mul(factor, &gamma)
		var value fr.Element
		values.Add(&values, value.Mul(factor, &claims[i].value))
		term, ok := terms[claims[i].commitment]
		if !ok {
			term = len(points)
			terms[claims[i].commitment] = term
			points, scalars = append(points, claims[i].commitment.point), append(scalars, fr.Element{})
		}
		scalars[term].Add(&scalars[term], factor)
	}
	values.Neg(&values)
	points, scalars = append(points, generator), append(scalars, values)

	var left bls12381.G1Affine
	if _, err := left.MultiExp(points, scalars, ecc.MultiExpConfig{}); err != nil {
		return false, err
	}
	return bls12381.PairingCheck([]bls12381.G1Affine{left, *witness}, verifier.second[:])
}
