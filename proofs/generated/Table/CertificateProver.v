(* Translated from spec/src/table/certificate_prover.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Certificates of rows that are known: what each point and scalar of an honest one must be, under
    given masks and challenges, as whoever has the trapdoor makes it.

    The point [p(τ)]_1 of a polynomial p is the multiple of the generator by its value at τ; the
    quotient's is the combined relation at τ by Z(τ). Source: docs/tables.md, "The certificate". *)
From AardvarkSpec Require Export Prelude Base.Scalar Base.Group Commitment.FoldedOpening Table.DomainValues
  Table.Sheet Table.CertificateTranscript Table.Certificate Table.KnownSegment Table.KnownPoints.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The masks of one certificate. *)
Record CertificateMasks : Type := {
  (** The two scalars at the masks of each B_j, bit by bit. *)
  masks_bits : Seq Scalar;
  (** The three coefficients of R_v. *)
  masks_values : Seq Scalar;
  (** The three coefficients of R_1. *)
  masks_sums : Seq Scalar;
}.

#[global] Instance Default_CertificateMasks : Default CertificateMasks := {| masks_bits := default; masks_values := default; masks_sums := default |}.

(** One step of [`all_values_at`]. *)
Definition all_values_at_step (total : Scalar) (n : usize) (segment : KnownSegment) (x : Scalar) : Scalar :=
  total [+] values_at n segment x.

(** V(x). *)
Definition all_values_at (n : usize) (segments : Seq KnownSegment) (x : Scalar) : Scalar :=
  fold_left
    (fun total k => all_values_at_step total n (seq_at segments k) x)
    (range 0 (seq_length segments))
    scalar_zero.

(** One step of [`combined_values_at`]. *)
Definition combined_values_at_step
    (total : Scalar)
    (n : usize)
    (segment : KnownSegment)
    (rho x : Scalar) : Scalar :=
  total [+] rho [*] values_at n segment x.

(** V_ρ(x). *)
Definition combined_values_at
    (n : usize)
    (segments : Seq KnownSegment)
    (rhos : Seq Scalar)
    (x : Scalar) : Scalar :=
  fold_left
    (fun total k => combined_values_at_step total n (seq_at segments k) (scalar_at rhos k) x)
    (range 0 (seq_length segments))
    scalar_zero.

(** One step of [`combined_sums_at`]. *)
Definition combined_sums_at_step
    (total : Scalar)
    (n : usize)
    (segment : KnownSegment)
    (rho : Scalar)
    (power : usize)
    (x : Scalar) : Scalar :=
  total [+] rho [*] sums_at n segment power x.

(** A_p(x). *)
Definition combined_sums_at
    (n : usize)
    (segments : Seq KnownSegment)
    (rhos : Seq Scalar)
    (power : usize)
    (x : Scalar) : Scalar :=
  fold_left
    (fun total k => combined_sums_at_step total n (seq_at segments k) (scalar_at rhos k) power x)
    (range 0 (seq_length segments))
    scalar_zero.

(** One step of [`all_sums_at`]. *)
Definition all_sums_at_step
    (total : Scalar)
    (about : CertificateAbout)
    (segments : Seq KnownSegment)
    (drawn : CertificateChallenges)
    (n : usize)
    (x : Scalar)
    (i : usize) : Scalar :=
  total [+] beta_moment about drawn i [*] combined_sums_at n segments drawn.(drawn_rhos) (i + 1) x.

(** Σ β_p A_p(x). *)
Definition all_sums_at
    (about : CertificateAbout)
    (segments : Seq KnownSegment)
    (drawn : CertificateChallenges)
    (n : usize)
    (x : Scalar) : Scalar :=
  fold_left
    (fun total i => all_sums_at_step total about segments drawn n x i)
    (range 0 about.(about_moments))
    scalar_zero.

(** The cap where position i is a segment's last row, else 0. *)
Definition cap_at (segment : KnownSegment) (cap : u128) (i : usize) : u128 :=
  if segment.(known_first) + seq_length segment.(known_numbers) =? i + 1 then cap else 0.

(** V(ω^(i+1)) - V(ω^i) of one segment, and the cap besides at its last row; 0 where the numbers do
    not ascend. *)
Definition segment_step (segment : KnownSegment) (cap : u128) (i : usize) : u128 :=
  let above := number_at segment (i + 1) + cap_at segment cap i in
  if number_at segment i <=? above then above - number_at segment i else 0.

(** One step of [`order_step`]. *)
Definition order_step_step (total : u128) (segment : KnownSegment) (cap : u128) (i : usize) : u128 :=
  total + segment_step segment cap i.

(** The number whose bits stand at position i: the step from there to the next position. *)
Definition order_step (segments : Seq KnownSegment) (cap : u128) (i : usize) : u128 :=
  fold_left
    (fun total k => order_step_step total (seq_at segments k) cap i)
    (range 0 (seq_length segments))
    0.

(** One step of [`halved`]. *)
Definition halved_step (number : u128) : u128 :=
  number / 2.

(** The number by 2^j, rounded down. *)
Definition halved (number : u128) (j : usize) : u128 :=
  fold_left (fun rest _i => halved_step rest) (range 0 j) number.

(** Element i of B_j: a mask, or bit j of the step at position i. *)
Definition bit_element
    (n : usize)
    (segments : Seq KnownSegment)
    (cap : u128)
    (masks : CertificateMasks)
    (j i : usize) : Scalar :=
  if mask_position n <=? i then
    scalar_at masks.(masks_bits) (2 * j + (i - mask_position n))
  else
    scalar_of_number (halved (order_step segments cap i) j mod 2).

(** One step of [`bit_vector`]. *)
Definition bit_vector_step
    (vector : Seq Scalar)
    (n : usize)
    (segments : Seq KnownSegment)
    (cap : u128)
    (masks : CertificateMasks)
    (j i : usize) : Seq Scalar :=
  vector ++ [bit_element n segments cap masks j i].

(** B_j on the domain. *)
Definition bit_vector
    (n : usize)
    (segments : Seq KnownSegment)
    (cap : u128)
    (masks : CertificateMasks)
    (j : usize) : Seq Scalar :=
  fold_left (fun vector i => bit_vector_step vector n segments cap masks j i) (range 0 n) [].

(** One step of [`bits_at`]. *)
Definition bits_at_step
    (values : Seq Scalar)
    (about : CertificateAbout)
    (n : usize)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (x : Scalar)
    (j : usize) : Seq Scalar :=
  values ++ [vector_value n (bit_vector n segments about.(about_cap) masks j) x].

(** B_j(x), bit by bit: at τ the commitments, at ζ the values. *)
Definition bits_at
    (about : CertificateAbout)
    (n : usize)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (x : Scalar) : Seq Scalar :=
  fold_left (fun values j => bits_at_step values about n segments masks x j) (range 0 about.(about_bits)) [].

(** V^(x). *)
Definition masked_values_at
    (n : usize)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (x : Scalar) : Scalar :=
  all_values_at n segments x [+] rows_vanishing n x [*] mask_value masks.(masks_values) x.

(** β_D V^ - β_1 A^_1 - Σ β_p A_p at ωx, times s(x): at ζ the value e. *)
Definition next_value
    (about : CertificateAbout)
    (n : usize)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges)
    (x : Scalar) : Scalar :=
  let y := domain_point n 1 [*] x in
  let sums_mask := beta_moment about drawn 0 [*] rows_vanishing n y [*] mask_value masks.(masks_sums) y in
  unguarded_value n x [*]
  (beta_order about drawn [*] masked_values_at n segments masks y [-] sums_mask [-]
    all_sums_at about segments drawn n y).

(** All relations at x, combined by the β. *)
Definition relation_value
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges)
    (x : Scalar) : Scalar :=
  let n := sheet_size (sheet_log items) in
  let bit_values := bits_at about n segments masks x in
  let v := masked_values_at n segments masks x in
  let combined := combined_values_at n segments drawn.(drawn_rhos) x in
  let cap := scalar_of_number about.(about_cap) [*] last_rows_value n items x in
  let identity := identity_value n items drawn.(drawn_rhos) x in
  let sums_mask := beta_moment about drawn 0 [*] rows_vanishing n x [*] mask_value masks.(masks_sums) x in
  next_value about n segments masks drawn x [+] bits_relation bit_values drawn.(drawn_betas) [+]
  beta_order about drawn [*] (cap [-] v [-] weighted_bits bit_values) [+]
  beta_support about drawn [*] (combined [-] identity [*] v) [+]
  all_sums_at about segments drawn n x [+]
  sums_mask [-]
  powers_combined about drawn v [*] combined.

(** Q(x): the combined relation by Z, for x off the domain. *)
Definition quotient_value
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges)
    (x : Scalar) : Scalar :=
  let n := sheet_size (sheet_log items) in
  relation_value about items segments masks drawn x [*] scalar_inverse (rows_vanishing n x).

(** What a certificate of known segments must be under given challenges, but for its encodings and
    its opening, as whoever has the trapdoor makes it. *)
Definition unopened_certificate
    (tau : Scalar)
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges) : Certificate :=
  let n := sheet_size (sheet_log items) in
  let zeta := drawn.(drawn_zeta) in
  {| certificate_bits := unencoded_points (bits_at about n segments masks tau);
    certificate_values_mask := unencoded_point (mask_value masks.(masks_values) tau);
    certificate_sums_mask := unencoded_point (mask_value masks.(masks_sums) tau);
    certificate_quotient := unencoded_point (quotient_value about items segments masks drawn tau);
    certificate_bit_values := bits_at about n segments masks zeta;
    certificate_value := masked_values_at n segments masks zeta;
    certificate_next := next_value about n segments masks drawn zeta;
    certificate_scalar_bytes := [];
    certificate_opening := {| folded_quotient := g1_identity; folded_witness := g1_identity |};
    certificate_opening_bytes := [] |}.

(** The folded opening of a certificate under given challenges. *)
Definition certificate_opening_of
    (tau : Scalar)
    (about : CertificateAbout)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (gammas : Seq Scalar)
    (z : Scalar)
    (shown : Certificate) : FoldedOpening :=
  fold_known_claims tau (certificate_claims about items drawn shown) gammas z.

End Specification.
