package aardvark

import (
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	goethkzg "github.com/crate-crypto/go-eth-kzg"
)

// A basis is what is known of a version before any opening is looked at.
type basis struct {
	vectorSize uint64
	// size is the number of slots.
	size uint64
	// encoded gives the bytes of a vector's commitment; false where none is known.
	encoded func(vector uint64) ([48]byte, bool)
}

// A commitment is the bytes that are hashed, and the point that they decode to.
type commitment struct {
	bytes [48]byte
	point bls12381.G1Affine
}

// basisOfTie gives what a root makes known through what ties the claims' vectors to it: the parts
// hash to it, and each vector's path leads to the root over the commitments. The number of leaves
// follows from the size in the parts.
func basisOfTie(digest [32]byte, about subject, proof *Proof) (*basis, error) {
	tie := proof.Root
	if tie == nil {
		return nil, refuse(TieMismatched)
	}
	vectorSize := uint64(about.vectorSize)
	if err := checkTiedVectors(tie.Vectors, proof.Claims, vectorSize); err != nil {
		return nil, err
	}
	if stateRoot(about.dictionary, proof.Version, tie) != digest {
		return nil, refuse(RootFalse)
	}
	leaves := tie.Size / vectorSize
	if tie.Size%vectorSize > 0 {
		leaves++
	}
	tied := make(map[uint64][48]byte, len(tie.Vectors))
	for i, vector := range tie.Vectors {
		root, ok := rootOfPath(leaves, vector.Number, vector.Commitment[:], vector.Path)
		if !ok || root != tie.CommitmentRoot {
			return nil, refuseItem(PathFalse, i)
		}
		tied[vector.Number] = vector.Commitment
	}
	return &basis{vectorSize: vectorSize, size: tie.Size, encoded: func(vector uint64) ([48]byte, bool) {
		bytes, ok := tied[vector]
		return bytes, ok
	}}, nil
}

// checkTiedVectors wants some of the vectors that the claims are about, ascending, with well-formed
// commitments.
func checkTiedVectors(vectors []TiedVector, claims []Claim, vectorSize uint64) error {
	claimed := make(map[uint64]bool)
	for i := range claims {
		claimed[claims[i].Position/vectorSize] = true
	}
	for i := range vectors {
		if i > 0 && vectors[i-1].Number >= vectors[i].Number || !claimed[vectors[i].Number] {
			return refuseItem(TiedVectorsMismatched, i)
		}
		if _, err := goethkzg.DeserializeKZGCommitment(vectors[i].Commitment); err != nil {
			return refuseItem(CommitmentMalformed, i)
		}
	}
	return nil
}

// commitmentsOf gives the commitments of the claims' vectors, in the order of the claims, whose
// positions must be in use. Each vector is looked up and decoded once.
func (basis *basis) commitmentsOf(claims []Claim) ([]*commitment, error) {
	decoded := make(map[uint64]*commitment)
	found := make([]*commitment, len(claims))
	for i := range claims {
		if claims[i].Position >= basis.size {
			return nil, refuseItem(AnswerPositionOutOfRange, i)
		}
		vector := claims[i].Position / basis.vectorSize
		if decoded[vector] == nil {
			bytes, ok := basis.encoded(vector)
			if !ok {
				return nil, refuseItem(TiedVectorsMismatched, i)
			}
			point, err := goethkzg.DeserializeKZGCommitment(bytes)
			if err != nil {
				return nil, refuseItem(CommitmentMalformed, i)
			}
			decoded[vector] = &commitment{bytes, point}
		}
		found[i] = decoded[vector]
	}
	return found, nil
}
