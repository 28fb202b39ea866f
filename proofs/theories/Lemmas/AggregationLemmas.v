(** Aggregation: counting, loops over the claims at an index, and the checks on indices. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Commitment.Opening
  Commitment.LibertYung.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Batch.
Import ListNotations.
Local Open Scope N_scope.

(** ** Counting *)

Lemma filter_length_monotone {A : Type} (keep keep' : A -> bool) (l : list A) :
  (forall x, In x l -> keep x = true -> keep' x = true) -> (length (filter keep l) <= length (filter keep' l))%nat.
Proof.
  intros implied. induction l as [| x l IH]; simpl; [lia |].
  specialize (IH (fun y member => implied y (or_intror member))). specialize (implied x (or_introl eq_refl)).
  destruct (keep x); [rewrite implied by reflexivity; simpl; lia |]. destruct (keep' x); simpl; lia.
Qed.

Lemma filter_product_length {A B : Type} (keep : A * B -> bool) (l : list A) (l' : list B) :
  length (filter keep (list_prod l l')) = list_sum (map (fun x => length (filter (fun y => keep (x, y)) l')) l).
Proof.
  induction l as [| x l IH]; [reflexivity |]. simpl. rewrite filter_app, app_length, IH, filter_map_length. reflexivity.
Qed.

Lemma list_sum_two_bounds {A : Type} (special : A -> bool) (f : A -> nat) (l : list A) (large small : nat) :
  (forall x, In x l -> (f x <= (if special x then large else 0) + small)%nat) ->
  (list_sum (map f l) <= length (filter special l) * large + length l * small)%nat.
Proof.
  intros bound. induction l as [| x l IH]; simpl; [lia |].
  specialize (IH (fun y member => bound y (or_intror member))). specialize (bound x (or_introl eq_refl)).
  unfold list_sum in *. destruct (special x); simpl; lia.
Qed.

Section Lemmas.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** ** Sums over the claims at an index *)

Definition sum_at (batch : list BatchClaim) (i : N) (f : N -> Scalar) : Scalar :=
  sum (fun j => if (seq_at batch j).(batch_index) =? i then f j else scalar_of_N 0) (seq_length batch).

Lemma loop_at (batch : list BatchClaim) (i : N) (f : N -> G1) :
  g1_exponent (fold_left (fun total j => if (seq_at batch j).(batch_index) =? i then g1_add total (f j) else total)
    (range 0 (seq_length batch)) g1_identity) = sum_at batch i (fun j => g1_exponent (f j)).
Proof.
  unfold sum_at. generalize (seq_length batch). intros n. induction n as [| n IH] using N.peano_ind; [reflexivity |].
  rewrite <- N.add_1_r, range_last, fold_left_app, sum_succ, <- IH by lia. cbn [fold_left].
  destruct (batch_index (seq_at batch n) =? i); [reflexivity | ring].
Qed.

Lemma target_loop_at (batch : list BatchClaim) (i : N) (f : N -> GT) :
  gt_exponent (fold_left (fun total j => if (seq_at batch j).(batch_index) =? i then gt_add total (f j) else total)
    (range 0 (seq_length batch)) gt_identity) = sum_at batch i (fun j => gt_exponent (f j)).
Proof.
  unfold sum_at. generalize (seq_length batch). intros n. induction n as [| n IH] using N.peano_ind; [reflexivity |].
  rewrite <- N.add_1_r, range_last, fold_left_app, sum_succ, <- IH by lia. cbn [fold_left].
  destruct (batch_index (seq_at batch n) =? i); [reflexivity | ring].
Qed.

Lemma sum_at_ext (batch : list BatchClaim) (i : N) (f g : N -> Scalar) :
  (forall j, j < seq_length batch -> (seq_at batch j).(batch_index) = i -> f j = g j) ->
  sum_at batch i f = sum_at batch i g.
Proof.
  intros same. apply sum_ext. intros j L. destruct (N.eqb_spec (batch_index (seq_at batch j)) i); [now apply same | reflexivity].
Qed.

Lemma sum_at_scale (batch : list BatchClaim) (i : N) (c : Scalar) (f : N -> Scalar) :
  sum_at batch i (fun j => c [*] f j) = c [*] sum_at batch i f.
Proof. unfold sum_at. rewrite <- sum_scale. apply sum_ext. intros j _. destruct (_ =? i); ring. Qed.

Lemma sum_at_sub (batch : list BatchClaim) (i : N) (f g : N -> Scalar) :
  sum_at batch i (fun j => f j [-] g j) = sum_at batch i f [-] sum_at batch i g.
Proof.
  transitivity (sum_at batch i f [+] (scalar_of_N 0 [-] scalar_of_N 1) [*] sum_at batch i g); [| ring].
  rewrite <- sum_at_scale. unfold sum_at. rewrite <- sum_add. apply sum_ext. intros j _. destruct (_ =? i); ring.
Qed.

(** A loop that adds up two sides, each term times its coefficient. *)
Lemma two_sums (left_of right_of : N -> G1) (n : N) :
  fold_left (fun sums k =>
      {| sum_left := g1_add sums.(sum_left) (left_of k); sum_right := g1_add sums.(sum_right) (right_of k) |})
    (range 0 n) empty_sum = {| sum_left := g1_total left_of n; sum_right := g1_total right_of n |}.
Proof.
  induction n as [| n IH] using N.peano_ind; [reflexivity |]. unfold g1_total.
  now rewrite <- N.add_1_r, range_last, !fold_left_app, IH by lia.
Qed.

Lemma two_expected_sums (left_of : N -> G1) (right_of : N -> GT) (n : N) :
  let sums := fold_left (fun sums k =>
      {| sum_openings := g1_add sums.(sum_openings) (left_of k); sum_expected := gt_add sums.(sum_expected) (right_of k) |})
    (range 0 n) empty_expected_sum in
  g1_exponent sums.(sum_openings) = sum (fun k => g1_exponent (left_of k)) n /\
  gt_exponent sums.(sum_expected) = sum (fun k => gt_exponent (right_of k)) n.
Proof.
  cbv zeta. induction n as [| n [IHl IHr]] using N.peano_ind; [now split |].
  rewrite <- N.add_1_r, range_last, fold_left_app, !sum_succ by lia. cbn [fold_left sum_openings sum_expected].
  group_exponents. rewrite IHl, IHr. now split.
Qed.

Lemma combination_extended (errors : N -> Scalar) (coefficients : list Scalar) (n m : N) :
  n <= m ->
  combination (fun k => if k <? n then errors k else scalar_of_N 0) coefficients m = combination errors coefficients n.
Proof.
  intros L. unfold combination. induction m as [| m IH] using N.peano_ind.
  - now replace n with 0 by lia.
  - rewrite <- N.add_1_r in *. rewrite sum_succ. destruct (N.eq_dec n (m + 1)) as [-> | D].
    + rewrite sum_succ. replace (m <? m + 1) with true by (symmetry; apply N.ltb_lt; lia). f_equal.
      apply sum_ext. intros k Lk. replace (k <? m + 1) with true by (symmetry; apply N.ltb_lt; lia). reflexivity.
    + rewrite IH by lia. replace (m <? n) with false by (symmetry; apply N.ltb_ge; lia). ring.
Qed.

(** ** Points and indices *)

Lemma has_index_found (points : list AggregatedOpening) (i : N) :
  has_index points i = true -> exists point, find (fun p => aggregated_index p =? i) points = Some point.
Proof.
  unfold has_index. rewrite (fold_range_elements (fun found point => has_index_step found point i)).
  assert (general : forall found, fold_left (fun found point => has_index_step found point i) points found = true ->
    found = true \/ exists point, find (fun p => aggregated_index p =? i) points = Some point).
  { induction points as [| point points IH]; intros found E; [now left |].
    simpl in *. apply IH in E. unfold has_index_step in E.
    destruct (aggregated_index point =? i); [right; now exists point |].
    rewrite orb_false_r in E. exact E. }
  intros E. destruct (general false E) as [? | found]; [discriminate | exact found].
Qed.

Lemma indices_served_at (batch : list BatchClaim) (points : list AggregatedOpening) (j : N) :
  indices_served batch points = true -> j < seq_length batch ->
  has_index points (batch_index (seq_at batch j)) = true.
Proof.
  unfold indices_served. rewrite (fold_range_elements (fun served claim => indices_served_step served points claim)).
  intros E L. pose proof (seq_at_in batch j L) as member. revert E member. generalize (seq_at batch j). intros claim.
  assert (general : forall served, fold_left (fun served claim => indices_served_step served points claim) batch served
    = true -> served = true /\ forall claim, In claim batch -> has_index points (batch_index claim) = true).
  { clear L. induction batch as [| first batch IH]; intros served E; [split; [exact E | intros ? []] |].
    simpl in E. apply IH in E. unfold indices_served_step in E. rewrite andb_true_iff in E.
    destruct E as [[-> has] rest]. split; [reflexivity |]. intros other [<- | member]; auto. }
  intros E member. now apply (general true).
Qed.

End Lemmas.
