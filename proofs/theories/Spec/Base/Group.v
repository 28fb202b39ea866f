(** The groups of the pairing.

    - [g1_ext], [g1_exponent_of]: an element is its exponent's multiple of the generator, and no two elements have one
      exponent. [group_solve] proves equations between elements of G1 that hold in every module over the scalars.
    - [group_exponents] replaces the exponent of what the group's operations make by scalar arithmetic.
    - [g1_equal_iff], [gt_equal_iff]: equality is decided.
    - [pairing_add], [pairing_scale], [pairing_nondegenerate]: the pairing is linear, and no identity for generators.
    - [pairings_equal_iff]: what the equation between two pairings says.
    - [g1_at_map], [g1_at_in], [g1_at_beyond], [g1_at_resized], [g1_at_updated], [g1_multiples_map]: the elements of sequences.
    - [g1_combination_exponent], [g1_combination_sum]: the combination of elements is a sum; [g1_total] is the sum of elements,
      [g1_total_exponent], [g1_total_add], [g1_total_scale], [g1_total_ext] its laws. *)

From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar.
Import ListNotations.
Local Open Scope N_scope.

(** In theories an element stands for its exponent where a scalar is wanted. *)
Coercion g1_exponent : G1 >-> Scalar.
Coercion g2_exponent : G2 >-> Scalar.
Coercion gt_exponent : GT >-> Scalar.

(** The exponent of an element that operations of the group make, in scalars. *)
Ltac group_exponents :=
  cbn [g1_exponent g2_exponent gt_exponent g1_identity g1_generator g1_add g1_subtract g1_scale g1_multiple
    g2_generator g2_multiple gt_identity gt_add gt_scale pairing] in *;
  unfold scalar_zero, scalar_one in *.

Section Group.

Context {F : ScalarOperations}.

Lemma g1_ext (a b : G1) : g1_exponent a = g1_exponent b -> a = b.
Proof. destruct a, b. simpl. now intros ->. Qed.

Lemma g1_ext_iff (a b : G1) : a = b <-> g1_exponent a = g1_exponent b.
Proof. split; [now intros -> | apply g1_ext]. Qed.

Lemma g2_ext (a b : G2) : g2_exponent a = g2_exponent b -> a = b.
Proof. destruct a, b. simpl. now intros ->. Qed.

Lemma gt_ext (a b : GT) : gt_exponent a = gt_exponent b -> a = b.
Proof. destruct a, b. simpl. now intros ->. Qed.

Lemma gt_ext_iff (a b : GT) : a = b <-> gt_exponent a = gt_exponent b.
Proof. split; [now intros -> | apply gt_ext]. Qed.

Context {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

Lemma g1_exponent_multiple (x : Scalar) : g1_exponent (g1_multiple x) = x.
Proof. reflexivity. Qed.

Lemma g2_exponent_multiple (x : Scalar) : g2_exponent (g2_multiple x) = x.
Proof. reflexivity. Qed.

(** It is what its name says. *)
Lemma g1_multiple_generator (x : Scalar) : g1_multiple x = g1_scale x g1_generator.
Proof. apply g1_ext. group_exponents. ring. Qed.

(** Every element is a multiple of the generator. *)
Lemma g1_exponent_of (a : G1) : a = g1_multiple (g1_exponent a).
Proof. apply g1_ext. now rewrite g1_exponent_multiple. Qed.

Lemma g1_equal_iff (a b : G1) : g1_equal a b = true <-> a = b.
Proof. unfold g1_equal. now rewrite scalar_eqb_iff, g1_ext_iff. Qed.

Lemma gt_equal_iff (a b : GT) : gt_equal a b = true <-> a = b.
Proof. unfold gt_equal. now rewrite scalar_eqb_iff, gt_ext_iff. Qed.

(** * The pairing *)

Lemma pairing_add (a b : G1) (c : G2) : pairing (g1_add a b) c = gt_add (pairing a c) (pairing b c).
Proof. apply gt_ext. group_exponents. ring. Qed.

Lemma pairing_scale (x : Scalar) (a : G1) (c : G2) : pairing (g1_scale x a) c = gt_scale x (pairing a c).
Proof. apply gt_ext. group_exponents. ring. Qed.

Lemma pairing_nondegenerate : pairing g1_generator g2_generator <> gt_identity.
Proof.
  intros E. apply gt_ext_iff in E. group_exponents. apply scalar_one_nonzero. rewrite <- E. ring.
Qed.

Lemma pairings_equal_iff (left right : G1) (key : G2) :
  pairings_equal left right key = true <-> g1_exponent left = g1_exponent right [*] g2_exponent key.
Proof.
  unfold pairings_equal. rewrite gt_equal_iff, gt_ext_iff. group_exponents.
  split; intros E; [rewrite <- E | rewrite E]; ring.
Qed.

(** * Elements of sequences *)

Lemma g1_at_in (s : list G1) (i : N) : i < seq_length s -> g1_at s i = seq_at s i.
Proof. intros L. unfold g1_at. now apply N.ltb_lt in L as ->. Qed.

Lemma g1_at_beyond (s : list G1) (i : N) : seq_length s <= i -> g1_at s i = g1_identity.
Proof. intros L. unfold g1_at. now apply N.ltb_ge in L as ->. Qed.

Lemma g1_at_map (f : N -> G1) (n i : N) : i < n -> g1_at (map f (range 0 n)) i = f i.
Proof.
  intros L. rewrite g1_at_in by (rewrite seq_length_map, seq_length_range; exact L). now apply nth_map_range.
Qed.

Lemma g1_resized_map (s : list G1) (count : N) : g1_resized s count = map (g1_at s) (range 0 count).
Proof. unfold g1_resized, g1_resized_step. now rewrite fold_range_append. Qed.

Lemma g1_resized_length (s : list G1) (count : N) : seq_length (g1_resized s count) = count.
Proof. now rewrite g1_resized_map, seq_length_map, seq_length_range. Qed.

Lemma g1_at_resized (s : list G1) (count i : N) :
  g1_at (g1_resized s count) i = if i <? count then g1_at s i else g1_identity.
Proof.
  destruct (N.ltb_spec i count) as [L | L].
  - rewrite g1_resized_map. now apply g1_at_map.
  - apply g1_at_beyond. now rewrite g1_resized_length.
Qed.

Lemma g1_updated_length (s : list G1) (j : N) (new : G1) : seq_length (g1_updated s j new) = seq_length s.
Proof.
  unfold g1_updated. destruct (N.ltb_spec j (seq_length s)) as [L | L]; [| reflexivity].
  rewrite !seq_length_app, !seq_slice_length by lia. change (seq_length [new]) with 1. lia.
Qed.

Lemma g1_at_updated (s : list G1) (j i : N) (new : G1) :
  j < seq_length s -> g1_at (g1_updated s j new) i = if i =? j then new else g1_at s i.
Proof.
  intros L. destruct (N.lt_ge_cases i (seq_length s)) as [Li | Li].
  2: { rewrite !g1_at_beyond by (rewrite ?g1_updated_length; lia). destruct (N.eqb_spec i j); [lia | reflexivity]. }
  rewrite !g1_at_in by (rewrite ?g1_updated_length; lia).
  unfold g1_updated. rewrite (proj2 (N.ltb_lt j _) L).
  assert (seq_length (seq_slice s 0 j) = j) as Lj by (apply seq_slice_length; lia).
  destruct (N.eqb_spec i j) as [-> | D].
  - rewrite seq_at_app_r by lia. rewrite Lj, N.sub_diag. reflexivity.
  - destruct (N.lt_ge_cases i j) as [B | B].
    + rewrite seq_at_app_l, seq_slice_at by lia. f_equal.
    + rewrite seq_at_app_r, Lj by lia. simpl app. replace (i - j) with (i - j - 1 + 1) by lia.
      rewrite seq_at_succ, seq_slice_at by lia. f_equal. lia.
Qed.

Lemma g1_multiples_map (s : list Scalar) : g1_multiples s = map g1_multiple s.
Proof.
  unfold g1_multiples, g1_multiples_step. rewrite (fold_range_elements (fun made x => made ++ [g1_multiple x])).
  now rewrite fold_append.
Qed.

Lemma g2_at_map (f : N -> G2) (n i : N) : i < n -> g2_at (map f (range 0 n)) i = f i.
Proof.
  intros L. unfold g2_at. rewrite seq_length_map, seq_length_range. rewrite (proj2 (N.ltb_lt i n) L).
  now apply nth_map_range.
Qed.

(** * Sums of elements *)

(** [f 0 + .. + f (n - 1)] *)
Definition g1_total (f : N -> G1) (n : N) : G1 :=
  fold_left (fun total i => g1_add total (f i)) (range 0 n) g1_identity.

Lemma g1_total_exponent (f : N -> G1) (n : N) : g1_exponent (g1_total f n) = sum (fun i => g1_exponent (f i)) n.
Proof.
  induction n as [| n IH] using N.peano_ind; [reflexivity |].
  rewrite <- N.add_1_r, sum_succ, <- IH. unfold g1_total. now rewrite range_last, fold_left_app by lia.
Qed.

Lemma g1_total_ext (f g : N -> G1) (n : N) : (forall i, i < n -> f i = g i) -> g1_total f n = g1_total g n.
Proof.
  intros E. apply g1_ext. rewrite !g1_total_exponent. apply sum_ext. intros i L. now rewrite E.
Qed.

Lemma g1_total_add (f g : N -> G1) (n : N) :
  g1_total (fun i => g1_add (f i) (g i)) n = g1_add (g1_total f n) (g1_total g n).
Proof. apply g1_ext. group_exponents. rewrite !g1_total_exponent. apply sum_add. Qed.

Lemma g1_total_scale (c : Scalar) (f : N -> G1) (n : N) :
  g1_total (fun i => g1_scale c (f i)) n = g1_scale c (g1_total f n).
Proof. apply g1_ext. group_exponents. rewrite !g1_total_exponent. apply sum_scale. Qed.

(** The combination of elements is the sum of their multiples. *)
Lemma g1_combination_sum (elements : list G1) (factors : list Scalar) :
  g1_combination elements factors
  = g1_total (fun i => g1_scale (scalar_at factors i) (g1_at elements i)) (seq_length elements).
Proof.
  apply fold_left_ext_in. intros total i I. apply range_in in I. unfold g1_combination_step.
  now rewrite <- (g1_at_in elements) by lia.
Qed.

Lemma g1_combination_exponent (elements : list G1) (factors : list Scalar) :
  g1_exponent (g1_combination elements factors)
  = sum (fun i => scalar_at factors i [*] g1_exponent (g1_at elements i)) (seq_length elements).
Proof. rewrite g1_combination_sum, g1_total_exponent. reflexivity. Qed.

(** Sums of factors are sums of combinations. *)
Lemma g1_combination_add (elements : list G1) (a b c : list Scalar) :
  (forall i, i < seq_length elements -> scalar_at c i = scalar_at a i [+] scalar_at b i) ->
  g1_combination elements c = g1_add (g1_combination elements a) (g1_combination elements b).
Proof.
  intros E. rewrite !g1_combination_sum, <- g1_total_add. apply g1_total_ext. intros i L. rewrite (E i L).
  apply g1_ext. group_exponents. ring.
Qed.

Lemma g1_combination_scale (elements : list G1) (x : Scalar) (a c : list Scalar) :
  (forall i, i < seq_length elements -> scalar_at c i = x [*] scalar_at a i) ->
  g1_combination elements c = g1_scale x (g1_combination elements a).
Proof.
  intros E. rewrite !g1_combination_sum, <- g1_total_scale. apply g1_total_ext. intros i L. rewrite (E i L).
  apply g1_ext. group_exponents. ring.
Qed.

End Group.

(** Equations between elements of G1. It wants [Add Field] for the scalars where it is used. *)
Ltac group_solve := apply g1_ext; group_exponents; ring.
