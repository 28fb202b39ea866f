(* Translated from spec/src/table/linked_certificate_prover.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Table.LinkedCertificateProver Base.ScalarSafe Commitment.FoldedOpeningSafe
  Table.DomainValuesSafe Table.RunRecordSafe Table.SheetSafe Table.CertificateTranscriptSafe
  Table.CertificateSafe Table.LinkedCertificateSafe Table.KnownSegmentSafe Table.KnownPointsSafe
  Table.CertificateProverSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [link_number] does not panic. *)
Definition link_number_safe (known_link : KnownLink) : bool :=
  last_row_position_safe known_link.(link_record).

(** When [linked_order_step] does not panic. *)
Definition linked_order_step_safe
    (known_link : KnownLink)
    (segments : Seq KnownSegment)
    (cap : u128)
    (i : usize) : bool :=
  order_step_safe segments cap i &&
  (let unlinked := order_step segments cap i in
    (if 0 <? seq_length segments then within_usize (i + 1) else true) &&
    (let begins := (0 <? seq_length segments) && ((seq_at segments 0).(known_first) =? i + 1) in
      (if begins then link_number_safe known_link else true) &&
      (if begins && (link_number known_link <=? unlinked) then link_number_safe known_link else true))).

(** When [linked_bit_element] does not panic. *)
Definition linked_bit_element_safe
    (n : usize)
    (known_link : KnownLink)
    (segments : Seq KnownSegment)
    (cap : u128)
    (masks : CertificateMasks)
    (j i : usize) : bool :=
  if mask_position n <=? i then
    bit_element_safe n segments cap masks j i
  else
    linked_order_step_safe known_link segments cap i.

(** When [linked_bit_vector_step] does not panic. *)
Definition linked_bit_vector_step_safe
    (vector : Seq Scalar)
    (n : usize)
    (known_link : KnownLink)
    (segments : Seq KnownSegment)
    (cap : u128)
    (masks : CertificateMasks)
    (j i : usize) : bool :=
  linked_bit_element_safe n known_link segments cap masks j i.

(** When [linked_bit_vector] does not panic. *)
Definition linked_bit_vector_safe
    (n : usize)
    (known_link : KnownLink)
    (segments : Seq KnownSegment)
    (cap : u128)
    (masks : CertificateMasks)
    (j : usize) : bool :=
  loop_safe
    (fun vector i => linked_bit_vector_step vector n known_link segments cap masks j i)
    (fun vector i => linked_bit_vector_step_safe vector n known_link segments cap masks j i)
    (range 0 n)
    [].

(** When [linked_bits_at_step] does not panic. *)
Definition linked_bits_at_step_safe
    (values : Seq Scalar)
    (about : CertificateAbout)
    (n : usize)
    (known_link : KnownLink)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (x : Scalar)
    (j : usize) : bool :=
  linked_bit_vector_safe n known_link segments about.(about_cap) masks j &&
  vector_value_safe n (linked_bit_vector n known_link segments about.(about_cap) masks j) x.

(** When [linked_bits_at] does not panic. *)
Definition linked_bits_at_safe
    (about : CertificateAbout)
    (n : usize)
    (known_link : KnownLink)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (x : Scalar) : bool :=
  loop_safe
    (fun values j => linked_bits_at_step values about n known_link segments masks x j)
    (fun values j => linked_bits_at_step_safe values about n known_link segments masks x j)
    (range 0 about.(about_bits))
    [].

(** When [masked_previous_at] does not panic. *)
Definition masked_previous_at_safe (known_link : KnownLink) (y : Scalar) : bool :=
  sheet_size_safe known_link.(link_record).(record_log) &&
  (let n := sheet_size known_link.(link_record).(record_log) in
    values_at_safe n known_link.(link_rows) y && rows_vanishing_safe n y).

(** When [linked_relation_value] does not panic. *)
Definition linked_relation_value_safe
    (about : CertificateAbout)
    (known_link : KnownLink)
    (items : Seq SheetItem)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges)
    (x : Scalar) : bool :=
  sheet_size_safe (sheet_log items) &&
  (let n := sheet_size (sheet_log items) in
    linked_bits_at_safe about n known_link segments masks x &&
    (let bit_values := linked_bits_at about n known_link segments masks x in
      masked_values_at_safe n segments masks x &&
      (let v := masked_values_at n segments masks x in
        combined_values_at_safe n segments drawn.(drawn_rhos) x &&
        (last_rows_value_safe n items x &&
          (link_lagrange_safe items x &&
            (link_shift_safe known_link.(link_record) items &&
              masked_previous_at_safe known_link (link_shift known_link.(link_record) items [*] x)) &&
            (identity_value_safe n items drawn.(drawn_rhos) x &&
              (beta_moment_safe about drawn 0 && rows_vanishing_safe n x &&
                (next_value_safe about n segments masks drawn x &&
                  bits_relation_safe bit_values drawn.(drawn_betas) &&
                  weighted_bits_safe bit_values &&
                  beta_support_safe about drawn &&
                  all_sums_at_safe about segments drawn n x &&
                  powers_combined_safe about drawn v)))))))).

(** When [linked_quotient_value] does not panic. *)
Definition linked_quotient_value_safe
    (about : CertificateAbout)
    (known_link : KnownLink)
    (items : Seq SheetItem)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges)
    (x : Scalar) : bool :=
  sheet_size_safe (sheet_log items) &&
  (let n := sheet_size (sheet_log items) in
    linked_relation_value_safe about known_link items segments masks drawn x && rows_vanishing_safe n x).

(** When [unopened_linked_certificate] does not panic. *)
Definition unopened_linked_certificate_safe
    (tau : Scalar)
    (about : CertificateAbout)
    (known_link : KnownLink)
    (items : Seq SheetItem)
    (segments : Seq KnownSegment)
    (masks : CertificateMasks)
    (drawn : CertificateChallenges) : bool :=
  sheet_size_safe (sheet_log items) &&
  (let n := sheet_size (sheet_log items) in
    let zeta := drawn.(drawn_zeta) in
    unopened_certificate_safe tau about items segments masks drawn &&
    (linked_quotient_value_safe about known_link items segments masks drawn tau &&
      (linked_bits_at_safe about n known_link segments masks tau &&
        unencoded_points_safe (linked_bits_at about n known_link segments masks tau) &&
        linked_bits_at_safe about n known_link segments masks zeta &&
        (link_shift_safe known_link.(link_record) items &&
          masked_previous_at_safe known_link (link_shift known_link.(link_record) items [*] zeta))))).

(** When [linked_opening_of] does not panic. *)
Definition linked_opening_of_safe
    (tau : Scalar)
    (about : CertificateAbout)
    (known_link : KnownLink)
    (items : Seq SheetItem)
    (drawn : CertificateChallenges)
    (gammas : Seq Scalar)
    (z : Scalar)
    (shown : LinkedCertificate) : bool :=
  linked_claims_safe about known_link.(link_record) items drawn shown &&
  fold_known_claims_safe tau (linked_claims about known_link.(link_record) items drawn shown) gammas z.

End Specification.
