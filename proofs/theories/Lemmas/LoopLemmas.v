(** Loops of the specification: an invariant that each turn keeps holds at the end; a loop over the elements of a sequence
    is the fold over that sequence. *)
From Coq Require Import NArith List Lia.
From AardvarkSpec Require Import Prelude.
Import ListNotations.
Local Open Scope N_scope.

Lemma seq_length_nil : forall A, seq_length (@nil A) = 0.
Proof. reflexivity. Qed.

Lemma seq_length_cons : forall A (x : A) s, seq_length (x :: s) = seq_length s + 1.
Proof. intros. unfold seq_length. simpl length. lia. Qed.

Lemma seq_length_app : forall A (s t : list A), seq_length (s ++ t) = seq_length s + seq_length t.
Proof. intros. unfold seq_length. rewrite app_length. lia. Qed.

Lemma seq_length_slice : forall A (s : list A) start count,
  start + count <= seq_length s -> seq_length (seq_slice s start count) = count.
Proof.
  unfold seq_slice, seq_length. intros. rewrite firstn_length, skipn_length. lia.
Qed.

Lemma seq_at_cons_zero : forall A (D : Default A) (x : A) s, seq_at (x :: s) 0 = x.
Proof. reflexivity. Qed.

Lemma seq_at_cons_succ : forall A (D : Default A) (x : A) s i, seq_at (x :: s) (i + 1) = seq_at s i.
Proof.
  intros. unfold seq_at. replace (N.to_nat (i + 1)) with (S (N.to_nat i)) by lia. reflexivity.
Qed.

Lemma seq_at_app : forall A (D : Default A) (s t : list A) i,
  seq_at (s ++ t) i = if i <? seq_length s then seq_at s i else seq_at t (i - seq_length s).
Proof.
  intros. unfold seq_at, seq_length. destruct (N.ltb_spec i (N.of_nat (length s))).
  - apply app_nth1. lia.
  - rewrite app_nth2 by lia. f_equal. lia.
Qed.

Lemma seq_at_slice : forall A (D : Default A) (s : list A) start count i,
  i < count -> seq_at (seq_slice s start count) i = seq_at s (start + i).
Proof.
  unfold seq_at, seq_slice. intros A D s start count i Hi.
  assert (Hf : forall n m (l : list A), (m < n)%nat -> nth m (firstn n l) default = nth m l default).
  { induction n as [|n IH]; intros m l Hm; [lia|].
    destruct l as [|x l]; [reflexivity|]. destruct m as [|m]; [reflexivity|]. simpl. apply IH. lia. }
  assert (Hs : forall n m (l : list A), nth m (skipn n l) default = nth (n + m) l default).
  { induction n as [|n IH]; intros m l; [reflexivity|].
    destruct l as [|x l]; [destruct m; reflexivity|]. simpl. apply IH. }
  rewrite Hf by lia. rewrite Hs. f_equal. lia.
Qed.

Lemma seq_at_beyond : forall A (D : Default A) (s : list A) i, seq_length s <= i -> seq_at s i = default.
Proof. unfold seq_at, seq_length. intros. apply nth_overflow. lia. Qed.

Lemma seq_at_single : forall A (D : Default A) (x : A) i, seq_at [x] i = if i =? 0 then x else default.
Proof.
  intros. destruct (N.eqb_spec i 0) as [->|H]; [reflexivity|].
  apply seq_at_beyond. change (seq_length [x]) with 1. lia.
Qed.

Lemma seq_at_in : forall A (D : Default A) (s : list A) i, i < seq_length s -> In (seq_at s i) s.
Proof. unfold seq_at, seq_length. intros. apply nth_In. lia. Qed.

Lemma in_seq_at : forall A (D : Default A) (s : list A) x, In x s -> exists i, i < seq_length s /\ seq_at s i = x.
Proof.
  unfold seq_at, seq_length. intros A D s x H. destruct (In_nth s x default H) as (n & Hn & E).
  exists (N.of_nat n). split; [lia|]. rewrite Nnat.Nat2N.id. exact E.
Qed.

Lemma seq_ext : forall A (D : Default A) (s t : list A),
  seq_length s = seq_length t -> (forall i, i < seq_length s -> seq_at s i = seq_at t i) -> s = t.
Proof.
  intros A D s t L H. apply (nth_ext s t default default).
  - unfold seq_length in L. lia.
  - intros n Hn. specialize (H (N.of_nat n)). unfold seq_at, seq_length in H. rewrite Nnat.Nat2N.id in H.
    apply H. lia.
Qed.

(** ** Ranges *)

Lemma range_empty : forall from to, to <= from -> range from to = [].
Proof.
  intros. unfold range. replace (N.to_nat to - N.to_nat from)%nat with 0%nat by lia. reflexivity.
Qed.

Lemma range_cons : forall from to, from < to -> range from to = from :: range (from + 1) to.
Proof.
  intros. unfold range.
  replace (N.to_nat to - N.to_nat from)%nat with (S (N.to_nat to - N.to_nat (from + 1)))%nat by lia.
  cbn [seq map]. rewrite Nnat.N2Nat.id.
  replace (N.to_nat (from + 1)) with (S (N.to_nat from)) by lia. reflexivity.
Qed.

Lemma range_snoc : forall from to, from <= to -> range from (to + 1) = range from to ++ [to].
Proof.
  intros. unfold range.
  replace (N.to_nat (to + 1) - N.to_nat from)%nat with (S (N.to_nat to - N.to_nat from)) by lia.
  rewrite seq_S, map_app. cbn [map].
  replace (N.to_nat from + (N.to_nat to - N.to_nat from))%nat with (N.to_nat to) by lia.
  rewrite Nnat.N2Nat.id. reflexivity.
Qed.

Lemma in_range : forall from to i, In i (range from to) <-> from <= i < to.
Proof.
  intros. unfold range. rewrite in_map_iff. split.
  - intros (n & E & H). apply in_seq in H. lia.
  - intros H. exists (N.to_nat i). split; [apply Nnat.N2Nat.id|]. apply in_seq. lia.
Qed.

Lemma range_shift : forall from to, range (from + 1) (to + 1) = map (fun i => i + 1) (range from to).
Proof.
  intros. unfold range.
  replace (N.to_nat (from + 1)) with (S (N.to_nat from)) by lia.
  replace (N.to_nat (to + 1)) with (S (N.to_nat to)) by lia.
  rewrite PeanoNat.Nat.sub_succ, <- seq_shift, !map_map. apply map_ext. intros. lia.
Qed.

(** ** Loops *)

Lemma fold_left_map : forall A B C (g : A -> B) (f : C -> B -> C) l a,
  fold_left f (map g l) a = fold_left (fun acc x => f acc (g x)) l a.
Proof. induction l; simpl; intros; auto. Qed.

Lemma fold_left_same : forall A B (f g : A -> B -> A) l a,
  (forall acc x, In x l -> f acc x = g acc x) -> fold_left f l a = fold_left g l a.
Proof.
  induction l as [|x l IH]; simpl; intros a H; [reflexivity|].
  rewrite (H a x) by auto. apply IH. intros. apply H. auto.
Qed.

(** What holds before the loop and is kept by each turn holds after it. *)
Lemma loop_invariant : forall B (P : N -> B -> Prop) (f : B -> N -> B) from to a,
  from <= to -> P from a ->
  (forall i acc, from <= i < to -> P i acc -> P (i + 1) (f acc i)) ->
  P to (fold_left f (range from to) a).
Proof.
  intros B P f from to a Hle H0 Hstep.
  assert (G : forall d, from + d <= to -> P (from + d) (fold_left f (range from (from + d)) a)).
  { induction d as [|d IH] using N.peano_ind; intros Hd.
    - rewrite N.add_0_r. rewrite range_empty by lia. exact H0.
    - replace (from + N.succ d) with (from + d + 1) by lia.
      rewrite range_snoc by lia. rewrite fold_left_app. cbn [fold_left].
      apply Hstep; [lia|]. apply IH. lia. }
  specialize (G (to - from)). replace (from + (to - from)) with to in G by lia. apply G. lia.
Qed.

(** A loop over all indices of a sequence that looks at the elements only is the fold over the sequence. *)
Lemma loop_over_elements : forall A B (D : Default A) (f : B -> A -> B) (s : list A) a,
  fold_left (fun acc i => f acc (seq_at s i)) (range 0 (seq_length s)) a = fold_left f s a.
Proof.
  intros A B D f s. induction s as [|x s IH]; intros a; [reflexivity|].
  rewrite seq_length_cons. rewrite range_cons by lia. cbn [fold_left].
  rewrite range_shift, fold_left_map.
  rewrite <- IH. rewrite seq_at_cons_zero. apply fold_left_same.
  intros acc i _. rewrite seq_at_cons_succ. reflexivity.
Qed.
