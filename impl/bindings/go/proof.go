package aardvark

// A Scheme is a dictionary's vector commitment, by its name in the format.
type Scheme string

// The schemes. This package verifies proofs on KZG.
const (
	KZG        Scheme = "kzg"
	LibertYung Scheme = "libert-yung"
)

// A Claim says that a slot stands at a position.
type Claim struct {
	Position uint64
	Slot     Slot
	// Opening opens the commitment of the position's vector to the slot's scalar. It is of no
	// meaning where the openings are folded.
	Opening [48]byte
}

// A FoldedOpening opens all claims of a proof: W and W' of docs/answers.md.
type FoldedOpening struct {
	Quotient, Witness [48]byte
}

// A TiedVector is the commitment of a vector and its path to the root over the commitments.
type TiedVector struct {
	Number     uint64
	Commitment [48]byte
	Path       [][32]byte
}

// An Identity is what a dictionary's id is a hash over.
type Identity struct {
	Name []byte
	Salt [32]byte
	// Parameters are those of the dictionary, encoded.
	Parameters [41]byte
	// SetupDigest is that of the scheme's published setup.
	SetupDigest   [32]byte
	ContentDigest [32]byte
	Binding       []byte
}

// A RootTie ties the commitments of the claims' vectors to a state root: what the root is over
// besides dictionary and version, and a path for each vector.
type RootTie struct {
	// Size is the number of slots.
	Size           uint64
	TailStart      uint64
	CommitmentRoot [32]byte
	TailDigest     [32]byte
	ReplayDigest   [32]byte
	WindowDigest   [32]byte
	// Vectors are those of the claims, each once, ascending.
	Vectors []TiedVector
	// Identity is nil where the dictionary's id is to be known otherwise.
	Identity *Identity
}

// A Proof of an answer. What it says of itself is compared with what is trusted and never used.
type Proof struct {
	Dictionary [32]byte
	Scheme     Scheme
	VectorSize uint32
	Version    uint64
	Question   Question
	// Claims are those of the slots that answer, in this order, all of one version.
	Claims []Claim
	// Folded is nil where each claim has its opening.
	Folded *FoldedOpening
	// Root is nil where commitments are trusted.
	Root *RootTie
}

// Trusted is what a verifier believes: [Commitments], [Root] or [RootAlone].
type Trusted interface {
	// about gives what the proof has to be about, of itself or by the proof's identity.
	about(proof *Proof) (subject, error)
	// basis gives what is known of the version.
	basis(about subject, proof *Proof) (*basis, error)
}

// A subject is what a proof has to be about.
type subject struct {
	dictionary [32]byte
	vectorSize uint32
	// version is nil where a root says it by its parts.
	version *uint64
}

// Commitments are those of one version, from somebody who is trusted.
type Commitments struct {
	Dictionary [32]byte
	VectorSize uint32
	Version    uint64
	// Slots is their number, the sentinel's included.
	Slots uint64
	// Points are the commitments of the vectors, in order.
	Points [][48]byte
}

// A Root is a state root, with the dictionary that it is of and its vector size.
type Root struct {
	Dictionary [32]byte
	VectorSize uint32
	Digest     [32]byte
}

// A RootAlone is a state root and nothing else: the proof has to bring its dictionary's identity.
type RootAlone [32]byte

func (known *Commitments) about(*Proof) (subject, error) {
	return subject{known.Dictionary, known.VectorSize, &known.Version}, nil
}

func (known *Root) about(*Proof) (subject, error) {
	return subject{known.Dictionary, known.VectorSize, nil}, nil
}

func (digest RootAlone) about(proof *Proof) (subject, error) {
	if proof.Root == nil || proof.Root.Identity == nil {
		return subject{}, refuse(TieMismatched)
	}
	identity := proof.Root.Identity
	vectorSize, err := identity.check()
	if err != nil {
		return subject{}, err
	}
	return subject{identity.id(), vectorSize, nil}, nil
}

func (known *Commitments) basis(about subject, proof *Proof) (*basis, error) {
	if proof.Root != nil {
		return nil, refuse(TieMismatched)
	}
	return &basis{vectorSize: uint64(about.vectorSize), size: known.Slots, encoded: func(vector uint64) ([48]byte, bool) {
		if vector >= uint64(len(known.Points)) {
			return [48]byte{}, false
		}
		return known.Points[vector], true
	}}, nil
}

func (known *Root) basis(about subject, proof *Proof) (*basis, error) {
	return basisOfTie(known.Digest, about, proof)
}

func (digest RootAlone) basis(about subject, proof *Proof) (*basis, error) {
	return basisOfTie(digest, about, proof)
}
