(* Translated from spec/src/table/linked_certificate_prover.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Certificates of known rows that continue a run: what each point and scalar of an honest one must
    be, under given masks and challenges, as whoever has the trapdoor makes it.

    As [`crate::table::certificate_prover`], but for the step to the first row, which is from the
    last row of the segment before, and for the mask of that one. Source: docs/tables.md, "Links". *)
From AardvarkSpec Require Export Prelude Base.Scalar Commitment.FoldedOpening Table.DomainValues
  Table.RunRecord Table.Sheet Table.CertificateTranscript Table.Certificate Table.LinkedCertificate
  Table.KnownSegment Table.KnownPoints Table.CertificateProver.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What the prover knows of the segment before. *)
Record KnownLink : Type := {
  (** Its record. *)
  link_record : RunRecord;
  (** Its rows and masks. *)
  link_rows : KnownSegment;
  (** The three coefficients of R_l. *)
  link_masks : Seq Scalar;
}.

#[global] Instance Default_KnownLink : Default KnownLink := {| link_record := default; link_rows := default; link_masks := default |}.

(** The last row's number of the segment before. *)
Definition link_number (known_link : KnownLink) : u128 :=
  number_at known_link.(link_rows) (last_row_position known_link.(link_record)).

(** The number whose bits stand at position i. *)
Definition linked_order_step
    (known_link : KnownLink)
    (segments : Seq KnownSegment)
    (cap : u128)
    (i : usize) : u128 :=
  let unlinked := order_step segments cap i in
  let begins := (0 <? seq_length segments) && ((seq_at segments 0).(known_first) =? i + 1) in
  if begins && (link_number known_link <=? unlinked) then unlinked - link_number known_link else unlinked.

(** Element i of B_j: a mask, or bit j of the step at position i. *)
Definition linked_bit_element
    (n : usize)
    (known_link : KnownLink)
    (segments : Seq KnownSegment)
    (cap : u128)
    (masks : CertificateMasks)
    (j i : usize) : Scalar :=
  if mask_position n <=? i then
    bit_element n segments cap masks j i
  else
    scalar_of_number (halved (linked_order_step known_link segments cap i) j mod 2).

(** One step of [`linked_bit_vector`]. *)
Definition linked_bit_vector_step
    (vector : Seq Scalar)
    (n : usize)
    (known_link : KnownLink)
    (segments : Seq KnownSegment)
    (cap : u128)
    (masks : CertificateMasks)
    (j i : usize) : Seq Scalar :=
  vector ++ [linked_bit_element n known_link segments cap masks j i].

(** B_j on the domain. *)
Definition linked_bit_vector
    (n : usize)
    (known_link : KnownLink)
    (segments : Seq KnownSegment)
    (cap : u128)
    (masks : CertificateMasks)
    (j : usize) : Seq Scalar :=
  fold_left
    (fun vector i => linked_bit_vector_step vector n known_link segments cap masks j i)
    (range 0 n)
    [].

(** One step of [`linked_bits_at`]. *)
Definition linked_bits_at_step
    (values : Seq Scalar)
    (about : CertificateAbout)
    (n : usize)
    (known_link : KnownLink)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (x : Scalar)
    (j : usize) : Seq Scalar :=
  values ++ [vector_value n (linked_bit_vector n known_link segments about.(about_cap) masks j) x].

(** B_j(x), bit by bit: at τ the commitments, at ζ the values. *)
Definition linked_bits_at
    (about : CertificateAbout)
    (n : usize)
    (known_link : KnownLink)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (x : Scalar) : Seq Scalar :=
  fold_left
    (fun values j => linked_bits_at_step values about n known_link segments masks x j)
    (range 0 about.(about_bits))
    [].

(** P^(y). *)
Definition masked_previous_at (known_link : KnownLink) (y : Scalar) : Scalar :=
  let n := sheet_size known_link.(link_record).(record_log) in
  values_at n known_link.(link_rows) y [+] rows_vanishing n y [*] mask_value known_link.(link_masks) y.

(** All relations at x, combined by the β. *)
Definition linked_relation_value
    (about : CertificateAbout)
    (known_link : KnownLink)
    (items : Seq SheetItem)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges)
    (x : Scalar) : Scalar :=
  let n := sheet_size (sheet_log items) in
  let bit_values := linked_bits_at about n known_link segments masks x in
  let v := masked_values_at n segments masks x in
  let combined := combined_values_at n segments drawn.(drawn_rhos) x in
  let cap := scalar_of_number about.(about_cap) [*] last_rows_value n items x in
  let before :=
    link_lagrange items x [*] masked_previous_at known_link (link_shift known_link.(link_record) items [*] x)
  in
  let identity := identity_value n items drawn.(drawn_rhos) x in
  let sums_mask := beta_moment about drawn 0 [*] rows_vanishing n x [*] mask_value masks.(masks_sums) x in
  next_value about n segments masks drawn x [+] bits_relation bit_values drawn.(drawn_betas) [+]
  beta_order about drawn [*] (cap [-] v [-] before [-] weighted_bits bit_values) [+]
  beta_support about drawn [*] (combined [-] identity [*] v) [+]
  all_sums_at about segments drawn n x [+]
  sums_mask [-]
  powers_combined about drawn v [*] combined.

(** Q(x): the combined relation by Z, for x off the domain. *)
Definition linked_quotient_value
    (about : CertificateAbout)
    (known_link : KnownLink)
    (items : Seq SheetItem)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges)
    (x : Scalar) : Scalar :=
  let n := sheet_size (sheet_log items) in
  linked_relation_value about known_link items segments masks drawn x [*] scalar_inverse (rows_vanishing n x).

(** What a certificate of known segments must be under given challenges, but for its encodings and
    its opening, as whoever has the trapdoor makes it. *)
Definition unopened_linked_certificate
    (tau : Scalar)
    (about : CertificateAbout)
    (known_link : KnownLink)
    (items : Seq SheetItem)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges) : LinkedCertificate :=
  let n := sheet_size (sheet_log items) in
  let zeta := drawn.(drawn_zeta) in
  let unlinked := unopened_certificate tau about items segments masks drawn in
  let quotient := linked_quotient_value about known_link items segments masks drawn tau in
  {| linked_body :=
      {| certificate_bits := unencoded_points (linked_bits_at about n known_link segments masks tau);
        certificate_values_mask := unlinked.(certificate_values_mask);
        certificate_sums_mask := unlinked.(certificate_sums_mask);
        certificate_quotient := unencoded_point quotient;
        certificate_bit_values := linked_bits_at about n known_link segments masks zeta;
        certificate_value := unlinked.(certificate_value);
        certificate_next := unlinked.(certificate_next);
        certificate_scalar_bytes := [];
        certificate_opening := unlinked.(certificate_opening);
        certificate_opening_bytes := [] |};
    linked_mask := unencoded_point (mask_value known_link.(link_masks) tau);
    linked_value := masked_previous_at known_link (link_shift known_link.(link_record) items [*] zeta);
    linked_value_bytes := [] |}.

(** The folded opening of a certificate under given challenges. *)
Definition linked_opening_of
    (tau : Scalar)
    (about : CertificateAbout)
    (known_link : KnownLink)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (gammas : Seq Scalar)
    (z : Scalar)
    (shown : LinkedCertificate) : FoldedOpening :=
  fold_known_claims tau (linked_claims about known_link.(link_record) items drawn shown) gammas z.

End Specification.
