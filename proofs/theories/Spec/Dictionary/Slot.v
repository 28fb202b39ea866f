(** Slots: their encoding and their intervals.

    - [encode_slot_injective]: slots whose keys are shorter than 2^16 bytes are told apart by the bytes that are hashed;
    - [slots_equal_iff], [slot_contents_equal_iff]: the comparisons of slots and of contents say whether they are the same;
    - [covers_iff], [precedes_iff]: the cyclic intervals [key, next) and (key, next], cut open where the ring closes;
    - [precedes_covers_absent]: the slot that precedes a key that is no slot's key or next key covers it. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes.
Import ListNotations.
Local Open Scope N_scope.

Theorem encode_slot_injective : forall x y,
  seq_length (key x) < 2 ^ 16 -> seq_length (next x) < 2 ^ 16 ->
  seq_length (key y) < 2 ^ 16 -> seq_length (next y) < 2 ^ 16 ->
  encode_slot x = encode_slot y -> x = y.
Proof.
  intros [kx vx nx] [ky vy ny]. cbn [key next]. intros Kx Nx Ky Ny. unfold encode_slot. cbn [key next value]. intros E.
  apply bytes16_split in E; try assumption. destruct E as [-> E].
  apply bytes16_split in E; try assumption. destruct E as [-> ->]. reflexivity.
Qed.

Theorem slots_equal_iff : forall x y, slots_equal x y = true <-> x = y.
Proof.
  intros [kx vx nx] [ky vy ny]. unfold slots_equal. cbn [key next value].
  rewrite !andb_true_iff, !bytes_equal_iff. split.
  - intros [[-> ->] ->]. reflexivity.
  - intros E. injection E as -> -> ->. auto.
Qed.

Theorem slot_contents_equal_iff : forall a b, slot_contents_equal a b = true <-> a = b.
Proof.
  intros [x|] [y|]; cbn; split; intros H; try congruence.
  - f_equal. apply slots_equal_iff. assumption.
  - apply slots_equal_iff. congruence.
Qed.

Lemma slot_dec : forall x y : Slot, {x = y} + {x <> y}.
Proof. decide equality; apply bytes_dec. Qed.

(** [k] lies in [key, next): between the two when the interval is not broken by the ring's end, and outside
    [next, key) when it is. *)
Theorem covers_iff : forall x k,
  covers x k = true <->
  (blt (key x) (next x) /\ ~ blt k (key x) /\ blt k (next x)) \/
  (~ blt (key x) (next x) /\ (~ blt k (key x) \/ blt k (next x))).
Proof.
  intros. unfold covers. fold (blt k (next x)).
  destruct (bytes_less (key x) (next x)) eqn:E.
  - rewrite andb_true_iff, bytes_at_most_iff. unfold blt. rewrite E. split; [intros []|intros [H|[H _]]]; tauto.
  - rewrite orb_true_iff, bytes_at_most_iff. unfold blt. rewrite E. split; [right|intros [[H _]|H]].
    + split; [congruence|assumption].
    + discriminate.
    + tauto.
Qed.

Theorem precedes_iff : forall x k,
  precedes x k = true <->
  (blt (key x) (next x) /\ blt (key x) k /\ ~ blt (next x) k) \/
  (~ blt (key x) (next x) /\ (blt (key x) k \/ ~ blt (next x) k)).
Proof.
  intros. unfold precedes.
  destruct (bytes_less (key x) (next x)) eqn:E.
  - rewrite andb_true_iff, bytes_at_most_iff. unfold blt. rewrite E. split; [intros []|intros [H|[H _]]]; tauto.
  - rewrite orb_true_iff, bytes_at_most_iff. unfold blt. rewrite E. split; [right|intros [[H _]|H]].
    + split; [congruence|assumption].
    + discriminate.
    + tauto.
Qed.

(** Away from the interval's two ends, to precede and to cover are the same. *)
Theorem precedes_covers_absent : forall x k, k <> key x -> k <> next x -> precedes x k = covers x k.
Proof.
  intros x k N1 N2. apply eq_true_iff_eq. rewrite precedes_iff, covers_iff.
  assert (A : blt (key x) k <-> ~ blt k (key x)).
  { split; [apply blt_asymmetric|]. intros H. apply not_blt in H. destruct H; congruence || assumption. }
  assert (B : ~ blt (next x) k <-> blt k (next x)).
  { split; [|apply blt_asymmetric]. intros H. apply not_blt in H. destruct H; congruence || assumption. }
  tauto.
Qed.

(** A slot covers its own key: the interval [key, next) holds its lower end. *)
Lemma covers_own_key : forall x, covers x (key x) = true.
Proof.
  intros. apply covers_iff. destruct (blt_dec (key x) (next x)).
  - left. repeat split; auto. apply blt_irreflexive.
  - right. split; auto. left. apply blt_irreflexive.
Qed.

(** A slot precedes its next key. *)
Lemma precedes_own_next : forall x, precedes x (next x) = true.
Proof.
  intros. apply precedes_iff. destruct (blt_dec (key x) (next x)).
  - left. repeat split; auto. apply blt_irreflexive.
  - right. split; auto. right. apply blt_irreflexive.
Qed.
