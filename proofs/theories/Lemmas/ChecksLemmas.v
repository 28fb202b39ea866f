(** Loops of checks: the lowest item that fails names the reason.

    - [checks_pass]: such a loop passes when every item does;
    - [first_failure]: when it fails, it does so for the reason of the lowest item that fails. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Block.Rejection.
From Aardvark Require Import Lemmas.LoopLemmas.
Import ListNotations.
Local Open Scope N_scope.

(** The loop that all checks of the specification are. *)
Definition checks (check : N -> Result unit Rejection) (count : N) (start : Result unit Rejection) : Result unit Rejection :=
  fold_left
    (fun checked i => match checked with Err rejection => Err rejection | Ok tt => check i end)
    (range 0 count) start.

Lemma checks_spec : forall check count start,
  match checks check count start with
  | Ok tt => start = Ok tt /\ forall i, i < count -> check i = Ok tt
  | Err e => start = Err e \/
      start = Ok tt /\ exists i, i < count /\ check i = Err e /\ forall j, j < i -> check j = Ok tt
  end.
Proof.
  intros check count start. unfold checks.
  apply (loop_invariant _ (fun n checked => match checked with
    | Ok tt => start = Ok tt /\ forall i, i < n -> check i = Ok tt
    | Err e => start = Err e \/
        start = Ok tt /\ exists i, i < n /\ check i = Err e /\ forall j, j < i -> check j = Ok tt
    end)).
  - lia.
  - destruct start as [[]|e]; [|left; reflexivity]. split; [reflexivity|]. intros i. lia.
  - intros n [[]|e] Hn H.
    + destruct H as [S H]. destruct (check n) as [[]|e] eqn:E.
      * split; [assumption|]. intros i Hi. destruct (N.eq_dec i n) as [->|]; [assumption|]. apply H. lia.
      * right. split; [assumption|]. exists n. split; [lia|]. split; assumption.
    + destruct H as [H|(S & i & Hi & H)]; [left; assumption|right]. split; [assumption|]. exists i.
      split; [lia|assumption].
Qed.

Theorem checks_pass : forall check count start,
  checks check count start = Ok tt <-> start = Ok tt /\ forall i, i < count -> check i = Ok tt.
Proof.
  intros check count start. pose proof (checks_spec check count start) as H. split.
  - intros E. rewrite E in H. exact H.
  - intros [S A]. destruct (checks check count start) as [[]|e]; [reflexivity|].
    destruct H as [H|(_ & i & Hi & H & _)]; [congruence|]. rewrite A in H by assumption. discriminate.
Qed.

Theorem first_failure : forall check count start e,
  checks check count start = Err e <->
  start = Err e \/ start = Ok tt /\ exists i, i < count /\ check i = Err e /\ forall j, j < i -> check j = Ok tt.
Proof.
  intros check count start e. pose proof (checks_spec check count start) as H. split.
  - intros E. rewrite E in H. exact H.
  - intros G. destruct (checks check count start) as [[]|e'] eqn:E.
    + destruct H as [S A]. destruct G as [G|(_ & i & Hi & G & _)]; [congruence|]. rewrite A in G by assumption. discriminate.
    + f_equal. destruct H as [H|(S & i & Hi & H & L)], G as [G|(S' & j & Hj & G & M)]; try congruence.
      assert (i = j) as ->; [|congruence].
      destruct (N.lt_trichotomy i j) as [X|[X|X]]; [|assumption|].
      * rewrite M in H by assumption. discriminate.
      * rewrite L in G by assumption. discriminate.
Qed.

Lemma checks_pass_all : forall check count, checks check count (Ok tt) = Ok tt <-> forall i, i < count -> check i = Ok tt.
Proof. intros. rewrite checks_pass. tauto. Qed.

(** What holds at each index of a sequence holds of each element. *)
Lemma all_elements : forall A (D : Default A) (P : A -> Prop) (s : list A),
  (forall i, i < seq_length s -> P (seq_at s i)) <-> (forall x, In x s -> P x).
Proof.
  intros A D P s. split.
  - intros H x I. destruct (in_seq_at _ _ s x I) as (i & Hi & <-). apply H. assumption.
  - intros H i Hi. apply H, seq_at_in. assumption.
Qed.

(** A loop that looks for one element with a property. *)
Lemma some_element : forall A (D : Default A) (f : A -> bool) (s : list A) count start,
  fold_left (fun found i => found || f (seq_at s i)) (range 0 count) start = true <->
  start = true \/ exists i, i < count /\ f (seq_at s i) = true.
Proof.
  intros A D f s count start.
  apply (loop_invariant _ (fun n found => found = true <-> start = true \/ exists i, i < n /\ f (seq_at s i) = true)).
  - lia.
  - split; [auto|]. intros [H|(i & Hi & _)]; [assumption|lia].
  - intros n found Hn H. rewrite orb_true_iff, H. split.
    + intros [[G|(i & Hi & G)]|G]; [auto| |]; right; [exists i|exists n]; split; (lia || assumption).
    + intros [G|(i & Hi & G)]; [auto|]. destruct (N.eq_dec i n) as [->|]; [auto|]. left. right. exists i. split; [lia|assumption].
Qed.

(** A loop that asks a property of all elements. *)
Lemma every_element : forall A (D : Default A) (f : A -> bool) (s : list A) count start,
  fold_left (fun hold i => hold && f (seq_at s i)) (range 0 count) start = true <->
  start = true /\ forall i, i < count -> f (seq_at s i) = true.
Proof.
  intros A D f s count start.
  apply (loop_invariant _ (fun n hold => hold = true <-> start = true /\ forall i, i < n -> f (seq_at s i) = true)).
  - lia.
  - split; [intros H; split; [assumption|intros i; lia]|tauto].
  - intros n hold Hn H. rewrite andb_true_iff, H. split.
    + intros [[S A'] B]. split; [assumption|]. intros i Hi. destruct (N.eq_dec i n) as [->|]; [assumption|]. apply A'. lia.
    + intros [S A']. split; [split; [assumption|]; intros i Hi|]; apply A'; lia.
Qed.
