package aardvark

// MaxProofBytes is the most bytes of a proof's text.
const MaxProofBytes = 64 << 20

// ReadProof reads a proof of format 2 (docs/format.md, "Proofs of answers"). Unknown, repeated and
// missing fields are refused. The error is a [*FormatError].
func ReadProof(text []byte) (*Proof, error) {
	reader, err := newStrictReader(text, MaxProofBytes)
	if err != nil {
		return nil, err
	}
	proof, opened := &Proof{}, 0
	err = reader.object("the proof",
		reader.formatField(2),
		reader.exactField("dictionary", proof.Dictionary[:]),
		reader.schemeField(&proof.Scheme),
		reader.u32Field("vector_size", &proof.VectorSize),
		reader.u64Field("version", &proof.Version),
		field{name: "question", read: func(string) (err error) {
			proof.Question, err = reader.question()
			return err
		}},
		field{name: "claims", read: func(what string) error {
			return reader.array(what, func() error {
				claim, hasOpening, err := reader.claim()
				if hasOpening {
					opened++
				}
				proof.Claims = append(proof.Claims, claim)
				return err
			})
		}},
		optional("folded_opening", func(what string) error {
			var encoded [96]byte
			err := reader.exact(what, encoded[:])
			proof.Folded = &FoldedOpening{Quotient: [48]byte(encoded[:48]), Witness: [48]byte(encoded[48:])}
			return err
		}),
		optional("root", func(what string) error {
			proof.Root = &RootTie{}
			return reader.tie(what, proof.Root)
		}),
	)
	if err != nil {
		return nil, err
	}
	// Either each claim has its opening, or none has and all are folded.
	if proof.Folded == nil && opened < len(proof.Claims) {
		return nil, formatError("a claim has no opening, and there is no folded one")
	}
	if proof.Folded != nil && opened > 0 {
		return nil, formatError("a claim has an opening beside the folded one")
	}
	return proof, nil
}

func (reader *strictReader) claim() (claim Claim, hasOpening bool, err error) {
	err = reader.object("a claim",
		reader.u64Field("position", &claim.Position),
		field{name: "slot", read: func(string) error {
			return reader.object("a slot",
				reader.boundedField("key", MaxKeyBytes, &claim.Slot.Key),
				reader.boundedField("value", MaxValueBytes, &claim.Slot.Value),
				reader.boundedField("next", MaxKeyBytes, &claim.Slot.Next),
			)
		}},
		optional("opening", func(what string) error {
			hasOpening = true
			return reader.exact(what, claim.Opening[:])
		}),
	)
	return claim, hasOpening, err
}

func (reader *strictReader) question() (question Question, err error) {
	kinds := 0
	kind := func(name string, read func(what string) error) field {
		return optional(name, func(what string) error {
			kinds++
			return read(what)
		})
	}
	key := func(of func(key []byte) Question) func(what string) error {
		return func(what string) error {
			found, err := reader.key(what)
			question = of(found)
			return err
		}
	}
	err = reader.object("the question",
		kind("keys", func(what string) error {
			keys := AskKeys{}
			err := reader.array(what, func() error {
				key, err := reader.key(what)
				keys = append(keys, key)
				return err
			})
			question = keys
			return err
		}),
		kind("range", func(what string) error {
			var asked AskRange
			err := reader.object(what,
				reader.boundedField("from", MaxKeyBytes, &asked.From),
				reader.boundedField("to", MaxKeyBytes, &asked.To),
				optional("limit", func(what string) error {
					limit, err := reader.number(what, 64)
					asked.Limit = &limit
					return err
				}),
			)
			question = asked
			return err
		}),
		kind("predecessor", key(func(key []byte) Question { return AskPredecessor(key) })),
		kind("successor", key(func(key []byte) Question { return AskSuccessor(key) })),
	)
	if err == nil && kinds != 1 {
		err = formatError("the question is not one")
	}
	return question, err
}

func (reader *strictReader) key(what string) (key []byte, err error) {
	err = reader.boundedField("", MaxKeyBytes, &key).read(what)
	return key, err
}

func (reader *strictReader) tie(what string, tie *RootTie) error {
	return reader.object(what,
		reader.u64Field("size", &tie.Size),
		reader.u64Field("tail_start", &tie.TailStart),
		reader.exactField("commitment_root", tie.CommitmentRoot[:]),
		reader.exactField("tail_digest", tie.TailDigest[:]),
		reader.exactField("replay_digest", tie.ReplayDigest[:]),
		reader.exactField("window_digest", tie.WindowDigest[:]),
		field{name: "vectors", read: func(what string) error {
			return reader.array(what, func() error {
				vector, err := reader.tiedVector()
				tie.Vectors = append(tie.Vectors, vector)
				return err
			})
		}},
		optional("identity", func(what string) error {
			tie.Identity = &Identity{}
			return reader.identity(what, tie.Identity)
		}),
	)
}

func (reader *strictReader) tiedVector() (vector TiedVector, err error) {
	err = reader.object("a tied vector",
		reader.u64Field("number", &vector.Number),
		reader.exactField("commitment", vector.Commitment[:]),
		field{name: "path", read: func(what string) error {
			return reader.array(what, func() error {
				var sibling [32]byte
				err := reader.exact(what, sibling[:])
				vector.Path = append(vector.Path, sibling)
				return err
			})
		}},
	)
	return vector, err
}

func (reader *strictReader) identity(what string, identity *Identity) error {
	return reader.object(what,
		reader.bytesField("name", &identity.Name),
		reader.exactField("salt", identity.Salt[:]),
		reader.exactField("parameters", identity.Parameters[:]),
		reader.exactField("setup_digest", identity.SetupDigest[:]),
		reader.exactField("content_digest", identity.ContentDigest[:]),
		reader.bytesField("binding", &identity.Binding),
	)
}
