package aardvark

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func example(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../proof/examples/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// refused reads a text in which something is replaced, and gives the error.
func refused[T any](t *testing.T, read func([]byte) (T, error), text, from, to string) string {
	t.Helper()
	if !strings.Contains(text, from) {
		t.Fatalf("%q is not in the text", from)
	}
	_, err := read([]byte(strings.Replace(text, from, to, 1)))
	var format *FormatError
	if !errors.As(err, &format) {
		t.Fatalf("%q in the place of %q: %v", to, from, err)
	}
	return err.Error()
}

func TestUnknownRepeatedMissingAndMalformedFieldsAreRefused(t *testing.T) {
	text := example(t, "range.json")
	for _, change := range []struct{ from, to, why string }{
		{`"format": 2`, `"format": 1`, "format 1"},
		{`"format": 2`, `"format": 2.0`, "whole number"},
		{`"format": 2`, `"format": "2"`, "not a number"},
		{`"kzg"`, `"merkle"`, "merkle"},
		{`"version"`, `"answer": 1, "version"`, "unknown field"},
		{`"version"`, `"Version"`, "unknown field"},
		{`"version"`, `"version": 7, "version"`, "repeated field"},
		{`"version": 7,`, ``, "missing field"},
		{`"version": 7`, `"version": null`, "not a number"},
		{`"version": 7`, `"version": -7`, "whole number"},
		{`"version": 7`, `"version": 18446744073709551616`, "whole number"},
		{`"vector_size": 4`, `"vector_size": 4294967296`, "whole number"},
		{`"range"`, `"ranges"`, "unknown field"},
		{`"range": {`, `"successor": "0x61", "range": {`, "not one"},
		{`"from": "0x63",`, `"from": "0x63", "most": 3,`, "unknown field"},
		{`"from": "0x63",`, `"from": "0x63", "limit": "3",`, "not a number"},
		{`"from": "0x63"`, `"from": "63"`, "after 0x"},
		{`"from": "0x63"`, `"from": "0X63"`, "after 0x"},
		{`"from": "0x63"`, `"from": "0x6"`, "odd length"},
		{`"from": "0x63"`, `"from": "0x6F"`, "lower-case"},
		{`"from": "0x63"`, `"from": ["0x63"]`, "not a string"},
		{`"from": "0x63"`, `"from": "0x` + strings.Repeat("61", 256) + `"`, "at most 255"},
		{`"value": "0x`, `"value": "0x` + strings.Repeat("61", 1024), "at most 1024"},
		{`"position": 7,`, `"position": 7, "at": 7,`, "unknown field"},
		{`"opening": "0xa8`, `"opening": "0x`, "47 bytes"},
		{`"opening"`, `"openings"`, "unknown field"},
		{`"claims": [`, `"claims": {`, "not JSON"},
		{`"claims": [`, `"claims": [7, `, "does not begin"},
		{`"version": 7`, `"version": 7, "root": {}`, "missing field"},
		{`"version": 7`, `"version": 7, "root": null`, "root does not begin"},
		{`"from": "0x63",`, `"from": "0x63", "limit": null,`, "limit is not a number"},
		{`"version": 7`, `"version": 7, "folded_opening": "0x00"`, "1 bytes"},
		{`"version": 7`, `"version": 7, "folded_opening": "0x` + strings.Repeat("00", 96) + `"`, "beside the folded"},
		{`{`, `[{`, "not JSON"},
	} {
		if why := refused(t, ReadProof, text, change.from, change.to); !strings.Contains(why, change.why) {
			t.Errorf("%q in the place of %q: %s", change.to, change.from, why)
		}
	}
	for _, whole := range []string{"", "[]", "null", "7", text + "{}", strings.Repeat("[", 60_000)} {
		if _, err := ReadProof([]byte(whole)); err == nil {
			t.Errorf("%.20q is read as a proof", whole)
		}
	}
}

func TestCommitmentsWhoseNumbersDoNotFitAreRefused(t *testing.T) {
	text := example(t, "commitments.json")
	for _, change := range []struct{ from, to, why string }{
		{`"slots": 10`, `"slots": 8`, "3 commitments"},
		{`"slots": 10`, `"slots": 13`, "3 commitments"},
		{`"slots": 10`, `"slots": 18446744073709551615`, "3 commitments"},
		{`"slots": 10`, `"slots": 0`, "sentinel"},
		{`"vector_size": 4`, `"vector_size": 0`, "power of two"},
		{`"vector_size": 4`, `"vector_size": 3`, "power of two"},
		{`"vector_size": 4`, `"vector_size": 8192`, "power of two"},
		{`"kzg"`, `"libert-yung"`, "verifies kzg"},
		{`"format": 1`, `"format": 7`, "format 7"},
		{`"slots"`, `"keys": 1, "slots"`, "unknown field"},
	} {
		if why := refused(t, ReadCommitments, text, change.from, change.to); !strings.Contains(why, change.why) {
			t.Errorf("%q in the place of %q: %s", change.to, change.from, why)
		}
	}
}
