(** What the commitments of a whole array are, and how writes move them. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Scheme Dictionary.Writes Dictionary.Vectors
  Dictionary.Window.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas Lemmas.DictionaryLemmas
  Spec.Dictionary.Writes
  Spec.Base.Group.
Import ListNotations.
Local Open Scope N_scope.

(** ** Vectors and positions *)

Lemma below_vector_count : forall v s n, 1 <= n -> (v < vector_count s n <-> v * n < s).
Proof.
  intros v s n Hn. unfold vector_count. split; intros H.
  - assert (n * ((s + n - 1) / n) <= s + n - 1) by (apply N.mul_div_le; lia). nia.
  - apply N.lt_le_trans with (v + 1); [lia|]. apply N.div_le_lower_bound; [lia|]. nia.
Qed.

Lemma position_split : forall p n, 1 <= n -> p = vector_of p n * n + index_of p n /\ index_of p n < n.
Proof.
  intros p n Hn. unfold vector_of, index_of. split; [|apply N.mod_lt; lia].
  pose proof (N.div_mod' p n). rewrite N.mul_comm. exact H.
Qed.

Lemma vector_of_position : forall v j n, j < n -> vector_of (v * n + j) n = v.
Proof. intros v j n H. unfold vector_of. rewrite N.add_comm, N.div_add by lia. rewrite N.div_small by assumption. reflexivity. Qed.

Lemma index_of_position : forall v j n, j < n -> index_of (v * n + j) n = j.
Proof. intros v j n H. unfold index_of. rewrite N.add_comm, N.mod_add by lia. apply N.mod_small. assumption. Qed.

(** A loop that appends one element a turn. *)
Lemma fold_left_append : forall A B (f : A -> B) (l : list A) (start : list B),
  fold_left (fun acc x => acc ++ [f x]) l start = start ++ map f l.
Proof.
  intros A B f l. induction l as [|x l IH]; intros start; cbn [fold_left map]; [rewrite app_nil_r; reflexivity|].
  rewrite IH, <- app_assoc. reflexivity.
Qed.

Lemma seq_length_map : forall A B (f : A -> B) l, seq_length (map f l) = seq_length l.
Proof. intros. unfold seq_length. rewrite map_length. reflexivity. Qed.

Lemma seq_length_range : forall from to, seq_length (range from to) = to - from.
Proof. intros. unfold seq_length, range. rewrite map_length, List.seq_length. lia. Qed.

Lemma seq_at_map : forall A B (D : Default A) (E : Default B) (f : A -> B) l i,
  i < seq_length l -> seq_at (map f l) i = f (seq_at l i).
Proof.
  intros A B D E f l i H. unfold seq_at, seq_length in *. rewrite (nth_indep _ _ (f default)) by (rewrite map_length; lia).
  apply map_nth.
Qed.

Lemma seq_at_range : forall from to i, i < to - from -> seq_at (range from to) i = from + i.
Proof.
  intros from to i H. unfold seq_at, range. rewrite (nth_indep _ _ (N.of_nat 0)) by (rewrite map_length, List.seq_length; lia).
  rewrite map_nth, seq_nth by lia. lia.
Qed.

Section Vectors.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Lemma scalar_at_seq_at : forall (m : list Scalar) i, scalar_at m i = seq_at m i.
Proof.
  intros. unfold scalar_at. destruct (N.ltb_spec i (seq_length m)); [reflexivity|]. rewrite seq_at_beyond by assumption. reflexivity.
Qed.

Lemma scalar_at_beyond_end : forall (m : list Scalar) i, seq_length m <= i -> scalar_at m i = scalar_zero.
Proof. intros m i H. unfold scalar_at. apply N.ltb_ge in H. rewrite H. reflexivity. Qed.

Lemma seq_length_scalars_updated : forall (m : list Scalar) j x, seq_length (scalars_updated m j x) = seq_length m.
Proof.
  intros. unfold scalars_updated. destruct (N.ltb_spec j (seq_length m)); [|reflexivity].
  rewrite !seq_length_app, !seq_length_slice by lia. change (seq_length [x]) with 1. lia.
Qed.

Lemma scalar_at_scalars_updated : forall (m : list Scalar) j x i,
  j < seq_length m -> scalar_at (scalars_updated m j x) i = if i =? j then x else scalar_at m i.
Proof.
  intros m j x i Hj. rewrite !scalar_at_seq_at. unfold scalars_updated.
  replace (j <? seq_length m) with true by (symmetry; apply N.ltb_lt; assumption).
  rewrite !seq_at_app, seq_at_single, seq_length_slice by lia. change (seq_length [x]) with 1.
  destruct (N.eqb_spec i j) as [->|N].
  - rewrite N.ltb_irrefl, N.sub_diag. reflexivity.
  - destruct (N.ltb_spec i j).
    + rewrite seq_at_slice by lia. f_equal.
    + destruct (N.ltb_spec (i - j) 1); [lia|]. destruct (N.ltb_spec (i - j - 1) (seq_length m - j - 1)).
      * rewrite seq_at_slice by lia. f_equal. lia.
      * rewrite (seq_at_beyond _ _ m) by lia. apply seq_at_beyond. rewrite seq_length_slice by lia. lia.
Qed.

Lemma scalars_resized_map : forall (m : list Scalar) count, scalars_resized m count = map (scalar_at m) (range 0 count).
Proof. intros. unfold scalars_resized, scalars_resized_step. rewrite (fold_left_append _ _ (scalar_at m)). reflexivity. Qed.

Lemma scalars_ext : forall s t : list Scalar,
  seq_length s = seq_length t -> (forall i, i < seq_length s -> scalar_at s i = scalar_at t i) -> s = t.
Proof. intros s t L H. apply (seq_ext _ _ s t L). intros i Hi. rewrite <- !scalar_at_seq_at. apply H. assumption. Qed.

(** ** The scalars of a vector *)

Definition content_scalar (slots : SlotMap) (p : N) : Scalar := scalar_of_content (slot_at slots p).

Lemma vector_scalars_map : forall slots n v,
  vector_scalars slots n v = map (content_scalar slots) (range (v * n) (v * n + n)).
Proof.
  intros. unfold vector_scalars, vector_scalars_step. rewrite (fold_left_append _ _ (content_scalar slots)). reflexivity.
Qed.

Lemma seq_length_vector_scalars : forall slots n v, seq_length (vector_scalars slots n v) = n.
Proof. intros. rewrite vector_scalars_map, seq_length_map, seq_length_range. lia. Qed.

Lemma scalar_at_vector_scalars : forall slots n v j,
  j < n -> scalar_at (vector_scalars slots n v) j = content_scalar slots (v * n + j).
Proof.
  intros. rewrite scalar_at_seq_at, vector_scalars_map.
  rewrite (seq_at_map _ _ _ _ (content_scalar slots)) by (rewrite seq_length_range; lia). rewrite seq_at_range by lia. reflexivity.
Qed.

Lemma vector_scalars_same : forall slots slots' n v,
  (forall j, j < n -> slot_at slots (v * n + j) = slot_at slots' (v * n + j)) ->
  vector_scalars slots n v = vector_scalars slots' n v.
Proof.
  intros slots slots' n v H. apply scalars_ext; rewrite !seq_length_vector_scalars; [reflexivity|].
  intros j Hj. rewrite !scalar_at_vector_scalars by assumption. unfold content_scalar. rewrite H by assumption. reflexivity.
Qed.

Lemma vector_scalars_put : forall slots n p content, 1 <= n ->
  vector_scalars (put_slot slots p content) n (vector_of p n) =
  scalars_updated (vector_scalars slots n (vector_of p n)) (index_of p n) (scalar_of_content content).
Proof.
  intros slots n p content Hn. destruct (position_split p n Hn) as [E L].
  apply scalars_ext; rewrite ?seq_length_scalars_updated, !seq_length_vector_scalars; [reflexivity|].
  intros j Hj. rewrite scalar_at_scalars_updated by (rewrite seq_length_vector_scalars; assumption).
  rewrite !scalar_at_vector_scalars by assumption. unfold content_scalar. rewrite slot_at_put_slot.
  destruct (N.eqb_spec j (index_of p n)) as [->|N].
  - rewrite <- E, N.eqb_refl. reflexivity.
  - replace (vector_of p n * n + j =? p) with false; [reflexivity|]. symmetry. apply N.eqb_neq. lia.
Qed.

Lemma vector_scalars_put_other : forall slots n p content v, 1 <= n -> v <> vector_of p n ->
  vector_scalars (put_slot slots p content) n v = vector_scalars slots n v.
Proof.
  intros slots n p content v Hn N. apply vector_scalars_same. intros j Hj. apply slot_at_put_slot_other.
  intros E. apply N. rewrite <- E. symmetry. apply vector_of_position. assumption.
Qed.

(** ** Commitments of an array *)

(** The commitment to a vector of the map. *)
Definition vector_commitment (setup : Setup) (n : N) (slots : SlotMap) (v : N) : G1 :=
  commit setup (vector_scalars slots n v).

Lemma array_commitments_map : forall setup n a,
  array_commitments setup n a = map (vector_commitment setup n (array_slots a)) (range 0 (vector_count (array_size a) n)).
Proof.
  intros. unfold array_commitments, array_commitments_step.
  rewrite (fold_left_append _ _ (vector_commitment setup n (array_slots a))). reflexivity.
Qed.

Lemma seq_length_array_commitments : forall setup n a,
  seq_length (array_commitments setup n a) = vector_count (array_size a) n.
Proof. intros. rewrite array_commitments_map, seq_length_map, seq_length_range. lia. Qed.

Lemma g1_at_seq_at : forall (m : list G1) i, g1_at m i = seq_at m i.
Proof.
  intros. unfold g1_at. destruct (N.ltb_spec i (seq_length m)); [reflexivity|]. rewrite seq_at_beyond by assumption. reflexivity.
Qed.

Lemma elements_ext : forall s t : list G1,
  seq_length s = seq_length t -> (forall i, i < seq_length s -> g1_at s i = g1_at t i) -> s = t.
Proof. intros s t L H. apply (seq_ext _ _ s t L). intros i Hi. rewrite <- !g1_at_seq_at. apply H. assumption. Qed.

Lemma g1_at_array_commitments : forall setup n a v,
  v < vector_count (array_size a) n ->
  g1_at (array_commitments setup n a) v = vector_commitment setup n (array_slots a) v.
Proof.
  intros. rewrite g1_at_seq_at, array_commitments_map.
  rewrite (seq_at_map _ _ _ _ (vector_commitment setup n (array_slots a))) by (rewrite seq_length_range; lia).
  rewrite seq_at_range by lia. reflexivity.
Qed.

(** C_v at a version, by the whole array of that version. *)
Definition commitment_in (setup : Setup) (n : N) (a : Array) (v : N) : option G1 :=
  if v * n <? array_size a then Some (vector_commitment setup n (array_slots a) v) else None.

Lemma current_commitment_array : forall setup n a v, 1 <= n ->
  current_commitment (array_commitments setup n a) v = commitment_in setup n a v.
Proof.
  intros setup n a v Hn. unfold current_commitment, commitment_in. rewrite seq_length_array_commitments.
  pose proof (below_vector_count v (array_size a) n Hn) as B.
  destruct (N.ltb_spec v (vector_count (array_size a) n)), (N.ltb_spec (v * n) (array_size a)); try lia; [|reflexivity].
  rewrite <- g1_at_seq_at, g1_at_array_commitments by assumption. reflexivity.
Qed.

End Vectors.
