package aardvark

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

// signer gives a new key: who signs with it, and its public side as text.
func signer(t *testing.T, name string) (note.Signer, string) {
	t.Helper()
	secret, public, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	return signer, public
}

func sign(t *testing.T, text string, signers ...note.Signer) []byte {
	t.Helper()
	signed, err := note.Sign(&note.Note{Text: text}, signers...)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// rootText is what a publisher signs.
func rootText(origin, version string, root [32]byte) string {
	return origin + "\n" + version + "\n" + base64.StdEncoding.EncodeToString(root[:]) + "\n"
}

func TestASignedRootIsReadWithAllThatSignedIt(t *testing.T) {
	publisher, public := signer(t, "publisher.example")
	cosigner, cosigned := signer(t, "witness.example")
	stranger, _ := signer(t, "stranger.example")
	root := [32]byte{1, 2, 3}
	text := sign(t, rootText("packages of a distribution", "7", root), publisher, cosigner, stranger)
	signed, err := OpenNote(text, public, cosigned)
	if err != nil {
		t.Fatal(err)
	}
	if signed.Origin != "packages of a distribution" || signed.Version != 7 || signed.Digest != root {
		t.Errorf("%+v", signed)
	}
	if !slices.Equal(signed.Signers, []string{"publisher.example", "witness.example"}) ||
		!slices.Equal(signed.Unverified, []string{"stranger.example"}) {
		t.Errorf("%+v", signed)
	}
}

func TestANoteThatNoKnownKeySignedOrThatWasChangedIsRefused(t *testing.T) {
	publisher, public := signer(t, "publisher.example")
	_, other := signer(t, "publisher.example")
	text := sign(t, rootText("packages", "7", [32]byte{1}), publisher)
	var unverified *note.UnverifiedNoteError
	if _, err := OpenNote(text, other); !errors.As(err, &unverified) {
		t.Errorf("another key of the same name: %v", err)
	}
	if _, err := OpenNote(text, public, other); !errors.As(err, &unverified) {
		t.Errorf("one of two keys: %v", err)
	}
	var format *FormatError
	if _, err := OpenNote(text); !errors.As(err, &format) {
		t.Errorf("no key: %v", err)
	}
	var invalid *note.InvalidSignatureError
	changed := strings.Replace(string(text), "\n7\n", "\n8\n", 1)
	if _, err := OpenNote([]byte(changed), public); !errors.As(err, &invalid) {
		t.Errorf("a changed version: %v", err)
	}
	if _, err := OpenNote(text, "publisher.example+00000000+AAAA"); err == nil {
		t.Error("a publisher that is no key")
	}
}

func TestANoteThatIsSignedAndNoRootIsRefused(t *testing.T) {
	publisher, public := signer(t, "publisher.example")
	root := base64.StdEncoding.EncodeToString(make([]byte, 32))
	for _, text := range []string{
		"packages\n7\n",
		"packages\n7\n" + root + "\nmore\n",
		"\n7\n" + root + "\n",
		" \n7\n" + root + "\n",
		"a\u0085b\n7\n" + root + "\n",
		"packages\n07\n" + root + "\n",
		"packages\n-7\n" + root + "\n",
		"packages\n18446744073709551616\n" + root + "\n",
		"packages\n7\n" + root[1:] + "\n",
		"packages\n7\n" + root[:len(root)-4] + "\n",
		"packages\n7\n" + root[:len(root)-2] + "B=\n",
	} {
		var format *FormatError
		if _, err := OpenNote(sign(t, text, publisher), public); !errors.As(err, &format) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAProofIsVerifiedUnderASignedRootOfItsDictionaryAndVersion(t *testing.T) {
	publisher, public := signer(t, "publisher.example")
	digits, _ := strings.CutPrefix(strings.TrimSpace(example(t, "root.txt")), "0x")
	root, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	proof, err := ReadProof([]byte(example(t, "together.json")))
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := NewVerifier()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		origin, version string
		reason          Reason
	}{
		{string(proof.Root.Identity.Name), "7", ""},
		{string(proof.Root.Identity.Name), "8", OtherVersion},
		{"another dictionary", "7", OtherDictionary},
	} {
		signed, err := OpenNote(sign(t, rootText(test.origin, test.version, [32]byte(root)), publisher), public)
		if err != nil {
			t.Fatal(err)
		}
		_, err = verifier.Verify(signed, proof.Question, proof)
		var refusal *Refusal
		if reached := errors.As(err, &refusal); reached != (test.reason != "") || reached && refusal.Reason != test.reason {
			t.Errorf("%s, %s: %v", test.origin, test.version, err)
		}
	}
}
