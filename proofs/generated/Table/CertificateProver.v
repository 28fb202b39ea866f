(* Translated from spec/src/table/certificate_prover.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Certificates of rows that are known: what each point and scalar of an honest one must be, under
    given masks and challenges, as whoever has the trapdoor makes it.

    The point [p(τ)]_1 of a polynomial p is the multiple of the generator by its value at τ; the
    quotient's is the combined relation at τ by Z(τ). Source: docs/tables.md, "The certificate". *)
From AardvarkSpec Require Export Prelude Base.Scalar Base.Group Commitment.FoldedOpening Table.DomainValues
  Table.RunRecord Table.Sheet Table.Certificate.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A segment as its keeper knows it. *)
Record KnownSegment : Type := {
  (** The position of the first row. *)
  known_first : usize;
  (** The rows' numbers, ascending, from 0 to the cap. *)
  known_numbers : Seq u128;
  (** The two scalars at the masks of the values. *)
  known_values_masks : Seq Scalar;
  (** The two scalars at the masks of the sums of each power, power by power. *)
  known_sums_masks : Seq Scalar;
}.

#[global] Instance Default_KnownSegment : Default KnownSegment := {| known_first := default; known_numbers := default; known_values_masks := default; known_sums_masks := default |}.

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

(** The number of the row at position i of a segment; 0 where there is none. *)
Definition number_at (segment : KnownSegment) (i : usize) : u128 :=
  if (segment.(known_first) <=? i) && (i - segment.(known_first) <? seq_length segment.(known_numbers)) then
    seq_at segment.(known_numbers) (i - segment.(known_first))
  else
    0.

(** Element i of a segment's values: a mask, a row's number, or 0. *)
Definition values_element (n : usize) (segment : KnownSegment) (i : usize) : Scalar :=
  if mask_position n <=? i then
    scalar_at segment.(known_values_masks) (i - mask_position n)
  else
    scalar_of_number (number_at segment i).

(** One step of [`values_vector`]. *)
Definition values_vector_step
    (vector : Seq Scalar)
    (n : usize)
    (segment : KnownSegment)
    (i : usize) : Seq Scalar :=
  vector ++ [values_element n segment i].

(** V_k on the domain. *)
Definition values_vector (n : usize) (segment : KnownSegment) : Seq Scalar :=
  fold_left (fun vector i => values_vector_step vector n segment i) (range 0 n) [].

(** One step of [`suffix_sum`]. *)
Definition suffix_sum_step (total : Scalar) (segment : KnownSegment) (i power : usize) : Scalar :=
  total [+] scalar_power (scalar_of_number (number_at segment i)) power.

(** The sum of the powers of the rows' numbers from position `start` on. *)
Definition suffix_sum (n : usize) (segment : KnownSegment) (start power : usize) : Scalar :=
  fold_left
    (fun total i => suffix_sum_step total segment i power)
    (range start (mask_position n))
    scalar_zero.

(** Element i of a segment's sums of a power, which is at least 1: a mask, or a suffix sum. *)
Definition sums_element (n : usize) (segment : KnownSegment) (power i : usize) : Scalar :=
  if (mask_position n <=? i) && (1 <=? power) then
    scalar_at segment.(known_sums_masks) (2 * (power - 1) + (i - mask_position n))
  else
    suffix_sum n segment i power.

(** One step of [`sums_vector`]. *)
Definition sums_vector_step
    (vector : Seq Scalar)
    (n : usize)
    (segment : KnownSegment)
    (power i : usize) : Seq Scalar :=
  vector ++ [sums_element n segment power i].

(** A_(p,k) on the domain. *)
Definition sums_vector (n : usize) (segment : KnownSegment) (power : usize) : Seq Scalar :=
  fold_left (fun vector i => sums_vector_step vector n segment power i) (range 0 n) [].

(** V_k(x). *)
Definition values_at (n : usize) (segment : KnownSegment) (x : Scalar) : Scalar :=
  vector_value n (values_vector n segment) x.

(** A_(p,k)(x). *)
Definition sums_at (n : usize) (segment : KnownSegment) (power : usize) (x : Scalar) : Scalar :=
  vector_value n (sums_vector n segment power) x.

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

(** One step of [`claim_openings`]. *)
Definition claim_openings_step (opened : Seq G1) (tau : Scalar) (claim : FoldedClaim) : Seq G1 :=
  opened ++ [open_folded_claim tau claim].

(** The openings of claims by themselves, as whoever has the trapdoor makes them. *)
Definition claim_openings (tau : Scalar) (claimed : Seq FoldedClaim) : Seq G1 :=
  fold_left
    (fun opened i => claim_openings_step opened tau (seq_at claimed i))
    (range 0 (seq_length claimed))
    [].

(** The folded opening of a certificate's claims. *)
Definition fold_certificate
    (tau : Scalar)
    (claimed : Seq FoldedClaim)
    (gammas : Seq Scalar)
    (z : Scalar) : FoldedOpening :=
  let opened := claim_openings tau claimed in
  {| folded_quotient := fold_quotient opened gammas;
    folded_witness := fold_witness claimed opened gammas z |}.

(** The multiple of the generator, without an encoding. *)
Definition unencoded_point (factor : Scalar) : TablePoint :=
  {| held_element := g1_multiple factor; held_bytes := [] |}.

(** One step of [`unencoded_points`]. *)
Definition unencoded_points_step (points : Seq TablePoint) (factor : Scalar) : Seq TablePoint :=
  points ++ [unencoded_point factor].

(** Multiples of the generator, without encodings. *)
Definition unencoded_points (factors : Seq Scalar) : Seq TablePoint :=
  fold_left
    (fun points i => unencoded_points_step points (seq_at factors i))
    (range 0 (seq_length factors))
    [].

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
  fold_certificate tau (certificate_claims about items drawn shown) gammas z.

End Specification.
