package aardvark

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A FormatError says why bytes or text are none of the format.
type FormatError struct{ What string }

func (err *FormatError) Error() string { return err.What }

func formatError(format string, arguments ...any) *FormatError {
	return &FormatError{What: fmt.Sprintf(format, arguments...)}
}

// A strictReader reads JSON of a fixed form. A reader and a machine must not see different things
// in one text, so unknown, repeated and missing fields are refused, and names in other letters.
type strictReader struct{ tokens *json.Decoder }

// newStrictReader wants a text that is one JSON value.
func newStrictReader(text []byte, most int) (*strictReader, error) {
	if len(text) > most {
		return nil, formatError("%d bytes, where there are at most %d", len(text), most)
	}
	if !json.Valid(text) {
		return nil, formatError("not JSON")
	}
	tokens := json.NewDecoder(bytes.NewReader(text))
	tokens.UseNumber()
	return &strictReader{tokens}, nil
}

// A field of an object, and what reads its value.
type field struct {
	name     string
	optional bool
	read     func(name string) error
}

// object reads an object with these fields and no others.
func (reader *strictReader) object(what string, fields ...field) error {
	if err := reader.open(what, '{'); err != nil {
		return err
	}
	seen := make([]bool, len(fields))
	for {
		token, err := reader.tokens.Token()
		if err != nil {
			return formatError("%s: %v", what, err)
		}
		name, ok := token.(string)
		if !ok {
			break
		}
		i := indexOf(fields, name)
		switch {
		case i < 0:
			return formatError("%s: unknown field %q", what, name)
		case seen[i]:
			return formatError("%s: repeated field %q", what, name)
		}
		seen[i] = true
		if err := fields[i].read(name); err != nil {
			return err
		}
	}
	for i, field := range fields {
		if !seen[i] && !field.optional {
			return formatError("%s: missing field %q", what, field.name)
		}
	}
	return nil
}

func indexOf(fields []field, name string) int {
	for i := range fields {
		if fields[i].name == name {
			return i
		}
	}
	return -1
}

// array reads a list, item by item.
func (reader *strictReader) array(what string, item func() error) error {
	if err := reader.open(what, '['); err != nil {
		return err
	}
	for reader.tokens.More() {
		if err := item(); err != nil {
			return err
		}
	}
	_, err := reader.tokens.Token()
	if err != nil {
		return formatError("%s: %v", what, err)
	}
	return nil
}

func (reader *strictReader) open(what string, delimiter json.Delim) error {
	token, err := reader.tokens.Token()
	if err != nil || token != delimiter {
		return formatError("%s does not begin with %v", what, delimiter)
	}
	return nil
}

func (reader *strictReader) text(what string) (string, error) {
	token, err := reader.tokens.Token()
	text, ok := token.(string)
	if err != nil || !ok {
		return "", formatError("%s is not a string", what)
	}
	return text, nil
}

// number reads a whole number of so many bits.
func (reader *strictReader) number(what string, bits int) (uint64, error) {
	token, err := reader.tokens.Token()
	text, ok := token.(json.Number)
	if err != nil || !ok {
		return 0, formatError("%s is not a number", what)
	}
	number, err := strconv.ParseUint(text.String(), 10, bits)
	if err != nil {
		return 0, formatError("%s is not a whole number of %d bits", what, bits)
	}
	return number, nil
}

// bytes reads a string of 0x and pairs of lower-case hexadecimal digits.
func (reader *strictReader) bytes(what string) ([]byte, error) {
	text, err := reader.text(what)
	if err != nil {
		return nil, err
	}
	digits, ok := strings.CutPrefix(text, "0x")
	if !ok || strings.ContainsAny(digits, "ABCDEF") {
		return nil, formatError("%s is not lower-case hexadecimal after 0x", what)
	}
	decoded, err := hex.DecodeString(digits)
	if err != nil {
		return nil, formatError("%s: %v", what, err)
	}
	return decoded, nil
}

// The fields of the format, by what they are read into.

func (reader *strictReader) bytesField(name string, into *[]byte) field {
	return field{name: name, read: func(what string) (err error) {
		*into, err = reader.bytes(what)
		return err
	}}
}

// boundedField refuses more bytes than any dictionary allows.
func (reader *strictReader) boundedField(name string, most int, into *[]byte) field {
	return field{name: name, read: func(what string) (err error) {
		*into, err = reader.bytes(what)
		if err == nil && len(*into) > most {
			err = formatError("%s has %d bytes; at most %d are possible", what, len(*into), most)
		}
		return err
	}}
}

// exactField fills an array.
func (reader *strictReader) exactField(name string, into []byte) field {
	return field{name: name, read: func(what string) error { return reader.exact(what, into) }}
}

func (reader *strictReader) exact(what string, into []byte) error {
	found, err := reader.bytes(what)
	if err == nil && len(found) != len(into) {
		err = formatError("%s has %d bytes, where %d are needed", what, len(found), len(into))
	}
	copy(into, found)
	return err
}

func (reader *strictReader) u64Field(name string, into *uint64) field {
	return field{name: name, read: func(what string) (err error) {
		*into, err = reader.number(what, 64)
		return err
	}}
}

func (reader *strictReader) u32Field(name string, into *uint32) field {
	return field{name: name, read: func(what string) error {
		number, err := reader.number(what, 32)
		*into = uint32(number)
		return err
	}}
}

// formatField wants this format's number.
func (reader *strictReader) formatField(wanted uint64) field {
	return field{name: "format", read: func(what string) error {
		found, err := reader.number(what, 64)
		if err == nil && found != wanted {
			err = formatError("format %d, where this package reads format %d", found, wanted)
		}
		return err
	}}
}

func (reader *strictReader) schemeField(into *Scheme) field {
	return field{name: "scheme", read: func(what string) error {
		name, err := reader.text(what)
		*into = Scheme(name)
		if err == nil && *into != KZG && *into != LibertYung {
			err = formatError("unknown scheme %q", name)
		}
		return err
	}}
}

// optional is a field that may be missing, and is not null.
func optional(name string, read func(what string) error) field {
	return field{name: name, optional: true, read: read}
}
