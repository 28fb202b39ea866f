package aardvark

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

// noteCase is a signed note of the vectors, and what must come of it.
type noteCase struct {
	ID       int       `json:"id"`
	Comment  string    `json:"comment"`
	Keys     []string  `json:"keys"`
	Note     *string   `json:"note"`
	Bytes    hexBytes  `json:"bytes"`
	Expected noteJudge `json:"expected"`
}

type noteJudge struct {
	Signed  *signedJSON      `json:"signed"`
	Refused *refusedNoteJSON `json:"refused"`
}

type signedJSON struct {
	Origin  string   `json:"origin"`
	Version uint64   `json:"version"`
	Root    hexBytes `json:"root"`
	Others  []string `json:"others"`
}

type refusedNoteJSON struct {
	Reason string `json:"reason"`
	Class  string `json:"class"`
}

func judgeNote(t *testing.T, text []byte, keys []string) noteJudge {
	t.Helper()
	signed, err := OpenNote(text, keys...)
	var unverified *note.UnverifiedNoteError
	var invalid *note.InvalidSignatureError
	var format *FormatError
	switch {
	case errors.As(err, &unverified):
		return noteJudge{Refused: &refusedNoteJSON{"NotSigned", "other"}}
	case errors.As(err, &invalid):
		return noteJudge{Refused: &refusedNoteJSON{"SignatureFalse", "false"}}
	case errors.As(err, &format):
		return noteJudge{Refused: &refusedNoteJSON{"Unreadable", "malformed"}}
	case err != nil:
		t.Fatalf("an error of another type: %v", err)
	}
	others := append([]string{}, signed.Unverified...)
	slices.Sort(others)
	return noteJudge{Signed: &signedJSON{signed.Origin, signed.Version, signed.Digest[:], slices.Compact(others)}}
}

func TestEveryNoteHasItsVerdict(t *testing.T) {
	var file struct{ Tests []noteCase }
	readVectors(t, "notes.json", &file)
	if len(file.Tests) < 80 {
		t.Fatalf("%d notes", len(file.Tests))
	}
	for _, test := range file.Tests {
		text := []byte(test.Bytes)
		if test.Note != nil {
			text = []byte(*test.Note)
		}
		if found := judgeNote(t, text, test.Keys); !reflect.DeepEqual(found, test.Expected) {
			t.Errorf("%d, %s: %+v %+v", test.ID, test.Comment, found.Signed, found.Refused)
		}
	}
}
