package aardvark

import (
	"encoding/base64"
	"errors"
	"slices"
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

// MaxNoteBytes is the most bytes of a note.
const MaxNoteBytes = 1 << 16

// OpenNote reads a signed root. publishers are verifier keys as text, `name+hash+key`; every one of
// them has to have signed, and the first line that names a key counts. The errors about signatures
// are those of [note.Open]; what is no note, no root of ours or no key is a [*FormatError]. Beyond
// the rules of [note.Open] base64 and keys have one form only.
func OpenNote(text []byte, publishers ...string) (*SignedRoot, error) {
	if len(publishers) == 0 {
		return nil, formatError("no publisher's key was given")
	}
	var known []note.Verifier
	for i, publisher := range publishers {
		verifier, err := note.NewVerifier(publisher)
		if err != nil || !isCanonicalKey(publisher) {
			return nil, formatError("the publisher %q is not name+hash+key", publisher)
		}
		// Two of one name and hash are ambiguous for [note.Open].
		if !slices.Contains(publishers[:i], publisher) {
			known = append(known, verifier)
		}
	}
	root, err := readForm(text)
	if err != nil {
		return nil, err
	}
	opened, err := note.Open(text, note.VerifierList(known...))
	var unverified *note.UnverifiedNoteError
	var invalid *note.InvalidSignatureError
	switch {
	case errors.As(err, &unverified) || errors.As(err, &invalid):
		return nil, err
	case err != nil:
		return nil, formatError("%v", err)
	case len(opened.Sigs) != len(known):
		return nil, &note.UnverifiedNoteError{Note: opened}
	}
	for _, signature := range opened.Sigs {
		root.Signers = append(root.Signers, signature.Name)
	}
	for _, signature := range opened.UnverifiedSigs {
		root.Unverified = append(root.Unverified, signature.Name)
	}
	return root, nil
}

// isCanonicalKey says whether a key that was read is written in its one form.
func isCanonicalKey(publisher string) bool {
	parts := strings.SplitN(publisher, "+", 3)
	return len(parts) == 3 && strings.ToLower(parts[1]) == parts[1] && isBase64(parts[2])
}

func isBase64(text string) bool {
	decoded, err := base64.StdEncoding.DecodeString(text)
	return err == nil && base64.StdEncoding.EncodeToString(decoded) == text
}

// readForm reads what a note says, and refuses base64 in another form than its one, of which
// nothing is verified.
func readForm(text []byte) (*SignedRoot, error) {
	if len(text) > MaxNoteBytes {
		return nil, formatError("the note has more than %d bytes", MaxNoteBytes)
	}
	above := strings.LastIndex(string(text), "\n\n")
	if above < 0 {
		return nil, formatError("the note has no empty line before signatures")
	}
	signatures, ended := strings.CutSuffix(string(text[above+2:]), "\n")
	if !ended {
		return nil, formatError("the note does not end with the break of a line")
	}
	for _, line := range strings.Split(signatures, "\n") {
		if !isBase64(line[strings.LastIndex(line, " ")+1:]) {
			return nil, formatError("a signature of the note is not base64")
		}
	}
	return readSignedText(string(text[:above+1]))
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
