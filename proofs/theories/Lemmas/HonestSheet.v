(** An honest sheet: rows that stand in order, the polynomials of their vectors, and the relations of a certificate, which hold of them.

    - [honest_sheet]: what a keeper has;
    - [segment_step_exact]: the numbers that its bits write are the steps from row to row, and from the last one to the cap;
    - [honest_polynomials], [honest_masks]: the polynomials under its points;
    - [honest_related]: the relations hold at all positions up to the guard. *)
From Coq Require Import NArith List Bool Lia Sorted Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.KnownSegment Table.Sheet Table.Certificate Table.CertificateProver.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Lemmas.Polynomials Lemmas.SheetRelations
  Spec.Table.Sheet Spec.Table.DomainValues Spec.Table.Certificate Lemmas.CertificateRelations Lemmas.CertificateSound
  Lemmas.HonestPolynomials.
Import ListNotations.
Local Open Scope N_scope.

(** ** Integers *)

(** A sum of which at most one term is not 0. *)
Lemma number_sum_single (f : N -> N) (bound n : N) : (forall i, i < n -> f i <= bound) ->
  (forall i j, i < n -> j < n -> i <> j -> f i = 0 \/ f j = 0) -> number_sum f n <= bound.
Proof.
  intros below one. induction n as [| n IH] using N.peano_ind; [cbn; lia |]. rewrite <- N.add_1_r, number_sum_succ.
  destruct (N.eq_dec (f n) 0) as [E | E].
  - rewrite E. assert (number_sum f n <= bound) by (apply IH; intros; [apply below | apply one]; lia). lia.
  - assert (zero : forall m, m <= n -> number_sum f m = 0).
    { induction m as [| m IHm] using N.peano_ind; intros L; [reflexivity |]. rewrite <- N.add_1_r, number_sum_succ, IHm by lia.
      destruct (one m n ltac:(lia) ltac:(lia) ltac:(lia)); lia. }
    rewrite zero by lia. specialize (below n ltac:(lia)). lia.
Qed.

Section Rows.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** What a keeper has of a segment: as many rows as the record says, from the record's first position on, in ascending order, at most
    the cap. *)
Record honest_segment (cap : N) (placed : SheetItem) (segment : KnownSegment) : Prop := {
  honest_first : known_first segment = begins placed;
  honest_rows : seq_length (known_numbers segment) = record_rows (item_record placed);
  honest_ascends : StronglySorted N.le (known_numbers segment);
  honest_capped : Forall (fun row => row <= cap) (known_numbers segment);
}.

(** And of a sheet: the rows of each segment, whose steps fit the bits. *)
Definition honest_sheet (about : CertificateAbout) (items : list SheetItem) (segments : list KnownSegment) : Prop :=
  seq_length segments = seq_length items /\ about_cap about < 2 ^ about_bits about /\
  forall k, k < seq_length items -> honest_segment (about_cap about) (seq_at items k) (seq_at segments k).

Lemma sorted_at (rows : list N) (i j : N) : StronglySorted N.le rows -> i <= j -> j < seq_length rows -> seq_at rows i <= seq_at rows j.
Proof.
  intros S. revert i j. induction S as [| row rows S IH below]; intros i j L B; [unfold seq_length in B; cbn in B; lia |].
  rewrite seq_length_cons in B. destruct (N.eq_dec i 0) as [-> | I].
  - rewrite seq_at_zero. destruct (N.eq_dec j 0) as [-> | J]; [rewrite seq_at_zero; lia |].
    replace j with (j - 1 + 1) by lia. rewrite seq_at_succ. rewrite Forall_forall in below. apply below, seq_at_in. lia.
  - replace i with (i - 1 + 1) by lia. replace j with (j - 1 + 1) by lia. rewrite !seq_at_succ. apply IH; lia.
Qed.

Section Segment.

Variables (cap : N) (placed : SheetItem) (segment : KnownSegment).
Hypothesis honest : honest_segment cap placed segment.

Lemma number_inside (i : N) : begins placed <= i < ends placed -> number_at segment i = seq_at (known_numbers segment) (i - begins placed).
Proof.
  intros L. unfold number_at. rewrite (honest_first _ _ _ honest), (honest_rows _ _ _ honest). unfold begins, ends in *.
  destruct (N.leb_spec (record_first (item_record placed)) i); [| lia].
  destruct (N.ltb_spec (i - record_first (item_record placed)) (record_rows (item_record placed))); [reflexivity | lia].
Qed.

Lemma number_outside (i : N) : i < begins placed \/ ends placed <= i -> number_at segment i = 0.
Proof.
  intros L. unfold number_at. rewrite (honest_first _ _ _ honest), (honest_rows _ _ _ honest). unfold begins, ends in *.
  destruct (N.leb_spec (record_first (item_record placed)) i); [| reflexivity].
  destruct (N.ltb_spec (i - record_first (item_record placed)) (record_rows (item_record placed))); [lia | reflexivity].
Qed.

Lemma number_capped (i : N) : number_at segment i <= cap.
Proof.
  destruct (N.lt_ge_cases i (begins placed)) as [B | B]; [rewrite number_outside by lia; lia |].
  destruct (N.lt_ge_cases i (ends placed)) as [B' | B']; [| rewrite number_outside by lia; lia].
  rewrite number_inside by lia. pose proof (honest_capped _ _ _ honest) as C. rewrite Forall_forall in C. apply C, seq_at_in.
  rewrite (honest_rows _ _ _ honest). unfold begins, ends in *. lia.
Qed.

Lemma cap_at_is (i : N) : cap_at segment cap i = if ends placed =? i + 1 then cap else 0.
Proof. unfold cap_at. now rewrite (honest_first _ _ _ honest), (honest_rows _ _ _ honest). Qed.

(** The step from a position to the next: nothing is cut off. *)
Lemma segment_step_exact (i : N) : begins placed < ends placed ->
  number_at segment i + segment_step segment cap i = number_at segment (i + 1) + cap_at segment cap i.
Proof.
  intros some. enough (number_at segment i <= number_at segment (i + 1) + cap_at segment cap i).
  { unfold segment_step. cbv zeta. rewrite (proj2 (N.leb_le _ _)) by assumption. lia. }
  rewrite cap_at_is. destruct (N.eqb_spec (ends placed) (i + 1)) as [E | E]; [pose proof (number_capped i); lia |].
  destruct (N.lt_ge_cases i (begins placed)) as [B | B]; [rewrite number_outside by lia; lia |].
  destruct (N.lt_ge_cases (i + 1) (ends placed)) as [B' | B']; [| rewrite (number_outside i) by lia; lia].
  rewrite !number_inside by lia. etransitivity; [| apply N.le_add_r]. apply sorted_at; [exact (honest_ascends _ _ _ honest) | lia |].
  rewrite (honest_rows _ _ _ honest). unfold begins, ends in *. lia.
Qed.

Lemma segment_step_capped (i : N) : segment_step segment cap i <= cap.
Proof.
  unfold segment_step. cbv zeta. rewrite cap_at_is. pose proof (number_capped (i + 1)) as C.
  destruct (N.eqb_spec (ends placed) (i + 1)) as [E | E]; [rewrite (number_outside (i + 1)) by lia |]; destruct (_ <=? _); lia.
Qed.

Lemma segment_step_outside (i : N) : begins placed < ends placed -> i + 1 < begins placed \/ ends placed <= i -> segment_step segment cap i = 0.
Proof.
  intros some L. unfold segment_step. cbv zeta. rewrite cap_at_is, !number_outside by lia.
  destruct (N.eqb_spec (ends placed) (i + 1)); [lia |]. reflexivity.
Qed.

End Segment.

End Rows.

(** ** Polynomials *)

Section Sheet.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

Variables (about : CertificateAbout) (items : list SheetItem) (segments : list KnownSegment) (masks : CertificateMasks).

Let n : N := sheet_size (sheet_log items).
Let bits : N := about_bits about.
Let moments : N := about_moments about.
Let guard : N := guard_position n.
Let point (i : N) : Scalar := domain_point n i.
Let segment (k : N) : KnownSegment := seq_at segments k.

(** Under the commitments of an honest sheet, and under the points of its certificate's first message: tau is not looked at. *)
Definition honest_polynomials : SheetPolynomials :=
  {| values_under := fun k => interpolation (root_of_unity n) n (values_element n (segment k));
     sums_under := fun p k => interpolation (root_of_unity n) n (sums_element n (segment k) (p + 1)) |}.
Definition honest_masks : MaskPolynomials :=
  {| bits_under := fun j => interpolation (root_of_unity n) n (bit_element n segments (about_cap about) masks j);
     values_mask_under := mask_polynomial (masks_values masks) 0;
     sums_mask_under := mask_polynomial (masks_sums masks) 0 |}.
Let sheet : SheetPolynomials := honest_polynomials.
Let known : MaskPolynomials := honest_masks.

Hypothesis legal : sheet_legal (sheet_log items) moments items = true.
Hypothesis honest : honest_sheet about items segments.

Let parts : legal_parts about items := sheet_legal_parts about items legal.

Lemma size_facts : 8 <= n /\ n <= 2048 /\ 3 <= n /\ 4 <= n /\ 4096 mod n = 0 /\ guard = n - 3 /\ mask_position n = n - 2.
Proof.
  pose proof (large about items parts) as L. fold n in L. pose proof (divides about items parts) as D. fold n in D.
  pose proof (guard_place about items parts) as G. fold n in G. destruct (legal_log _ _ parts) as [A B].
  destruct (size_of_log _ A B) as (_ & S & _). fold n in S. unfold mask_position. destruct (N.leb_spec 2 n); [| lia].
  unfold guard. repeat split; lia || assumption.
Qed.

Lemma many_segments : seq_length segments = seq_length items.
Proof. apply honest. Qed.

Lemma segment_honest (k : N) : k < seq_length items -> honest_segment (about_cap about) (seq_at items k) (segment k).
Proof. apply honest. Qed.

Lemma segment_laid (k : N) : k < seq_length items ->
  1 <= begins (seq_at items k) /\ begins (seq_at items k) < ends (seq_at items k) /\ ends (seq_at items k) <= guard.
Proof. exact (laid_each about items parts k). Qed.

(** ** On the domain *)

Lemma value_on (k i : N) : i <= guard -> sheet_value items sheet k i = scalar_of_N (number_at (segment k) i).
Proof.
  intros L. destruct size_facts as (_ & _ & _ & B & D & G & M). unfold sheet_value. cbn [sheet honest_polynomials values_under]. fold n.
  rewrite (interpolated_at n B D) by lia. unfold values_element. rewrite M. destruct (N.leb_spec (n - 2) i); [lia | reflexivity].
Qed.

Lemma sum_on (p k i : N) : i <= guard -> sheet_sum items sheet p k i = suffix_sum n (segment k) i (p + 1).
Proof.
  intros L. destruct size_facts as (_ & _ & _ & B & D & G & M). unfold sheet_sum. cbn [sheet honest_polynomials sums_under]. fold n.
  rewrite (interpolated_at n B D) by lia. unfold sums_element. rewrite M. destruct (N.leb_spec (n - 2) i); [lia | reflexivity].
Qed.

Lemma bit_on (j i : N) : i <= guard ->
  sheet_bit items known j i = scalar_of_N (halved (order_step segments (about_cap about) i) j mod 2).
Proof.
  intros L. destruct size_facts as (_ & _ & _ & B & D & G & M). unfold sheet_bit. cbn [known honest_masks bits_under]. fold n.
  rewrite (interpolated_at n B D) by lia. unfold bit_element. rewrite M. destruct (N.leb_spec (n - 2) i); [lia | reflexivity].
Qed.

Lemma order_step_sum (i : N) : order_step segments (about_cap about) i
  = number_sum (fun k => segment_step (segment k) (about_cap about) i) (seq_length items).
Proof. unfold order_step. rewrite many_segments. reflexivity. Qed.

Lemma order_step_small (i : N) : order_step segments (about_cap about) i < 2 ^ bits.
Proof.
  rewrite order_step_sum. apply N.le_lt_trans with (about_cap about); [| apply honest]. apply number_sum_single.
  - intros k K. apply (segment_step_capped _ (seq_at items k)). now apply segment_honest.
  - intros k k' K K' D. pose proof (segment_laid k K) as L. pose proof (segment_laid k' K') as L'.
    assert (outside : (i + 1 < begins (seq_at items k) \/ ends (seq_at items k) <= i) \/ i + 1 < begins (seq_at items k') \/ ends (seq_at items k') <= i).
    { pose proof (laid_apart about items parts k k' K K' D) as A. unfold behind_of, first_of in A. lia. }
    destruct outside as [O | O]; [left | right].
    + apply (segment_step_outside (about_cap about) (seq_at items k)); [now apply segment_honest | lia | exact O].
    + apply (segment_step_outside (about_cap about) (seq_at items k')); [now apply segment_honest | lia | exact O].
Qed.

Lemma all_on (i : N) : i <= guard -> all_values (seq_length items) (sheet_value items sheet) i
  = sum (fun k => scalar_of_N (number_at (segment k) i)) (seq_length items).
Proof. intros L. apply sum_ext. intros k _. now apply value_on. Qed.

(** Where a segment has a row no other has one. *)
Lemma all_at_row (k i : N) : k < seq_length items -> i <= guard -> begins (seq_at items k) <= i < ends (seq_at items k) ->
  all_values (seq_length items) (sheet_value items sheet) i = scalar_of_N (number_at (segment k) i).
Proof.
  intros K L R. rewrite all_on by exact L. rewrite (sum_single _ _ k K); [reflexivity |]. intros k' K' D.
  rewrite (number_outside _ _ _ (segment_honest k' K')); [reflexivity |].
  pose proof (laid_apart about items parts k k' K K' (not_eq_sym D)) as A. unfold behind_of, first_of in A. lia.
Qed.

Lemma suffix_step (k i power : N) : i <= guard ->
  suffix_sum n (segment k) i power = scalar_pow (scalar_of_N (number_at (segment k) i)) power [+] suffix_sum n (segment k) (i + 1) power.
Proof.
  intros L. destruct size_facts as (S8 & _ & _ & _ & _ & G & M). unfold suffix_sum. rewrite M, range_first by lia. cbn [fold_left].
  assert (general : forall l a, fold_left (fun total i => suffix_sum_step total (segment k) i power) l a
    = a [+] fold_left (fun total i => suffix_sum_step total (segment k) i power) l (scalar_of_N 0)).
  { induction l as [| j l IH]; intros a; cbn [fold_left]; [ring |]. rewrite IH, (IH (suffix_sum_step (scalar_of_N 0) _ _ _)).
    unfold suffix_sum_step. ring. }
  rewrite general. change (suffix_sum_step scalar_zero (segment k) i power)
    with (scalar_of_N 0 [+] scalar_pow (scalar_of_N (number_at (segment k) i)) power). change scalar_zero with (scalar_of_N 0). ring.
Qed.

Theorem honest_related : sheet_related about items sheet known.
Proof.
  destruct size_facts as (S8 & _ & S3 & S4 & D & G & M). split; fold n moments bits guard.
  - intros j i J L. rewrite bit_on by exact L. apply bit_is_one.
  - intros i L.
    assert (steps : step_at bits (sheet_bit items known) i = scalar_of_N (order_step segments (about_cap about) i)).
    { unfold step_at. rewrite (sum_ext _ (fun j => scalar_of_N (2 ^ j) [*] scalar_of_N (halved (order_step segments (about_cap about) i) j mod 2))).
      - apply bits_write, order_step_small.
      - intros j J. now rewrite bit_on. }
    rewrite steps, (all_on i L).
    replace (unguarded_at guard i [*] all_values (seq_length items) (sheet_value items sheet) (i + 1))
      with (sum (fun k => scalar_of_N (number_at (segment k) (i + 1))) (seq_length items)).
    2: { unfold unguarded_at. destruct (N.eqb_spec i guard) as [E | E].
      - rewrite sum_all_zero; [ring |]. intros k K. rewrite (number_outside _ _ _ (segment_honest k K)); [reflexivity |].
        pose proof (segment_laid k K). lia.
      - rewrite (all_on (i + 1)) by lia. ring. }
    replace (scalar_of_N (about_cap about) [*] last_at (seq_length items) (behind_of items) i)
      with (sum (fun k => scalar_of_N (cap_at (segment k) (about_cap about) i)) (seq_length items)).
    2: { unfold last_at. rewrite <- sum_scale. apply sum_ext. intros k K. pose proof (segment_laid k K) as B.
      rewrite (cap_at_is _ _ _ (segment_honest k K)). unfold behind_of.
      destruct (N.eqb_spec (ends (seq_at items k)) (i + 1)), (N.eqb_spec i (ends (seq_at items k) - 1)); lia || ring. }
    assert (exact_steps : sum (fun k => scalar_of_N (number_at (segment k) i)) (seq_length items) [+] scalar_of_N (order_step segments (about_cap about) i)
      = sum (fun k => scalar_of_N (number_at (segment k) (i + 1))) (seq_length items)
        [+] sum (fun k => scalar_of_N (cap_at (segment k) (about_cap about) i)) (seq_length items)).
    { rewrite order_step_sum, scalar_of_number_sum, <- !sum_add. apply sum_ext. intros k K.
      rewrite <- !scalar_of_N_add. f_equal. apply (segment_step_exact _ (seq_at items k)); [now apply segment_honest |].
      pose proof (segment_laid k K). lia. }
    apply scalar_sub_zero. apply (proj2 (scalar_sub_zero _ _)) in exact_steps.
    apply scalar_sub_zero. etransitivity; [| etransitivity; [exact (f_equal (fun x => scalar_of_N 0 [-] x) exact_steps) |]]; ring.
  - intros k i K L. destruct (is_row (first_of items) (behind_of items) k i) eqn:R.
    + apply is_row_iff in R. rewrite (all_at_row k i K L R), (value_on k i L). ring.
    + rewrite value_on by exact L. apply not_true_iff_false in R. rewrite is_row_iff in R. unfold first_of, behind_of in R.
      rewrite (number_outside _ _ _ (segment_honest k K)) by lia. ring.
  - intros p k i P K L. rewrite (sum_on p k i L), (suffix_step k i (p + 1) L), value_on by exact L.
    assert (above : unguarded_at guard i [*] sheet_sum items sheet p k (i + 1) = suffix_sum n (segment k) (i + 1) (p + 1)).
    { unfold unguarded_at. destruct (N.eqb_spec i guard) as [E | E].
      - unfold suffix_sum. rewrite M, range_empty by lia. cbn [fold_left]. change scalar_zero with (scalar_of_N 0). ring.
      - rewrite sum_on by lia. ring. }
    rewrite above. rewrite scalar_pow_succ.
    destruct (is_row (first_of items) (behind_of items) k i) eqn:R.
    + apply is_row_iff in R. rewrite (all_at_row k i K L R). ring.
    + apply not_true_iff_false in R. rewrite is_row_iff in R. unfold first_of, behind_of in R.
      rewrite (number_outside _ _ _ (segment_honest k K)) by lia. change (scalar_of_N 0) with (scalar_of_N 0). ring.
Qed.

End Sheet.
