(** Sequences and loops of the prelude, as lists and folds of Coq's library.

    - [fold_range_elements]: a loop over the indices of a sequence that looks at its elements only is a fold over the
      sequence.
    - [fold_range_invariant]: what holds before a loop, and is kept by each run, holds after it.
    - [loop_safe_invariant]: likewise for the condition under which a loop does not panic. *)

From Coq Require Import Arith NArith List Bool Lia.
From AardvarkSpec Require Import Prelude.
Import ListNotations.
Local Open Scope N_scope.

(** * Lengths and elements *)

Lemma seq_length_nil {A : Type} : seq_length ([] : list A) = 0.
Proof. reflexivity. Qed.

Lemma seq_length_cons {A : Type} (x : A) (s : list A) : seq_length (x :: s) = seq_length s + 1.
Proof. unfold seq_length. simpl length. lia. Qed.

Lemma seq_length_app {A : Type} (s t : list A) : seq_length (s ++ t) = seq_length s + seq_length t.
Proof. unfold seq_length. rewrite app_length. lia. Qed.

Lemma seq_length_nat {A : Type} (s : list A) : N.to_nat (seq_length s) = length s.
Proof. apply Nnat.Nat2N.id. Qed.

Lemma seq_at_nat {A : Type} `{Default A} (s : list A) (i : nat) : seq_at s (N.of_nat i) = nth i s default.
Proof. unfold seq_at. now rewrite Nnat.Nat2N.id. Qed.

Lemma seq_at_zero {A : Type} `{Default A} (x : A) (s : list A) : seq_at (x :: s) 0 = x.
Proof. reflexivity. Qed.

Lemma seq_at_succ {A : Type} `{Default A} (x : A) (s : list A) (i : N) : seq_at (x :: s) (i + 1) = seq_at s i.
Proof.
  unfold seq_at. replace (N.to_nat (i + 1)) with (S (N.to_nat i)) by lia. reflexivity.
Qed.

Lemma seq_at_app_l {A : Type} `{Default A} (s t : list A) (i : N) :
  i < seq_length s -> seq_at (s ++ t) i = seq_at s i.
Proof. unfold seq_at, seq_length. intros L. apply app_nth1. lia. Qed.

Lemma seq_at_app_r {A : Type} `{Default A} (s t : list A) (i : N) :
  seq_length s <= i -> seq_at (s ++ t) i = seq_at t (i - seq_length s).
Proof.
  unfold seq_at, seq_length. intros L. rewrite app_nth2 by lia. f_equal. lia.
Qed.

Lemma seq_at_in {A : Type} `{Default A} (s : list A) (i : N) : i < seq_length s -> In (seq_at s i) s.
Proof. unfold seq_at, seq_length. intros L. apply nth_In. lia. Qed.

Lemma in_seq_at {A : Type} `{Default A} (s : list A) (x : A) :
  In x s -> exists i, i < seq_length s /\ seq_at s i = x.
Proof.
  intros I. destruct (In_nth s x default I) as [n [L E]].
  exists (N.of_nat n). rewrite seq_at_nat. unfold seq_length. split; [lia | exact E].
Qed.

(** Two sequences of one length with the same elements are the same. *)
Lemma seq_ext {A : Type} `{Default A} (s t : list A) :
  seq_length s = seq_length t -> (forall i, i < seq_length s -> seq_at s i = seq_at t i) -> s = t.
Proof.
  unfold seq_length. intros L E. apply nth_ext with (d := default) (d' := default); [lia |].
  intros n Ln. specialize (E (N.of_nat n)). rewrite !seq_at_nat in E. apply E. lia.
Qed.

Lemma seq_new_length {A : Type} `{Default A} (n : N) : seq_length (seq_new n) = n.
Proof. unfold seq_new, seq_length. rewrite repeat_length. lia. Qed.

Lemma seq_slice_length {A : Type} (s : list A) (start count : N) :
  start + count <= seq_length s -> seq_length (seq_slice s start count) = count.
Proof.
  unfold seq_slice, seq_length. intros L. rewrite firstn_length, skipn_length. lia.
Qed.

Lemma nth_firstn {A : Type} (d : A) (s : list A) (n i : nat) : (i < n)%nat -> nth i (firstn n s) d = nth i s d.
Proof.
  revert n i. induction s as [| x s IH]; intros n i L; [now rewrite firstn_nil |].
  destruct n as [| n]; [lia |]. destruct i as [| i]; [reflexivity |]. simpl. apply IH. lia.
Qed.

Lemma nth_skipn {A : Type} (d : A) (s : list A) (n i : nat) : nth i (skipn n s) d = nth (n + i) s d.
Proof.
  revert n. induction s as [| x s IH]; intros n; [rewrite skipn_nil; destruct i, n; reflexivity |].
  destruct n as [| n]; [reflexivity |]. simpl. apply IH.
Qed.

Lemma seq_slice_at {A : Type} `{Default A} (s : list A) (start count i : N) :
  i < count -> seq_at (seq_slice s start count) i = seq_at s (start + i).
Proof.
  intros L. unfold seq_slice, seq_at. rewrite nth_firstn by lia. rewrite nth_skipn. f_equal. lia.
Qed.

(** * Loops *)

Lemma range_nat (n : nat) : range 0 (N.of_nat n) = map N.of_nat (seq 0 n).
Proof. unfold range. rewrite Nnat.Nat2N.id. simpl N.to_nat. now rewrite Nat.sub_0_r. Qed.

Lemma range_empty (from to : N) : to <= from -> range from to = [].
Proof. intros L. unfold range. replace (N.to_nat to - N.to_nat from)%nat with 0%nat by lia. reflexivity. Qed.

Lemma range_first (from to : N) : from < to -> range from to = from :: range (from + 1) to.
Proof.
  intros L. unfold range.
  replace (N.to_nat to - N.to_nat from)%nat with (S (N.to_nat to - N.to_nat (from + 1))) by lia.
  simpl. f_equal; [lia |]. do 2 f_equal. lia.
Qed.

Lemma range_last (from to : N) : from <= to -> range from (to + 1) = range from to ++ [to].
Proof.
  intros L. unfold range.
  replace (N.to_nat (to + 1) - N.to_nat from)%nat with ((N.to_nat to - N.to_nat from) + 1)%nat by lia.
  rewrite seq_app, map_app. simpl. do 2 f_equal. lia.
Qed.

Lemma range_split (from middle to : N) :
  from <= middle -> middle <= to -> range from to = range from middle ++ range middle to.
Proof.
  intros L M. unfold range.
  replace (N.to_nat to - N.to_nat from)%nat
    with ((N.to_nat middle - N.to_nat from) + (N.to_nat to - N.to_nat middle))%nat by lia.
  rewrite seq_app, map_app. do 3 f_equal. lia.
Qed.

Lemma range_in (from to i : N) : In i (range from to) <-> from <= i < to.
Proof.
  unfold range. rewrite in_map_iff. split.
  - intros [n [E I]]. apply in_seq in I. lia.
  - intros L. exists (N.to_nat i). rewrite in_seq. lia.
Qed.

Lemma range_length (from to : N) : length (range from to) = (N.to_nat to - N.to_nat from)%nat.
Proof. unfold range. now rewrite map_length, List.seq_length. Qed.

Lemma range_shift (n : N) : range 1 (n + 1) = map (fun i => i + 1) (range 0 n).
Proof.
  unfold range. rewrite map_map.
  replace (N.to_nat (n + 1) - N.to_nat 1)%nat with (N.to_nat n - N.to_nat 0)%nat by lia.
  change (N.to_nat 1) with 1%nat. change (N.to_nat 0) with 0%nat.
  rewrite <- seq_shift, map_map. apply map_ext. intros i. lia.
Qed.

Lemma fold_left_map {A B C : Type} (f : A -> C -> A) (g : B -> C) (s : list B) (acc : A) :
  fold_left f (map g s) acc = fold_left (fun acc x => f acc (g x)) s acc.
Proof. revert acc. induction s as [| x s IH]; intros acc; [reflexivity | apply IH]. Qed.

Lemma fold_left_ext_in {A B : Type} (f g : A -> B -> A) (s : list B) (acc : A) :
  (forall acc x, In x s -> f acc x = g acc x) -> fold_left f s acc = fold_left g s acc.
Proof.
  revert acc. induction s as [| x s IH]; intros acc E; [reflexivity |].
  simpl. rewrite E by (left; reflexivity). apply IH. intros acc' y I. apply E. now right.
Qed.

(** A loop over the indices of a sequence that looks at elements and indices. *)
Lemma fold_range_elements_indices {A B : Type} `{Default B} (f : A -> B -> N -> A) (s : list B) (acc : A) :
  fold_left (fun acc i => f acc (seq_at s i) i) (range 0 (seq_length s)) acc
  = snd (fold_left (fun '(i, acc) x => (i + 1, f acc x i)) s (0, acc)).
Proof.
  assert (general : forall k, fold_left (fun acc i => f acc (seq_at s i) (k + i)) (range 0 (seq_length s)) acc
    = snd (fold_left (fun '(i, acc) x => (i + 1, f acc x i)) s (k, acc))).
  { revert acc. induction s as [| x s IH]; intros acc k; [reflexivity |].
    rewrite seq_length_cons, (range_first 0) by lia. change (0 + 1) with 1. rewrite range_shift.
    simpl fold_left. rewrite fold_left_map, seq_at_zero, N.add_0_r, <- IH.
    apply fold_left_ext_in. intros acc' i _. rewrite seq_at_succ. f_equal. lia. }
  rewrite <- general. apply fold_left_ext_in. intros acc' i _. f_equal.
Qed.

(** A loop over the indices of a sequence that looks at its elements only is a fold over the sequence. *)
Lemma fold_range_elements {A B : Type} `{Default B} (f : A -> B -> A) (s : list B) (acc : A) :
  fold_left (fun acc i => f acc (seq_at s i)) (range 0 (seq_length s)) acc = fold_left f s acc.
Proof.
  revert acc. induction s as [| x s IH]; intros acc; [reflexivity |].
  rewrite seq_length_cons, (range_first 0) by lia. change (0 + 1) with 1. rewrite range_shift.
  simpl fold_left. rewrite fold_left_map, seq_at_zero, <- IH.
  apply fold_left_ext_in. intros acc' i _. now rewrite seq_at_succ.
Qed.

(** What holds before a loop, and is kept by each run, holds after it. *)
Lemma fold_range_invariant {A : Type} (f : A -> N -> A) (P : N -> A -> Prop) (from to : N) (acc : A) :
  from <= to -> P from acc -> (forall i acc, from <= i < to -> P i acc -> P (i + 1) (f acc i)) ->
  P to (fold_left f (range from to) acc).
Proof.
  intros L start step. remember (N.to_nat (to - from)) as n eqn:En.
  revert from acc L start step En. induction n as [| n IH]; intros from acc L start step En.
  - replace to with from in * by lia. rewrite range_empty by lia. exact start.
  - rewrite range_first by lia. simpl. apply IH; [lia | apply step; [lia | exact start] | | lia].
    intros i acc' B. apply step. lia.
Qed.

(** A loop that appends one element a run. *)
Lemma fold_range_append {A : Type} (f : N -> A) (from to : N) (acc : list A) :
  fold_left (fun acc i => acc ++ [f i]) (range from to) acc = acc ++ map f (range from to).
Proof.
  generalize (range from to) as s. intros s. revert acc.
  induction s as [| i s IH]; intros acc; simpl; [now rewrite app_nil_r |].
  now rewrite IH, <- app_assoc.
Qed.

Lemma fold_append {A B : Type} (f : A -> B) (s : list A) (acc : list B) :
  fold_left (fun acc x => acc ++ [f x]) s acc = acc ++ map f s.
Proof.
  revert acc. induction s as [| x s IH]; intros acc; simpl; [now rewrite app_nil_r |].
  now rewrite IH, <- app_assoc.
Qed.

Lemma fold_append_list {A B : Type} (f : A -> list B) (s : list A) (acc : list B) :
  fold_left (fun acc x => acc ++ f x) s acc = acc ++ flat_map f s.
Proof.
  revert acc. induction s as [| x s IH]; intros acc; simpl; [now rewrite app_nil_r |].
  now rewrite IH, <- app_assoc.
Qed.

(** A loop is safe when an invariant holds before it, is kept by each run, and makes each run safe. *)
Lemma loop_safe_invariant {A : Type} (f : A -> N -> A) (safe : A -> N -> bool) (P : N -> A -> Prop) (from to : N)
    (acc : A) :
  P from acc ->
  (forall i acc, from <= i < to -> P i acc -> safe acc i = true /\ P (i + 1) (f acc i)) ->
  loop_safe f safe (range from to) acc = true.
Proof.
  intros start step. destruct (N.le_gt_cases to from) as [L | L]; [now rewrite range_empty |].
  remember (N.to_nat (to - from)) as n eqn:En.
  revert from acc L start step En. induction n as [| n IH]; intros from acc L start step En; [lia |].
  rewrite range_first by lia. simpl. destruct (step from acc) as [safe_now kept]; [lia | exact start |].
  rewrite safe_now. destruct (N.eq_dec (from + 1) to) as [E | E]; [now rewrite range_empty by lia |].
  apply IH; [lia | exact kept | | lia]. intros i acc' B. apply step. lia.
Qed.

Lemma nth_map_range {A : Type} `{Default A} (f : N -> A) (n i : N) :
  i < n -> seq_at (map f (range 0 n)) i = f i.
Proof.
  intros L. unfold seq_at. rewrite nth_indep with (d' := f 0).
  - rewrite map_nth. f_equal. unfold range. change 0 with (N.of_nat 0) at 3.
    rewrite map_nth, seq_nth by lia. lia.
  - rewrite map_length, range_length. lia.
Qed.

Lemma seq_length_map {A B : Type} (f : A -> B) (s : list A) : seq_length (map f s) = seq_length s.
Proof. unfold seq_length. now rewrite map_length. Qed.

Lemma seq_length_range (n : N) : seq_length (range 0 n) = n.
Proof. unfold seq_length. rewrite range_length. lia. Qed.
