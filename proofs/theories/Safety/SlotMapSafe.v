(** Comparisons, intervals and searches never leave the range of their integers or sequences.

    A function of the specification panics where its [_safe] twin is false. The theorems here say that the twins of
    bytes.rs, slot.rs and slot_map.rs are true of byte strings shorter than 2^32 bytes and of slot maps of fewer than 2^64
    positions: more does not fit into a machine.

    - [first_difference_never_panics] and what stands on it: all comparisons of byte strings;
    - [number_of_bytes_never_panics]: reading a number of at most 16 bytes;
    - [covers_never_panics], [precedes_never_panics], [slots_equal_never_panics], [slot_bytes_length_never_panics];
    - [put_slot_never_panics], [covering_position_never_panics], [preceding_position_never_panics]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Base.BytesSafe Dictionary.SlotSafe Dictionary.SlotMapSafe.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.SlotMapLemmas.
Import ListNotations.
Local Open Scope N_scope.

(** A byte string of less than 4 GiB. *)
Definition short (x : ByteString) : Prop := seq_length x < 2 ^ 32.

(** A slot whose three byte strings are short. *)
Definition short_slot (x : Slot) : Prop := short (key x) /\ short (value x) /\ short (next x).

(** A slot map of fewer than 2^64 positions, all of whose slots are short. *)
Definition addressable (slots : SlotMap) : Prop :=
  seq_length slots < 2 ^ 64 /\ forall p x, live slots p x -> short_slot x.

(** ** Loops *)

Lemma loop_is_safe : forall A (P : N -> A -> Prop) (f : A -> N -> A) (safe : A -> N -> bool) from to a,
  P from a ->
  (forall i acc, from <= i < to -> P i acc -> safe acc i = true /\ P (i + 1) (f acc i)) ->
  loop_safe f safe (range from to) a = true.
Proof.
  intros A P f safe from to a H0 Hstep.
  remember (N.to_nat (to - from)) as n eqn:En. revert from a H0 Hstep En.
  induction n as [|n IH]; intros from a H0 Hstep En.
  - rewrite range_empty by lia. reflexivity.
  - rewrite range_cons by lia. cbn [loop_safe].
    destruct (Hstep from a ltac:(lia) H0) as [S P1]. rewrite S.
    apply IH; [assumption| |lia]. intros i acc Hi. apply Hstep. lia.
Qed.

(** A loop over the elements of a sequence is safe when each of its turns is. *)
Lemma loop_over_elements_safe : forall A B (D : Default A) (P : B -> Prop) (f : B -> N -> B) (safe : B -> A -> bool)
  (s : list A) a,
  P a ->
  (forall i acc, i < seq_length s -> P acc -> safe acc (seq_at s i) = true /\ P (f acc i)) ->
  loop_safe f (fun acc i => (i <? seq_length s) && safe acc (seq_at s i)) (range 0 (seq_length s)) a = true.
Proof.
  intros A B D P f safe s a H0 Hstep. apply (loop_is_safe _ (fun _ => P)); [assumption|].
  intros i acc Hi Pa. destruct (Hstep i acc ltac:(lia) Pa) as [S Pn]. rewrite S.
  destruct (N.ltb_spec i (seq_length s)); [auto|lia].
Qed.

(** ** Byte strings *)

Theorem first_difference_never_panics : forall a b, short a -> first_difference_safe a b = true.
Proof.
  intros a b Sa. unfold first_difference_safe. cbv zeta.
  apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i acc Hi _. split; [|exact I].
  unfold short in Sa.
  assert (Bi : i < seq_length a /\ i < seq_length b).
  { destruct (N.ltb_spec (seq_length a) (seq_length b)); lia. }
  unfold first_difference_step_safe, within_usize.
  destruct (N.ltb_spec i (seq_length a)); [|lia]. destruct (N.ltb_spec i (seq_length b)); [|lia].
  destruct (N.ltb_spec (i + 1) (2 ^ 64)); [|lia].
  destruct (acc =? i); cbn [andb]; [destruct (_ =? _); reflexivity|reflexivity].
Qed.

Theorem bytes_less_never_panics : forall a b, short a -> bytes_less_safe a b = true.
Proof. exact first_difference_never_panics. Qed.

Theorem bytes_equal_never_panics : forall a b, short a -> bytes_equal_safe a b = true.
Proof.
  intros a b Sa. unfold bytes_equal_safe. rewrite first_difference_never_panics by assumption.
  destruct (_ =? _); reflexivity.
Qed.

Theorem bytes_at_most_never_panics : forall a b, short b -> bytes_at_most_safe a b = true.
Proof. intros. apply first_difference_never_panics. assumption. Qed.

(** A value that is short, or none. *)
Definition short_content (content : option ByteString) : Prop :=
  match content with
  | Some v => short v
  | None => True
  end.

Theorem contents_equal_never_panics : forall a b, short_content a -> contents_equal_safe a b = true.
Proof. intros [a|] [b|] S; try reflexivity. apply bytes_equal_never_panics. exact S. Qed.

(** Reading a number does not panic when it has at most 16 bytes: that these are bytes, below 256, is what Rust's types say. *)
Theorem number_of_bytes_never_panics : forall bytes,
  seq_length bytes <= 16 -> Forall (fun byte => byte < 256) bytes -> number_of_bytes_safe bytes = true.
Proof.
  intros bytes L B. unfold number_of_bytes_safe. rewrite Forall_forall in B.
  apply (loop_is_safe _ (fun i number => number < 256 ^ i)); [reflexivity|]. intros i number Hi Hn.
  destruct (N.ltb_spec i (seq_length bytes)); [|lia]. cbn [andb].
  pose proof (B _ (seq_at_in _ _ bytes i ltac:(lia))) as Hb. set (byte := seq_at bytes i) in *. clearbody byte.
  assert (Step : number * 256 + byte < 256 ^ (i + 1)).
  { rewrite N.pow_add_r. change (256 ^ 1) with 256. nia. }
  unfold number_of_bytes_step_safe, number_of_bytes_step, u128_of_u8, within_u128. split; [|assumption].
  assert (Most : 256 ^ (i + 1) <= 2 ^ 128).
  { change (2 ^ 128) with (256 ^ 16). apply N.pow_le_mono_r; lia. }
  apply andb_true_iff. rewrite !N.ltb_lt. lia.
Qed.

(** ** Slots *)

Theorem covers_never_panics : forall x k, short (key x) -> short k -> covers_safe x k = true.
Proof.
  intros x k Sx Sk. unfold covers_safe. rewrite !bytes_less_never_panics, bytes_at_most_never_panics by assumption.
  destruct (bytes_less _ _), (bytes_at_most _ _); reflexivity.
Qed.

Theorem precedes_never_panics : forall x k, short (key x) -> short (next x) -> precedes_safe x k = true.
Proof.
  intros x k Sx Sn. unfold precedes_safe. rewrite !bytes_less_never_panics, bytes_at_most_never_panics by assumption.
  destruct (bytes_less (key x) (next x)), (bytes_less (key x) k); reflexivity.
Qed.

Theorem slots_equal_never_panics : forall x y, short_slot x -> slots_equal_safe x y = true.
Proof.
  intros x y (Sk & Sv & Sn). unfold slots_equal_safe. rewrite !bytes_equal_never_panics by assumption.
  destruct (bytes_equal (key x) (key y)), (bytes_equal (value x) (value y)); reflexivity.
Qed.

Theorem slot_contents_equal_never_panics : forall a b,
  (forall x, a = Some x -> short_slot x) -> slot_contents_equal_safe a b = true.
Proof. intros [x|] [y|] S; try reflexivity. apply slots_equal_never_panics. auto. Qed.

Theorem slot_bytes_length_never_panics : forall x, short_slot x -> slot_bytes_length_safe x = true.
Proof.
  intros x (Sk & Sv & Sn). unfold slot_bytes_length_safe, within_usize, short in *.
  rewrite !andb_true_iff, !N.ltb_lt. lia.
Qed.

(** ** Slot maps *)

Theorem put_slot_never_panics : forall slots p content,
  seq_length slots < 2 ^ 64 -> put_slot_safe slots p content = true.
Proof.
  intros slots p content L. unfold put_slot_safe, within_usize. destruct (N.ltb_spec p (seq_length slots)); [|reflexivity].
  rewrite !andb_true_iff, N.ltb_lt, !N.leb_le. lia.
Qed.

(** A write keeps a map addressable. *)
Lemma addressable_put_slot : forall slots p content,
  addressable slots -> p + 1 < 2 ^ 64 -> (forall x, content = Some x -> short_slot x) ->
  addressable (put_slot slots p content).
Proof.
  intros slots p content [L S] Hp C. split.
  - change (seq_length (put_slot slots p content)) with (slot_map_end (put_slot slots p content)).
    rewrite slot_map_end_put_slot. change (slot_map_end slots) with (seq_length slots). lia.
  - unfold live. intros q x E. rewrite slot_at_put_slot in E. destruct (q =? p); [auto|]. exact (S q x E).
Qed.

Lemma addressable_element : forall slots p x, addressable slots -> seq_at slots p = Some x -> short_slot x.
Proof. intros slots p x [_ S] E. apply (S p x). unfold live. rewrite slot_at_seq_at. exact E. Qed.

Theorem covering_position_never_panics : forall slots k,
  addressable slots -> short k -> covering_position_safe slots k = true.
Proof.
  intros slots k A Sk. unfold covering_position_safe.
  apply (loop_over_elements_safe _ _ _ (fun _ => True) _
    (fun found content => match found with Some _ => true | None => content_covers_safe content k end)
    slots None I).
  intros i acc Hi _. split; [|exact I]. destruct acc; [reflexivity|].
  destruct (seq_at slots i) as [x|] eqn:E; [|reflexivity]. apply (addressable_element _ _ _ A) in E.
  apply covers_never_panics; [apply E|assumption].
Qed.

Theorem preceding_position_never_panics : forall slots k,
  addressable slots -> preceding_position_safe slots k = true.
Proof.
  intros slots k A. unfold preceding_position_safe.
  apply (loop_over_elements_safe _ _ _ (fun _ => True) _
    (fun found content => match found with Some _ => true | None => content_precedes_safe content k end)
    slots None I).
  intros i acc Hi _. split; [|exact I]. destruct acc; [reflexivity|].
  destruct (seq_at slots i) as [x|] eqn:E; [|reflexivity]. apply (addressable_element _ _ _ A) in E.
  apply precedes_never_panics; apply E.
Qed.

Theorem covering_slot_never_panics : forall slots k,
  addressable slots -> short k -> covering_slot_safe slots k = true.
Proof. exact covering_position_never_panics. Qed.
