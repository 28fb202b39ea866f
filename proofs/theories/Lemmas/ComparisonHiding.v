(** That comparisons hide rows: for any two lists of segments under the same commitments, a bijection between the masks of a comparison
    under which it is the same.

    A row's mask of three coefficients makes up for differences at κ_k ζ and at κ_k τ, and keeps its value at τ; the two masks of a bit
    make up for differences at τ and ζ.

    - [comparison_same]: under the moved masks the other segments have the same comparison;
    - [comparison_moved_back]: moving is a bijection. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening Table.DomainValues
  Table.KnownPoints Table.KnownSegment Table.RunRecord Table.Sheet Table.CertificateProver Table.Comparison Table.ComparisonProver.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Table.DomainValues Lemmas.Hiding.
Import ListNotations.
Local Open Scope N_scope.

Section ComparisonHiding.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** The trapdoor, the bits of a difference, the compared rows, and the challenges. *)
Variables (tau : Scalar) (bits : N) (items : list ComparedRow) (drawn : ComparisonChallenges).
Let n : N := comparison_size (seq_length items).
Let zeta : Scalar := compared_zeta drawn.

(** The size of the domain of item k, and κ_k x. *)
Definition item_domain (k : N) : N := sheet_size (record_log (compared_record (seq_at items k))).
Definition item_place (k : N) (x : Scalar) : Scalar := relocated_point n (seq_at items k) k x.

(** ** The bijection *)

Definition bare_comparison : ComparisonMasks := {| compared_bit_masks := []; compared_row_masks := [] |}.
Definition difference_bit (segments : list KnownSegment) (j : N) (x : Scalar) : Scalar :=
  vector_value n (compared_bit_vector items segments bare_comparison j) x.

Definition compared_bit_nudge (segments targets : list KnownSegment) (i : N) : Scalar :=
  let j := i / 2 in
  let at_tau := difference_bit segments j tau [-] difference_bit targets j tau in
  let at_zeta := difference_bit segments j zeta [-] difference_bit targets j zeta in
  let determinant := first_mask_value n tau [*] second_mask_value n zeta [-] first_mask_value n zeta [*] second_mask_value n tau in
  scalar_inv determinant [*]
  (if i mod 2 =? 0 then at_tau [*] second_mask_value n zeta [-] at_zeta [*] second_mask_value n tau
   else first_mask_value n tau [*] at_zeta [-] first_mask_value n zeta [*] at_tau).

(** What is added to the mask of row k is (X - τ) (a + b (X - κ_k ζ)). *)
Definition row_gap (segments targets : list KnownSegment) (k : N) (point : Scalar) : Scalar :=
  (values_at (item_domain k) (seq_at segments k) point [-] values_at (item_domain k) (seq_at targets k) point) [*]
  scalar_inv (rows_vanishing (item_domain k) point [*] (point [-] tau)).
Definition row_slope (segments targets : list KnownSegment) (k : N) : Scalar :=
  if item_place k tau [=?] tau then scalar_of_N 0
  else (row_gap segments targets k (item_place k tau) [-] row_gap segments targets k (item_place k zeta)) [*]
    scalar_inv (item_place k tau [-] item_place k zeta).
Definition compared_row_nudge (segments targets : list KnownSegment) (i : N) : Scalar :=
  let k := i / 3 in
  let a := row_gap segments targets k (item_place k zeta) in
  let b := row_slope segments targets k in
  if i mod 3 =? 0 then tau [*] (b [*] item_place k zeta [-] a)
  else if i mod 3 =? 1 then a [-] b [*] item_place k zeta [-] b [*] tau else b.

(** The masks under which the targets show what the segments do under the others. *)
Definition moved_comparison (segments targets : list KnownSegment) (masks : ComparisonMasks) : ComparisonMasks :=
  {| compared_bit_masks := nudged (compared_bit_masks masks) (compared_bit_nudge segments targets) (2 * bits);
     compared_row_masks := nudged (compared_row_masks masks) (compared_row_nudge segments targets) (3 * seq_length items) |}.

(** As many masks as a comparison of so many rows has. *)
Definition comparison_shaped (masks : ComparisonMasks) : Prop :=
  seq_length (compared_bit_masks masks) = 2 * bits /\ seq_length (compared_row_masks masks) = 3 * seq_length items.

(** ** Which challenges it is not for *)

(** ζ is a point of the comparison's domain, or τ; or for a row κ_k ζ or κ_k τ is one of its segment's, or κ_k ζ is τ or κ_k τ. *)
Definition comparison_hiding_counted : bool :=
  on_domain n zeta || (zeta [=?] tau) ||
  existsb (fun k => on_domain (item_domain k) (item_place k zeta) || on_domain (item_domain k) (item_place k tau) ||
    (item_place k zeta [=?] tau) || (item_place k tau [=?] item_place k zeta)) (range 0 (seq_length items)).

Hypothesis size_legal : 4 <= n /\ 4096 mod n = 0.
Hypothesis sizes_legal : forall k, k < seq_length items -> 4 <= item_domain k /\ 4096 mod item_domain k = 0.
Hypothesis tau_off : on_domain n tau = false.
Hypothesis fine : comparison_hiding_counted = false.

Lemma fine_comparison : on_domain n zeta = false /\ zeta <> tau.
Proof.
  pose proof fine as off. unfold comparison_hiding_counted in off. apply orb_false_iff in off as [off _]. apply orb_false_iff in off as [off same].
  split; [exact off|]. intros E. apply scalar_eqb_iff in E. congruence.
Qed.

Lemma fine_item (k : N) : k < seq_length items ->
  on_domain (item_domain k) (item_place k zeta) = false /\ on_domain (item_domain k) (item_place k tau) = false /\
  item_place k zeta <> tau /\ item_place k tau <> item_place k zeta.
Proof.
  intros K. pose proof fine as off. unfold comparison_hiding_counted in off. apply orb_false_iff in off as [_ off].
  assert (here : on_domain (item_domain k) (item_place k zeta) || on_domain (item_domain k) (item_place k tau) ||
    (item_place k zeta [=?] tau) || (item_place k tau [=?] item_place k zeta) = false).
  { apply not_true_iff_false. intros E. apply not_true_iff_false in off. apply off. apply existsb_exists. exists k. split; [apply range_in; lia|exact E]. }
  repeat (apply orb_false_iff in here as [here ?]). repeat split; try assumption; intros E; apply scalar_eqb_iff in E; congruence.
Qed.

(** ** What shows *)

Variables (segments targets : list KnownSegment) (masks : ComparisonMasks).
Hypothesis segments_many : seq_length segments = seq_length items.
Hypothesis targets_many : seq_length targets = seq_length items.
Let masks' : ComparisonMasks := moved_comparison segments targets masks.

Lemma compared_bit_split (l : list KnownSegment) (m : ComparisonMasks) (j : N) (x : Scalar) :
  vector_value n (compared_bit_vector items l m j) x = difference_bit l j x
  [+] scalar_at (compared_bit_masks m) (2 * j) [*] first_mask_value n x [+] scalar_at (compared_bit_masks m) (2 * j + 1) [*] second_mask_value n x.
Proof.
  destruct size_legal as [B D]. unfold difference_bit, compared_bit_vector, compared_bit_vector_step. fold n.
  rewrite (fold_range_append (compared_bit_element items l m j) 0 n []), (fold_range_append (compared_bit_element items l bare_comparison j) 0 n []).
  cbn [app]. rewrite (vector_split n B D _ (compared_bit_element items l bare_comparison j)).
  - unfold compared_bit_element at 2 3 4 5. cbv zeta. fold n. rewrite (mask_place n B D), !(proj2 (N.leb_le _ _)) by lia.
    cbn [bare_comparison compared_bit_masks]. rewrite !zero_masks.
    replace (n - 2 - (n - 2)) with 0 by lia. replace (n - 1 - (n - 2)) with 1 by lia. rewrite N.add_0_r. ring.
  - intros i I. unfold compared_bit_element. cbv zeta. fold n. rewrite (mask_place n B D). destruct (N.leb_spec (n - 2) i); [lia|reflexivity].
Qed.

Lemma compared_bits_same (x : Scalar) : x = tau \/ x = zeta -> compared_bits_at bits items targets masks' x = compared_bits_at bits items segments masks x.
Proof.
  intros X. unfold compared_bits_at, compared_bits_at_step. cbv zeta. fold n. rewrite !(fold_range_append _ 0 bits []). cbn [app]. apply map_ext_in.
  intros j J. apply range_in in J. rewrite !compared_bit_split. unfold masks'. cbn [moved_comparison compared_bit_masks]. rewrite !nudged_at by lia.
  destruct size_legal as [B D]. destruct fine_comparison as [Z ZT]. pose proof (determinant_nonzero n B D tau tau_off zeta Z ZT) as nonzero.
  unfold compared_bit_nudge. cbv zeta. destruct (even_half j) as [-> ->], (odd_half j) as [-> ->].
  cbn [N.eqb Pos.eqb]. destruct X as [-> | ->]; field; exact nonzero.
Qed.

Lemma third (k m : N) : m < 3 -> (3 * k + m) mod 3 = m /\ (3 * k + m) / 3 = k.
Proof.
  intros M. rewrite N.mul_comm, N.add_comm. split; [rewrite N.mod_add by discriminate; now apply N.mod_small|].
  rewrite N.div_add by discriminate. rewrite N.div_small by exact M. apply N.add_0_l.
Qed.

Lemma compared_mask_moved (k : N) (x : Scalar) : k < seq_length items -> compared_mask_at masks' k x = compared_mask_at masks k x
  [+] (x [-] tau) [*] (row_gap segments targets k (item_place k zeta) [+] row_slope segments targets k [*] (x [-] item_place k zeta)).
Proof.
  intros K. unfold compared_mask_at. cbv zeta. unfold masks'. cbn [moved_comparison compared_row_masks]. rewrite <- (N.add_0_r (3 * k)) at 1 4.
  rewrite !nudged_at by lia. unfold compared_row_nudge. cbv zeta.
  destruct (third k 0 ltac:(lia)) as [-> ->], (third k 1 ltac:(lia)) as [-> ->], (third k 2 ltac:(lia)) as [-> ->]. cbn [N.eqb Pos.eqb]. rewrite N.add_0_r. ring.
Qed.

(** The segments are under the same commitments. *)
Hypothesis committed : forall k, k < seq_length items -> values_at (item_domain k) (seq_at targets k) tau = values_at (item_domain k) (seq_at segments k) tau.

Lemma compared_value_same (k : N) (x : Scalar) : k < seq_length items -> x = tau \/ x = zeta ->
  compared_value_at (seq_at items k) (seq_at targets k) masks' k (item_place k x)
  = compared_value_at (seq_at items k) (seq_at segments k) masks k (item_place k x).
Proof.
  intros K X. destruct (fine_item k K) as (Z & T & ZT & TZ). destruct (sizes_legal k K) as [B D]. unfold compared_value_at. cbv zeta. fold (item_domain k).
  rewrite compared_mask_moved by exact K. unfold row_slope.
  pose proof (scalar_sub_nonzero _ _ ZT) as zt. pose proof (vanishing_nonzero (item_domain k) B D (item_place k zeta) Z) as vz.
  destruct X as [-> | ->].
  - destruct (item_place k tau [=?] tau) eqn:E.
    + apply scalar_eqb_iff in E. rewrite E, (committed k K). ring.
    + assert (TT : item_place k tau <> tau) by (intros E'; apply scalar_eqb_iff in E'; congruence).
      pose proof (scalar_sub_nonzero _ _ TT) as tt. pose proof (scalar_sub_nonzero _ _ TZ) as tz.
      pose proof (vanishing_nonzero (item_domain k) B D (item_place k tau) T) as vt.
      set (y := item_place k zeta) in *. set (y' := item_place k tau) in *. set (a := row_gap segments targets k y).
      transitivity (values_at (item_domain k) (seq_at targets k) y' [+] rows_vanishing (item_domain k) y' [*]
        (compared_mask_at masks k y' [+] (y' [-] tau) [*] row_gap segments targets k y')); [field; exact tz|].
      unfold row_gap. field. split; assumption.
  - set (y := item_place k zeta) in *.
    transitivity (values_at (item_domain k) (seq_at targets k) y [+] rows_vanishing (item_domain k) y [*]
      (compared_mask_at masks k y [+] (y [-] tau) [*] row_gap segments targets k y)); [ring|].
    unfold row_gap. field. split; assumption.
Qed.

Lemma compared_values_same (x : Scalar) : x = tau \/ x = zeta -> compared_values_at items targets masks' x = compared_values_at items segments masks x.
Proof.
  intros X. unfold compared_values_at. apply fold_left_ext_in. intros values k I. apply range_in in I. unfold compared_values_at_step.
  rewrite segments_many, targets_many. destruct (k <? seq_length items); [|reflexivity]. cbv zeta. fold n. fold (item_place k x).
  now rewrite compared_value_same by (lia || exact X).
Qed.

Theorem comparison_same : unopened_comparison tau bits items targets masks' drawn = unopened_comparison tau bits items segments masks drawn.
Proof.
  unfold unopened_comparison. cbv zeta. fold zeta. unfold compared_quotient_at.
  rewrite (compared_bits_same tau), (compared_bits_same zeta), (compared_values_same tau), (compared_values_same zeta) by tauto.
  assert (R : compared_masks_at items masks' tau = compared_masks_at items masks tau).
  { unfold compared_masks_at. apply fold_left_ext_in. intros values k I. apply range_in in I. unfold compared_masks_at_step.
    rewrite compared_mask_moved by lia. do 3 f_equal. ring. }
  now rewrite R.
Qed.

Theorem comparison_moved_back : comparison_shaped masks -> comparison_shaped masks' /\ moved_comparison targets segments masks' = masks.
Proof.
  intros [Lb Lr]. split; [split; apply nudged_length|]. unfold moved_comparison.
  assert (eta : forall m, {| compared_bit_masks := compared_bit_masks m; compared_row_masks := compared_row_masks m |} = m) by (intros []; reflexivity).
  transitivity {| compared_bit_masks := compared_bit_masks masks; compared_row_masks := compared_row_masks masks |}; [|apply eta].
  unfold masks'. cbn [moved_comparison compared_bit_masks compared_row_masks]. f_equal; apply nudged_back; try assumption; intros i I.
  - unfold compared_bit_nudge. cbv zeta. destruct (i mod 2 =? 0); ring.
  - unfold compared_row_nudge, row_slope, row_gap. cbv zeta. destruct (item_place (i / 3) tau [=?] tau); destruct (i mod 3 =? 0); try destruct (i mod 3 =? 1); ring.
Qed.

End ComparisonHiding.
