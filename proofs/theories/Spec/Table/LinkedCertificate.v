(** A linked certificate's claims, for a prover who knows the polynomials under all points.

    - [linked_parts]: what an accepted linked certificate passed;
    - [linked_at_bit], [linked_at_values], [linked_at_linear], [linked_at_next], [linked_at_link]: the claims one by one;
    - [linked_committed], [linked_claims_committed]: with each point its polynomial, then so with each claim, [linked_polynomial];
    - [link_challenges], [link_gammas], [link_fold_point]: the challenges that are drawn for a linked certificate. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate Table.LinkedCertificate.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials
  Lemmas.PolynomialRoots Lemmas.PolynomialProducts Spec.Commitment.FoldedOpening Spec.Table.Sheet Spec.Table.Certificate.
From Aardvark Require Lemmas.FoldedSound.
Import ListNotations.
Local Open Scope N_scope.

Section Linked.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** ** What was checked besides the fold *)

(** Where the segment before stands: on a domain of a legal size, with a last row before its guard. *)
Record link_parts (previous : RunRecord) : Prop := {
  link_log : 3 <= record_log previous /\ record_log previous <= 11;
  link_rows : 1 <= record_rows previous;
  link_ends : record_first previous + record_rows previous <= guard_position (sheet_size (record_log previous));
}.

Lemma linked_items_each : forall moments items, linked_items_legal moments items = true ->
  forall placed, In placed items -> seq_length (record_sums (item_record placed)) = moments.
Proof.
  intros moments items L placed I. apply in_seq_at in I as (k & K & <-). unfold linked_items_legal in L.
  assert (general : forall count legal, fold_left (fun legal k => linked_items_legal_step legal moments (seq_at items k) k) (range 0 count) legal = true ->
    forall k, k < count -> seq_length (record_sums (item_record (seq_at items k))) = moments).
  { clear. induction count as [| count IH] using N.peano_ind; intros legal H k K; [lia |].
    rewrite <- N.add_1_r, range_last, fold_left_app in H by lia. cbn [fold_left] in H. unfold linked_items_legal_step at 1 in H. cbv zeta in H.
    rewrite !andb_true_iff, N.eqb_eq in H. destruct H as [[H _] E]. destruct (N.eq_dec k count) as [-> | D]; [exact E |].
    apply (IH legal H). lia. }
  exact (general _ _ L k K).
Qed.

Lemma linked_sheet_parts : forall about previous items,
  linked_sheet_legal (sheet_log items) (about_moments about) previous items = true ->
  legal_parts about items /\ link_parts previous /\ 1 <= seq_length items.
Proof.
  intros about previous items L. unfold linked_sheet_legal in L. rewrite !andb_true_iff, !N.leb_le in L.
  destruct L as ((((((((M & M') & A) & B) & some) & _) & S) & P) & L). unfold link_legal in P. cbv zeta in P.
  rewrite !andb_true_iff, !N.leb_le in P. destruct P as (((A' & B') & _) & placed).
  destruct (layout_after 1 (record_log previous) previous) as [after |] eqn:E; [| discriminate]. apply layout_after_iff in E as (_ & R & _ & G & _).
  unfold MIN_SHEET_LOG, max_sheet_log, MAX_SHEET_LOG in *. split; [split | split; [split |]]; try assumption.
  - split; assumption.
  - destruct (about_moments about <=? 2); lia.
  - now apply linked_items_each.
  - now apply layout_legal_iff.
  - destruct (about_moments about <=? 2); lia.
Qed.

Lemma linked_accepted_parts : forall setup about previous items drawn gammas z shown,
  verify_linked_drawn setup about previous items drawn gammas z shown = Ok tt ->
  (legal_parts about items /\ link_parts previous /\ 1 <= seq_length items) /\
  (seq_length (certificate_bits (linked_body shown)) = about_bits about /\ seq_length (certificate_bit_values (linked_body shown)) = about_bits about) /\
  (on_domain (sheet_size (sheet_log items)) (drawn_zeta drawn) = false /\
    on_domain (sheet_size (record_log previous)) (link_shift previous items [*] drawn_zeta drawn) = false) /\
  verify_fold setup (linked_claims about previous items drawn shown) gammas z (certificate_opening (linked_body shown)) = true.
Proof.
  intros setup about previous items drawn gammas z shown. unfold verify_linked_drawn. cbv zeta.
  destruct (linked_sheet_legal _ _ _ items) eqn:L; cbn [negb]; [| discriminate].
  destruct (negb (_ =? _) || negb (_ =? _)) eqn:B; [discriminate |]. destruct (linked_zeta_on_domain _ _ _) eqn:D; [discriminate |].
  destruct (verify_fold _ _ _ _ _) eqn:V; [| discriminate]. intros _.
  apply orb_false_iff in B, D. rewrite !negb_false_iff, !N.eqb_eq in B. split; [now apply linked_sheet_parts | auto].
Qed.

(** ** The challenges that are drawn *)

Definition link_bits_seed (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem) (shown : LinkedCertificate) : list N :=
  linked_bits_seed (certificate_seed (linked_statement about previous items)) shown.
Definition link_quotient_seed (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem) (shown : LinkedCertificate) : list N :=
  certificate_quotient_seed (link_bits_seed about previous items shown) (linked_body shown).
Definition link_values_seed (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem) (shown : LinkedCertificate) : list N :=
  linked_values_seed (link_quotient_seed about previous items shown) shown.

(** ρ, β and ζ. *)
Definition link_challenges (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem) (shown : LinkedCertificate) : CertificateChallenges :=
  certificate_challenges about (seq_length items) (certificate_seed (linked_statement about previous items)) (link_bits_seed about previous items shown)
    (link_quotient_seed about previous items shown).

(** The fold's γ and z. *)
Definition link_gammas (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem) (shown : LinkedCertificate) : list Scalar :=
  fold_gammas (link_values_seed about previous items shown) (about_bits about + 4).
Definition link_fold_point (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem) (shown : LinkedCertificate) : Scalar :=
  fold_point (link_values_seed about previous items shown) (certificate_opening_bytes (linked_body shown)).

Lemma verify_linked_is_drawn : forall setup about previous items shown, verify_linked_certificate setup about previous items shown =
  verify_linked_drawn setup about previous items (link_challenges about previous items shown) (link_gammas about previous items shown)
    (link_fold_point about previous items shown) shown.
Proof. reflexivity. Qed.

(** ** The polynomials under the claims *)

(** [before] is under the values of the segment before, [mask] under R_l. *)
Definition linked_committed (setup : KzgSetup) (previous : RunRecord) (shown : LinkedCertificate) (masks : MaskPolynomials) (before mask q w w' : list Scalar) : Prop :=
  held_element (record_values previous) = polynomial_element setup before /\
  held_element (linked_mask shown) = polynomial_element setup mask /\
  certificate_committed setup (linked_body shown) masks q w w'.

Variables (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem) (drawn : CertificateChallenges).
Variables (sheet : SheetPolynomials) (masks : MaskPolynomials) (before mask q : list Scalar).

Let n : N := sheet_size (sheet_log items).
Let zeta : Scalar := drawn_zeta drawn.
Let bits : N := about_bits about.

(** κζ, and Z' there. *)
Definition link_point : Scalar := link_shift previous items [*] zeta.
Definition link_vanishing : Scalar := rows_vanishing (sheet_size (record_log previous)) link_point.

Definition linked_polynomial (v : Scalar) (i : N) : list Scalar :=
  if i <? bits + 3 then claim_polynomial about items drawn sheet masks q v i else added before (scaled link_vanishing mask).

Variables (setup : KzgSetup) (shown : LinkedCertificate).
Hypothesis bits_many : seq_length (certificate_bits (linked_body shown)) = about_bits about.

Let claims : list FoldedClaim := linked_claims about previous items drawn shown.
Let body : Certificate := linked_body shown.

(** The claims are those of the body, of which Lin's has another value, and that of the link. *)
Lemma linked_claims_split : linked_claims about previous items drawn shown = bit_claims body zeta ++
  [seq_at (certificate_claims about items drawn body) bits;
   {| folded_commitment := linear_commitment about items drawn body; folded_point := zeta; folded_value := linked_linear_value about items drawn shown |};
   seq_at (certificate_claims about items drawn body) (bits + 2);
   {| folded_commitment := masked_previous previous shown link_vanishing; folded_point := link_point; folded_value := linked_value shown |}].
Proof.
  unfold bits. rewrite (claims_at_values about items drawn body bits_many), (claims_at_next about items drawn body bits_many). reflexivity.
Qed.

Lemma linked_claims_length : seq_length claims = bits + 4.
Proof.
  unfold claims. rewrite linked_claims_split, seq_length_app. unfold zeta. rewrite (bit_claims_length about drawn body bits_many).
  unfold seq_length. cbn [length]. fold bits. lia.
Qed.

Lemma linked_at_behind (i : N) : seq_at claims (bits + i) = seq_at
  [seq_at (certificate_claims about items drawn body) bits;
   {| folded_commitment := linear_commitment about items drawn body; folded_point := zeta; folded_value := linked_linear_value about items drawn shown |};
   seq_at (certificate_claims about items drawn body) (bits + 2);
   {| folded_commitment := masked_previous previous shown link_vanishing; folded_point := link_point; folded_value := linked_value shown |}] i.
Proof.
  unfold claims. rewrite linked_claims_split. unfold zeta. rewrite seq_at_app_r by (rewrite (bit_claims_length about drawn body bits_many); fold bits; lia).
  rewrite (bit_claims_length about drawn body bits_many). fold bits. f_equal. lia.
Qed.

(** All but that of Lin and the last are those of the body. *)
Lemma linked_at_other (i : N) : i < bits + 3 -> i <> bits + 1 -> seq_at claims i = seq_at (certificate_claims about items drawn body) i.
Proof.
  intros L D. destruct (N.lt_ge_cases i bits) as [B | B].
  - unfold bits in B. rewrite (claims_at_bit about items drawn body bits_many i B). unfold claims. rewrite linked_claims_split.
    unfold zeta. rewrite seq_at_app_l by (rewrite (bit_claims_length about drawn body bits_many); exact B).
    rewrite (bit_claims_map about drawn body bits_many). now apply nth_map_range.
  - replace i with (bits + (i - bits)) at 1 by lia. rewrite linked_at_behind.
    assert (C : i = bits \/ i = bits + 2) by lia. destruct C as [-> | ->].
    + now rewrite N.sub_diag.
    + replace (bits + 2 - bits) with 2 by lia. reflexivity.
Qed.

Lemma linked_at_linear : seq_at claims (bits + 1) =
  {| folded_commitment := linear_commitment about items drawn body; folded_point := zeta; folded_value := linked_linear_value about items drawn shown |}.
Proof. rewrite linked_at_behind. reflexivity. Qed.

Lemma linked_at_link : seq_at claims (bits + 3) =
  {| folded_commitment := masked_previous previous shown link_vanishing; folded_point := link_point; folded_value := linked_value shown |}.
Proof. rewrite linked_at_behind. reflexivity. Qed.

Variables (w w' : list Scalar).
Hypothesis sheet_known : sheet_committed setup items sheet.
Hypothesis sums_many : forall placed, In placed items -> seq_length (record_sums (item_record placed)) = about_moments about.
Hypothesis known : linked_committed setup previous shown masks before mask q w w'.

Lemma linked_claims_committed : Lemmas.FoldedSound.commits_to_polynomials claims (linked_polynomial (certificate_value body)) setup.
Proof.
  destruct known as (P & R & K). pose proof (claims_committed about items drawn sheet masks q setup body bits_many w w' sheet_known sums_many K) as others.
  pose proof (claims_length about items drawn body bits_many) as L'. fold bits in L'.
  intros i L. fold claims in L. rewrite linked_claims_length in L. unfold linked_polynomial. fold bits.
  destruct (N.ltb_spec i (bits + 3)) as [B | B].
  - specialize (others i ltac:(lia)). destruct (N.eq_dec i (bits + 1)) as [-> | D].
    + fold claims. rewrite linked_at_linear. unfold bits in others. rewrite (claims_at_linear about items drawn body bits_many) in others. exact others.
    + fold claims. rewrite linked_at_other by assumption. exact others.
  - replace i with (bits + 3) by lia. fold claims. rewrite linked_at_link. cbn [folded_commitment]. unfold masked_previous. rewrite P, R. apply g1_ext.
    unfold polynomial_element. group_exponents. now rewrite added_at, scaled_at.
Qed.

Variable d : nat.
Hypothesis sheet_short : forall k p, (length (values_under sheet k) <= d)%nat /\ (length (sums_under sheet p k) <= d)%nat.
Hypothesis masks_short : forall j, (length (bits_under masks j) <= d)%nat /\ (length (values_mask_under masks) <= d)%nat /\
  (length (sums_mask_under masks) <= d)%nat.
Hypothesis others_short : (length q <= d)%nat /\ (length before <= d)%nat /\ (length mask <= d)%nat.

Lemma linked_polynomial_short (v : Scalar) (i : N) : (length (linked_polynomial v i) <= d)%nat.
Proof.
  destruct others_short as (Q & P & R). unfold linked_polynomial. destruct (i <? _); [now apply claim_polynomial_short |].
  apply added_length; [exact P | now rewrite scaled_length].
Qed.

End Linked.
