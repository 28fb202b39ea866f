package aardvark

import "encoding/binary"

// ReadProofBytes reads a proof in its binary form (docs/format.md, "Proofs of answers"). Bytes that
// remain, bytes that lack and unknown tags are refused. The error is a [*FormatError].
func ReadProofBytes(encoded []byte) (*Proof, error) {
	if len(encoded) > MaxProofBytes {
		return nil, formatError("%d bytes, where there are at most %d", len(encoded), MaxProofBytes)
	}
	reader := &byteReader{rest: encoded}
	proof, folded := &Proof{}, reader.tag("format", 2, 3) == 3
	reader.fill(proof.Dictionary[:])
	proof.Scheme = KZG
	if reader.tag("scheme", 1, 2) == 2 {
		proof.Scheme = LibertYung
	}
	proof.VectorSize = reader.u32()
	proof.Version = reader.u64()
	proof.Question = reader.question()
	if folded {
		proof.Folded = &FoldedOpening{}
		reader.fill(proof.Folded.Quotient[:])
		reader.fill(proof.Folded.Witness[:])
	}
	for range reader.count() {
		claim := Claim{Position: reader.u64()}
		claim.Slot.Key, claim.Slot.Next, claim.Slot.Value = reader.bytes8(), reader.bytes8(), reader.bytes16()
		if !folded {
			reader.fill(claim.Opening[:])
		}
		if reader.err != nil {
			break
		}
		proof.Claims = append(proof.Claims, claim)
	}
	if kind := reader.tag("tie", 0, 2); kind > 0 {
		proof.Root = reader.tie(kind == 2)
	}
	if reader.err == nil && len(reader.rest) > 0 {
		reader.fail("bytes remain")
	}
	if reader.err != nil {
		return nil, reader.err
	}
	return proof, nil
}

// A byteReader reads from the front; after an error, which it keeps, everything is zero.
type byteReader struct {
	rest []byte
	err  error
}

func (reader *byteReader) fail(what string) {
	if reader.err == nil {
		reader.err = formatError("%s, %d bytes before the end", what, len(reader.rest))
	}
	reader.rest = nil
}

// take gives so many bytes, which stay those of the proof; nil where there are not so many.
func (reader *byteReader) take(count int) []byte {
	if len(reader.rest) < count {
		reader.fail("bytes lack")
		return nil
	}
	taken := reader.rest[:count:count]
	reader.rest = reader.rest[count:]
	return taken
}

func (reader *byteReader) fill(into []byte) { copy(into, reader.take(len(into))) }

func (reader *byteReader) u8() byte {
	var bytes [1]byte
	reader.fill(bytes[:])
	return bytes[0]
}

func (reader *byteReader) u32() uint32 {
	var bytes [4]byte
	reader.fill(bytes[:])
	return binary.BigEndian.Uint32(bytes[:])
}

func (reader *byteReader) u64() uint64 {
	var bytes [8]byte
	reader.fill(bytes[:])
	return binary.BigEndian.Uint64(bytes[:])
}

func (reader *byteReader) bytes8() []byte { return reader.take(int(reader.u8())) }

func (reader *byteReader) bytes16() []byte {
	var bytes [2]byte
	reader.fill(bytes[:])
	return reader.take(int(binary.BigEndian.Uint16(bytes[:])))
}

// tag gives a byte that has one of some values.
func (reader *byteReader) tag(what string, least, most byte) byte {
	found := reader.u8()
	if reader.err == nil && (found < least || found > most) {
		reader.fail("unknown " + what)
		return least
	}
	return found
}

// count gives the number of items that follow, no more than bytes do: an item has one at least.
func (reader *byteReader) count() uint32 {
	count := reader.u32()
	if uint64(count) > uint64(len(reader.rest)) {
		reader.fail("items lack")
		return 0
	}
	return count
}

func (reader *byteReader) question() Question {
	switch reader.tag("question", 0, 3) {
	case 0:
		keys := AskKeys{}
		for range reader.count() {
			keys = append(keys, reader.bytes8())
		}
		return keys
	case 1:
		asked := AskRange{From: reader.bytes8(), To: reader.bytes8()}
		if reader.tag("limit", 0, 1) == 1 {
			limit := reader.u64()
			asked.Limit = &limit
		}
		return asked
	case 2:
		return AskPredecessor(reader.bytes8())
	default:
		return AskSuccessor(reader.bytes8())
	}
}

func (reader *byteReader) tie(withIdentity bool) *RootTie {
	tie := &RootTie{Size: reader.u64(), TailStart: reader.u64()}
	for _, digest := range []*[32]byte{&tie.CommitmentRoot, &tie.TailDigest, &tie.ReplayDigest, &tie.WindowDigest} {
		reader.fill(digest[:])
	}
	for range reader.count() {
		vector := TiedVector{Number: reader.u64()}
		reader.fill(vector.Commitment[:])
		for range reader.u8() {
			var sibling [32]byte
			reader.fill(sibling[:])
			vector.Path = append(vector.Path, sibling)
		}
		if reader.err != nil {
			break
		}
		tie.Vectors = append(tie.Vectors, vector)
	}
	if withIdentity {
		tie.Identity = &Identity{Name: reader.bytes8()}
		reader.fill(tie.Identity.Salt[:])
		reader.fill(tie.Identity.Parameters[:])
		reader.fill(tie.Identity.SetupDigest[:])
		reader.fill(tie.Identity.ContentDigest[:])
		tie.Identity.Binding = reader.take(int(reader.u32()))
	}
	return tie
}
