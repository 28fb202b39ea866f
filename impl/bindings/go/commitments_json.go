package aardvark

// MaxCommitmentsBytes is the most bytes of the text of commitments.
const MaxCommitmentsBytes = 1 << 30

// ReadCommitments reads the commitments of one version, as `aardvark commitments` writes them. The
// error is a [*FormatError]; one of another scheme than KZG, which this package does not verify, is
// among them.
func ReadCommitments(text []byte) (*Commitments, error) {
	reader, err := newStrictReader(text, MaxCommitmentsBytes)
	if err != nil {
		return nil, err
	}
	known, scheme := &Commitments{}, Scheme("")
	err = reader.object("the commitments",
		reader.formatField(1),
		reader.exactField("dictionary", known.Dictionary[:]),
		reader.schemeField(&scheme),
		reader.u32Field("vector_size", &known.VectorSize),
		reader.u64Field("version", &known.Version),
		reader.u64Field("slots", &known.Slots),
		field{name: "commitments", read: func(what string) error {
			return reader.array(what, func() error {
				var point [48]byte
				err := reader.exact(what, point[:])
				known.Points = append(known.Points, point)
				return err
			})
		}},
	)
	switch {
	case err != nil:
		return nil, err
	case scheme != KZG:
		return nil, formatError("scheme %s, where this package verifies %s", scheme, KZG)
	case !isVectorSize(known.VectorSize):
		return nil, formatError("vector_size %d is not a power of two from 1 to 4096", known.VectorSize)
	case known.Slots == 0:
		return nil, formatError("0 slots, where there is always the sentinel's")
	case uint64(len(known.Points)) != (known.Slots-1)/uint64(known.VectorSize)+1:
		return nil, formatError("%d commitments, where %d slots need others", len(known.Points), known.Slots)
	}
	return known, nil
}
