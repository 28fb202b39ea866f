package aardvark

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/mod/sumdb/note"
)

// A SignedRoot is a state root that a publisher signed (a C2SP signed note). Its dictionary is
// trusted to be the one with the origin's name, and the proof has to bring that dictionary's
// identity.
type SignedRoot struct {
	// Origin is the dictionary's name.
	Origin  string
	Version uint64
	Digest  [32]byte
	// Signers are the names of the known keys that signed.
	Signers []string
	// Unverified are the names of keys that nobody named here.
	Unverified []string
}

// OpenNote reads a signed root. publishers are verifier keys as text, `name+hash+key`; at least
// one of them has to have signed, and no signature that names one of them may be false. The errors
// about signatures are those of [note.Open]; what is signed and no root of ours is a
// [*FormatError].
func OpenNote(text []byte, publishers ...string) (*SignedRoot, error) {
	known := make([]note.Verifier, len(publishers))
	for i, publisher := range publishers {
		verifier, err := note.NewVerifier(publisher)
		if err != nil {
			return nil, fmt.Errorf("the publisher %q: %w", publisher, err)
		}
		known[i] = verifier
	}
	opened, err := note.Open(text, note.VerifierList(known...))
	if err != nil {
		return nil, err
	}
	root, err := readSignedText(opened.Text)
	if err != nil {
		return nil, err
	}
	for _, signature := range opened.Sigs {
		root.Signers = append(root.Signers, signature.Name)
	}
	for _, signature := range opened.UnverifiedSigs {
		root.Unverified = append(root.Unverified, signature.Name)
	}
	return root, nil
}

// readSignedText reads origin, version and root, a line each.
func readSignedText(text string) (*SignedRoot, error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 || lines[3] != "" {
		return nil, formatError("the note has not the three lines of a root")
	}
	if strings.TrimSpace(lines[0]) == "" || strings.ContainsFunc(lines[0], unicode.IsControl) {
		return nil, formatError("the note's origin is no name")
	}
	version, err := strconv.ParseUint(lines[1], 10, 64)
	if err != nil || strconv.FormatUint(version, 10) != lines[1] {
		return nil, formatError("the note's version is not a number")
	}
	digest, err := base64.StdEncoding.Strict().DecodeString(lines[2])
	if err != nil || len(digest) != 32 {
		return nil, formatError("the note's root has not 32 bytes in base64")
	}
	return &SignedRoot{Origin: lines[0], Version: version, Digest: [32]byte(digest)}, nil
}

func (signed *SignedRoot) about(proof *Proof) (subject, error) {
	about, err := RootAlone(signed.Digest).about(proof)
	if err != nil {
		return subject{}, err
	}
	if string(proof.Root.Identity.Name) != signed.Origin {
		return subject{}, refuse(OtherDictionary)
	}
	about.version = &signed.Version
	return about, nil
}

func (signed *SignedRoot) basis(about subject, proof *Proof) (*basis, error) {
	return basisOfTie(signed.Digest, about, proof)
}
