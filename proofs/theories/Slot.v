(** Slots and their ring.

    - [ring]: what it means that slots at dense positions form one ring in key order, closed by the sentinel.
    - [covering_slot_exists], [covering_slot_unique]: in a ring exactly one slot covers each key.
    - [preceding_slot_exists], [preceding_slot_unique]: in a ring exactly one slot precedes each key.
    - [present_iff_covering_key]: a key is present exactly when it is the key of its covering slot.
    - [encode_slot_injective]: two slots whose keys fit two bytes of length, and whose encodings agree, are the same. *)

From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Integers Bytes Slot.
From Aardvark Require Import Sequences Bytes.
Import ListNotations.
Local Open Scope N_scope.

(** The slots at positions [0 .. size - 1], and nowhere else, form one ring in key order. *)
Record ring (content : N -> option Slot) (size : N) : Prop := {
  (** The positions below [size] hold slots, the others do not. *)
  ring_dense : forall p, (exists slot, content p = Some slot) <-> p < size;
  (** Position 0 holds the slot of the empty key, the sentinel. *)
  ring_sentinel : exists slot, content 0 = Some slot /\ slot.(key) = [];
  (** No two positions hold slots of one key. *)
  ring_keys_differ : forall p q a b, content p = Some a -> content q = Some b -> a.(key) = b.(key) -> p = q;
  (** The next key of each slot is the key of a slot. *)
  ring_next_live : forall p a, content p = Some a -> exists q b, content q = Some b /\ b.(key) = a.(next);
  (** No key lies between a slot's key and its next key. *)
  ring_next_least : forall p q a b, content p = Some a -> content q = Some b -> bytes_less a.(key) b.(key) = true ->
    bytes_less a.(key) a.(next) = true /\ bytes_at_most a.(next) b.(key) = true;
  (** The next key is larger, but for the largest key, whose next key is the empty one. *)
  ring_closed : forall p a, content p = Some a -> bytes_less a.(key) a.(next) = true \/ a.(next) = [];
}.

(** A key is present when some position holds its slot. *)
Definition present (content : N -> option Slot) (k : ByteString) : Prop :=
  exists p slot, content p = Some slot /\ slot.(key) = k.

(** * The largest key that satisfies a bound *)

(** Whether some slot below [n] has a key that satisfies [P]. *)
Lemma some_key (content : N -> option Slot) (P : ByteString -> Prop) (decide : forall k, P k \/ ~ P k) (n : N) :
  (exists p slot, p < n /\ content p = Some slot /\ P slot.(key))
  \/ ~ (exists p slot, p < n /\ content p = Some slot /\ P slot.(key)).
Proof.
  induction n as [| n [[p [slot [L [C H]]]] | no]] using N.peano_ind.
  - right. intros [p [slot [L _]]]. lia.
  - left. exists p, slot. repeat split; auto. lia.
  - destruct (content n) as [last |] eqn:Cn; [destruct (decide last.(key)) as [Hn | Hn] |].
    + left. exists n, last. repeat split; auto. lia.
    + right. intros [p [slot [L [C H]]]]. destruct (N.eq_dec p n) as [-> | D]; [congruence |].
      apply no. exists p, slot. repeat split; auto. lia.
    + right. intros [p [slot [L [C H]]]]. destruct (N.eq_dec p n) as [-> | D]; [congruence |].
      apply no. exists p, slot. repeat split; auto. lia.
Qed.

(** Among the slots at positions below [n] whose keys satisfy [P], one has the largest key. *)
Lemma largest_key (content : N -> option Slot) (P : ByteString -> Prop) (decide : forall k, P k \/ ~ P k) (n : N) :
  (exists p slot, p < n /\ content p = Some slot /\ P slot.(key)) ->
  exists p slot, p < n /\ content p = Some slot /\ P slot.(key)
    /\ forall q other, q < n -> content q = Some other -> P other.(key) -> bytes_at_most other.(key) slot.(key) = true.
Proof.
  induction n as [| n IH] using N.peano_ind; intros [p [slot [L [C H]]]]; [lia |].
  destruct (some_key content P decide n) as [yes | no].
  - destruct (IH yes) as [q [other [Lq [Cq [Hq most]]]]].
    destruct (content n) as [last |] eqn:Cn.
    2: { exists q, other. repeat split; auto; [lia |]. intros q' other' L' C' H'.
         destruct (N.eq_dec q' n) as [-> | D]; [congruence |]. apply (most q'); auto. lia. }
    destruct (decide last.(key)) as [Hn | Hn].
    2: { exists q, other. repeat split; auto; [lia |]. intros q' other' L' C' H'.
         destruct (N.eq_dec q' n) as [-> | D]; [congruence |]. apply (most q'); auto. lia. }
    destruct (bytes_at_most last.(key) other.(key)) eqn:order.
    + exists q, other. repeat split; auto; [lia |]. intros q' other' L' C' H'.
      destruct (N.eq_dec q' n) as [-> | D]; [congruence |]. apply (most q'); auto. lia.
    + exists n, last. repeat split; auto; [lia |]. intros q' other' L' C' H'.
      destruct (N.eq_dec q' n) as [-> | D]; [replace other' with last by congruence; apply bytes_at_most_iff; now right |].
      apply bytes_at_most_transitive with other.(key); [apply (most q'); auto; lia |].
      apply bytes_at_most_iff. left. unfold bytes_at_most in order. now apply negb_false_iff in order.
  - assert (p = n) as ->.
    { destruct (N.eq_dec p n) as [E | D]; [exact E | exfalso]. apply no. exists p, slot. repeat split; auto. lia. }
    exists n, slot. repeat split; auto. intros q other Lq Cq Hq.
    destruct (N.eq_dec q n) as [-> | D]; [replace other with slot by congruence; apply bytes_at_most_iff; now right |].
    exfalso. apply no. exists q, other. repeat split; auto. lia.
Qed.

(** * Covering slots *)

Section Ring.

Context {content : N -> option Slot} {size : N} (well_formed : ring content size).

Lemma ring_bound (p : N) (slot : Slot) : content p = Some slot -> p < size.
Proof. intros C. apply (ring_dense _ _ well_formed). now exists slot. Qed.

Lemma ring_next_wraps (p : N) (a : Slot) :
  content p = Some a -> bytes_less a.(key) a.(next) = false -> a.(next) = [].
Proof. intros C L. destruct (ring_closed _ _ well_formed p a C) as [M | E]; [congruence | exact E]. Qed.

(** A slot of the ring covers the keys from its own to before its next one, or to the end. *)
Lemma covers_iff (p : N) (a : Slot) (k : ByteString) :
  content p = Some a ->
  covers a k = true <->
  bytes_at_most a.(key) k = true /\ (bytes_less a.(key) a.(next) = true -> bytes_less k a.(next) = true).
Proof.
  intros C. unfold covers. destruct (bytes_less (key a) (next a)) eqn:L.
  - rewrite andb_true_iff. tauto.
  - rewrite (ring_next_wraps p a C L), bytes_less_empty, orb_false_r. intuition congruence.
Qed.

(** A slot of the ring precedes the keys from after its own to its next one; the last one those to the end, and the empty
    key. *)
Lemma precedes_iff (p : N) (a : Slot) (k : ByteString) :
  content p = Some a ->
  precedes a k = true <->
  (bytes_less a.(key) k = true /\ (bytes_less a.(key) a.(next) = true -> bytes_at_most k a.(next) = true))
  \/ (bytes_less a.(key) a.(next) = false /\ k = []).
Proof.
  intros C. unfold precedes. destruct (bytes_less (key a) (next a)) eqn:L.
  - rewrite andb_true_iff. intuition congruence.
  - rewrite (ring_next_wraps p a C L), orb_true_iff, bytes_at_most_iff, bytes_less_empty. intuition congruence.
Qed.

(** In a ring some slot covers each key. *)
Theorem covering_slot_exists (k : ByteString) : exists p slot, content p = Some slot /\ covers slot k = true.
Proof.
  destruct (largest_key content (fun j => bytes_at_most j k = true)) with (n := size) as [p [a [L [C [H most]]]]].
  - intros j. destruct (bytes_at_most j k); [now left | right; discriminate].
  - destruct (ring_sentinel _ _ well_formed) as [slot [C E]]. exists 0, slot.
    split; [exact (ring_bound 0 slot C) | split; [exact C |]]. rewrite E. apply bytes_empty_least.
  - exists p, a. split; [exact C |]. apply (covers_iff p a k C). split; [exact H |]. intros M.
    destruct (bytes_less k (next a)) eqn:K; [reflexivity | exfalso].
    destruct (ring_next_live _ _ well_formed p a C) as [q [b [Cq Eq]]].
    assert (bytes_at_most (next a) (key a) = true) as B.
    { rewrite <- Eq. apply (most q); [exact (ring_bound q b Cq) | exact Cq |]. rewrite Eq. now apply bytes_not_less_iff. }
    apply bytes_not_less_iff in B. congruence.
Qed.

(** In a ring no two slots cover one key. *)
Theorem covering_slot_unique (k : ByteString) (p q : N) (a b : Slot) :
  content p = Some a -> covers a k = true -> content q = Some b -> covers b k = true -> p = q.
Proof.
  assert (one_way : forall p q a b, content p = Some a -> covers a k = true -> content q = Some b ->
    covers b k = true -> bytes_less (key a) (key b) = false).
  { clear p q a b. intros p q a b Ca Ha Cb Hb. destruct (bytes_less (key a) (key b)) eqn:L; [exfalso | reflexivity].
    destruct (ring_next_least _ _ well_formed p q a b Ca Cb L) as [M N].
    apply (covers_iff p a k Ca) in Ha. apply (covers_iff q b k Cb) in Hb.
    destruct Ha as [_ Ha]. specialize (Ha M). destruct Hb as [Hb _].
    pose proof (bytes_at_most_transitive _ _ _ N Hb) as O. apply bytes_not_less_iff in O. congruence. }
  intros Ca Ha Cb Hb. apply (ring_keys_differ _ _ well_formed p q a b Ca Cb).
  destruct (bytes_less_total (key a) (key b)) as [L | [E | L]]; [| exact E |].
  - rewrite (one_way p q a b Ca Ha Cb Hb) in L. discriminate.
  - rewrite (one_way q p b a Cb Hb Ca Ha) in L. discriminate.
Qed.

(** * Preceding slots *)

(** In a ring some slot precedes each key. *)
Theorem preceding_slot_exists (k : ByteString) : exists p slot, content p = Some slot /\ precedes slot k = true.
Proof.
  destruct (ring_sentinel _ _ well_formed) as [sentinel [Cs Es]].
  destruct (bytes_equal_spec k []) as [-> | nonempty].
  - destruct (largest_key content (fun _ => True)) with (n := size) as [p [a [L [C [_ most]]]]].
    + now left.
    + exists 0, sentinel. repeat split; auto. exact (ring_bound 0 sentinel Cs).
    + exists p, a. split; [exact C |]. apply (precedes_iff p a [] C). right. split; [| reflexivity].
      destruct (ring_next_live _ _ well_formed p a C) as [q [b [Cq Eq]]]. rewrite <- Eq.
      apply bytes_not_less_iff. apply (most q); auto. exact (ring_bound q b Cq).
  - destruct (largest_key content (fun j => bytes_less j k = true)) with (n := size) as [p [a [L [C [H most]]]]].
    + intros j. destruct (bytes_less j k); [now left | right; discriminate].
    + exists 0, sentinel. split; [exact (ring_bound 0 sentinel Cs) | split; [exact Cs |]]. rewrite Es.
      destruct (bytes_less_total [] k) as [M | [M | M]]; [exact M | congruence |].
      rewrite bytes_less_empty in M. discriminate.
    + exists p, a. split; [exact C |]. apply (precedes_iff p a k C). left. split; [exact H |]. intros M.
      destruct (bytes_at_most k (next a)) eqn:K; [reflexivity | exfalso].
      destruct (ring_next_live _ _ well_formed p a C) as [q [b [Cq Eq]]].
      assert (bytes_at_most (next a) (key a) = true) as B.
      { rewrite <- Eq. apply (most q); [exact (ring_bound q b Cq) | exact Cq |]. rewrite Eq.
        unfold bytes_at_most in K. now apply negb_false_iff in K. }
      apply bytes_not_less_iff in B. congruence.
Qed.

(** In a ring no two slots precede one key. *)
Theorem preceding_slot_unique (k : ByteString) (p q : N) (a b : Slot) :
  content p = Some a -> precedes a k = true -> content q = Some b -> precedes b k = true -> p = q.
Proof.
  assert (one_way : forall p q a b, content p = Some a -> precedes a k = true -> content q = Some b ->
    precedes b k = true -> bytes_less (key a) (key b) = false).
  { clear p q a b. intros p q a b Ca Ha Cb Hb. destruct (bytes_less (key a) (key b)) eqn:L; [exfalso | reflexivity].
    destruct (ring_next_least _ _ well_formed p q a b Ca Cb L) as [M N].
    apply (precedes_iff p a k Ca) in Ha. apply (precedes_iff q b k Cb) in Hb.
    destruct Ha as [[Ka Ha] | [Ha _]]; [| congruence]. specialize (Ha M).
    pose proof (bytes_at_most_transitive _ _ _ Ha N) as O. apply bytes_not_less_iff in O.
    destruct Hb as [[Kb _] | [_ ->]]; [congruence |]. rewrite bytes_less_empty in Ka. discriminate. }
  intros Ca Ha Cb Hb. apply (ring_keys_differ _ _ well_formed p q a b Ca Cb).
  destruct (bytes_less_total (key a) (key b)) as [L | [E | L]]; [| exact E |].
  - rewrite (one_way p q a b Ca Ha Cb Hb) in L. discriminate.
  - rewrite (one_way q p b a Cb Hb Ca Ha) in L. discriminate.
Qed.

(** * Presence *)

(** A slot of the ring covers its own key. *)
Lemma covers_own_key (p : N) (a : Slot) : content p = Some a -> covers a a.(key) = true.
Proof. intros C. apply (covers_iff p a _ C). split; [apply bytes_at_most_iff; now right | trivial]. Qed.

(** A key is present exactly when it is the key of its covering slot. *)
Theorem present_iff_covering_key (k : ByteString) (p : N) (a : Slot) :
  content p = Some a -> covers a k = true -> present content k <-> a.(key) = k.
Proof.
  intros C H. split.
  - intros [q [b [Cq <-]]]. pose proof (covers_own_key q b Cq) as own.
    rewrite (covering_slot_unique (key b) p q a b C H Cq own) in C. congruence.
  - intros E. now exists p, a.
Qed.

(** The slot that precedes a present key is the one whose next key it is. *)
Lemma precedes_present_iff (p : N) (a : Slot) (k : ByteString) :
  content p = Some a -> present content k -> precedes a k = true <-> a.(next) = k.
Proof.
  intros C [q [b [Cq <-]]]. rewrite (precedes_iff p a _ C). split.
  - intros [[L H] | [L E]].
    + destruct (ring_next_least _ _ well_formed p q a b C Cq L) as [M N]. specialize (H M).
      apply bytes_at_most_iff in H, N. destruct H as [H | H]; [| now symmetry].
      destruct N as [N | N]; [| exact N]. pose proof (bytes_less_asymmetric _ _ H). congruence.
    + rewrite E. now apply (ring_next_wraps p a).
  - intros <-. destruct (bytes_less (key a) (next a)) eqn:L.
    + left. split; [reflexivity |]. intros _. apply bytes_at_most_iff. now right.
    + right. split; [reflexivity |]. now apply (ring_next_wraps p a).
Qed.

End Ring.

(** * Encoding *)

(** The encoding that is hashed determines the slot, for keys whose lengths two bytes can write. *)
Theorem encode_slot_injective (a b : Slot) :
  seq_length a.(key) < 2 ^ 16 -> seq_length a.(next) < 2 ^ 16 ->
  seq_length b.(key) < 2 ^ 16 -> seq_length b.(next) < 2 ^ 16 ->
  encode_slot a = encode_slot b -> a = b.
Proof.
  intros Ka Na Kb Nb E. unfold encode_slot in E.
  apply bytes16_injective in E; [| assumption | assumption]. destruct E as [Ek E].
  apply bytes16_injective in E; [| assumption | assumption]. destruct E as [En Ev].
  destruct a, b; simpl in *. congruence.
Qed.

Lemma slots_equal_iff (a b : Slot) : slots_equal a b = true <-> a = b.
Proof.
  unfold slots_equal. rewrite !andb_true_iff, !bytes_equal_iff. destruct a, b; simpl. intuition congruence.
Qed.

Lemma slot_contents_equal_iff (a b : option Slot) : slot_contents_equal a b = true <-> a = b.
Proof.
  destruct a as [a |], b as [b |]; simpl; split; try easy.
  - intros E. f_equal. now apply slots_equal_iff.
  - intros [= ->]. now apply slots_equal_iff.
Qed.
