(** What the loops of the tail compute, position by position, and the arithmetic of the tail's start. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Scheme Block.Rejection Dictionary.Genesis Dictionary.Vectors Block.Tail.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.SlotMapLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section Tail.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Laying slots *)

Lemma slot_at_lay_slots : forall below start slots p,
  slot_at (lay_slots below start slots) p =
  if (start <=? p) && (p <? start + seq_length slots) then Some (seq_at slots (p - start)) else slot_at below p.
Proof.
  intros below start slots p. unfold lay_slots.
  apply (loop_invariant _ (fun i laid =>
    slot_at laid p = if (start <=? p) && (p <? start + i) then Some (seq_at slots (p - start)) else slot_at below p)).
  - lia.
  - replace (p <? start + 0) with (negb (start <=? p)).
    + destruct (start <=? p); reflexivity.
    + rewrite N.add_0_r. destruct (N.leb_spec start p), (N.ltb_spec p start); reflexivity || lia.
  - intros i laid Hi H. unfold lay_slots_step. rewrite slot_at_put_slot, H.
    destruct (N.eqb_spec p (start + i)) as [->|Hne].
    + replace (start <=? start + i) with true by (symmetry; apply N.leb_le; lia).
      replace (start + i <? start + (i + 1)) with true by (symmetry; apply N.ltb_lt; lia).
      cbn [andb]. do 2 f_equal. lia.
    + destruct (N.leb_spec start p); cbn [andb]; [|reflexivity].
      destruct (N.ltb_spec p (start + i)), (N.ltb_spec p (start + (i + 1))); reflexivity || lia.
Qed.

(** ** Taking slots *)

Lemma slots_from_spec : forall slots start stop,
  match slots_from slots start stop with
  | Some taken => seq_length taken = stop - start /\
                  forall i, i < seq_length taken -> slot_at slots (start + i) = Some (seq_at taken i)
  | None => exists p, start <= p < stop /\ slot_at slots p = None
  end.
Proof.
  intros slots start stop. unfold slots_from. destruct (N.leb_spec start stop) as [L|L].
  - apply (loop_invariant _ (fun k found => match found with
      | Some taken => seq_length taken = k - start /\
                      forall i, i < seq_length taken -> slot_at slots (start + i) = Some (seq_at taken i)
      | None => exists p, start <= p < stop /\ slot_at slots p = None
      end)); [assumption| |].
    + split; [rewrite seq_length_nil; lia|]. intros i Hi. rewrite seq_length_nil in Hi. lia.
    + intros k [taken|] Hk H; [|exact H]. cbn [slots_from_step]. destruct (slot_at slots k) as [x|] eqn:E.
      * destruct H as [Hl H]. split; [rewrite seq_length_app, Hl; change (seq_length [x]) with 1; lia|].
        intros i Hi. rewrite seq_length_app in Hi. change (seq_length [x]) with 1 in Hi. rewrite seq_at_app.
        destruct (N.ltb_spec i (seq_length taken)); [apply H; assumption|].
        replace i with (seq_length taken) by lia. rewrite N.sub_diag, Hl. replace (start + (k - start)) with k by lia. exact E.
      * exists k. auto.
  - rewrite range_empty by lia. cbn [fold_left]. split; [rewrite seq_length_nil; lia|].
    intros i Hi. rewrite seq_length_nil in Hi. lia.
Qed.

Lemma slots_from_some : forall slots start stop,
  (forall p, start <= p < stop -> slot_at slots p <> None) -> exists taken, slots_from slots start stop = Some taken.
Proof.
  intros slots start stop H. pose proof (slots_from_spec slots start stop) as S.
  destruct (slots_from slots start stop) as [taken|]; [exists taken; reflexivity|]. destruct S as (p & Hp & E).
  destruct (H p Hp E).
Qed.

(** Maps that agree on the positions give the same slots. *)
Lemma slots_from_same : forall slots slots' start stop,
  (forall p, start <= p < stop -> slot_at slots p = slot_at slots' p) ->
  slots_from slots start stop = slots_from slots' start stop.
Proof.
  intros slots slots' start stop H. unfold slots_from. apply fold_left_same. intros acc p Hp. apply in_range in Hp.
  rewrite H by assumption. reflexivity.
Qed.

(** ** The vectors of a block's tail *)

(** Item [i] is vector [start / n - 1 - i]; all positions from there to [start] are in the first [i + 1] items. *)
Lemma tail_vector_number_spec : forall start n i, 1 <= n -> (exists k, start = n * k) ->
  match tail_vector_number start n i with
  | Some number => number * n + n * (i + 1) = start
  | None => start < n * (i + 1)
  end.
Proof.
  intros start n i Hn [k ->]. unfold tail_vector_number. rewrite (N.mul_comm n k), N.div_mul by lia.
  destruct (N.ltb_spec i k); nia.
Qed.

(** The vectors are whole and hold what the map holds. *)
Definition vectors_true (slots : SlotMap) (start n : N) (vectors : list (list Slot)) : Prop :=
  forall i, i < seq_length vectors ->
  exists number, tail_vector_number start n i = Some number /\ seq_length (seq_at vectors i) = n /\
    forall j, j < n -> slot_at slots (number * n + j) = Some (seq_at (seq_at vectors i) j).

Lemma slot_at_lay_tail_vectors : forall slots below start n vectors p,
  1 <= n -> (exists k, start = n * k) -> vectors_true slots start n vectors ->
  slot_at (lay_tail_vectors below start n vectors) p =
  if (start - n * seq_length vectors <=? p) && (p <? start) then slot_at slots p else slot_at below p.
Proof.
  intros slots below start n vectors p Hn M T. unfold lay_tail_vectors.
  apply (loop_invariant _ (fun i laid =>
    slot_at laid p = if (start - n * i <=? p) && (p <? start) then slot_at slots p else slot_at below p)).
  - lia.
  - rewrite N.mul_0_r, N.sub_0_r. destruct (N.leb_spec start p), (N.ltb_spec p start); reflexivity || lia.
  - intros i laid Hi H. unfold lay_tail_vector. destruct (T i) as (number & E & L & C); [lia|].
    pose proof (tail_vector_number_spec start n i Hn M) as Q. rewrite E in *. rewrite slot_at_lay_slots, L, H.
    rewrite N.mul_add_distr_l, N.mul_1_r in *. remember (n * i) as ni eqn:Ni. remember (number * n) as first eqn:Nf.
    destruct (N.leb_spec first p), (N.ltb_spec p (first + n)), (N.leb_spec (start - ni) p), (N.ltb_spec p start),
      (N.leb_spec (start - (ni + n)) p); cbn [andb]; try lia; try lia; try reflexivity.
    rewrite <- C by lia. f_equal. lia.
Qed.

(** ** The tail's start *)

Lemma ceiling : forall x n, 1 <= n -> x <= n * ((x + n - 1) / n) /\ n * ((x + n - 1) / n) < x + n.
Proof.
  intros x n Hn. pose proof (N.div_mod' (x + n - 1) n) as D. assert (M : (x + n - 1) mod n < n) by (apply N.mod_lt; lia).
  revert D M. generalize (n * ((x + n - 1) / n)) as q, ((x + n - 1) mod n) as r. intros q r D M. lia.
Qed.

Lemma tail_needed_spec : forall start s n, 1 <= n -> (exists k, start = n * k) ->
  let needed := tail_needed start s n in
  n * needed <= start /\ start - n * needed <= s \/ needed = 0 /\ start <= s.
Proof.
  intros start s n Hn [k ->] needed. unfold needed, tail_needed. destruct (N.ltb_spec s (n * k)); [left|right; lia].
  destruct (ceiling (n * k - s) n Hn) as [A B]. set (c := (n * k - s + n - 1) / n) in *.
  assert (c <= k). { assert (n * c < n * (k + 1)) by nia. nia. }
  split; nia.
Qed.

Lemma tail_needed_most : forall start s n, 1 <= n -> (exists k, start = n * k) -> n * tail_needed start s n <= start.
Proof. intros start s n Hn M. destruct (tail_needed_spec start s n Hn M) as [[H _]|[H _]]; [exact H|]. rewrite H. lia. Qed.

Lemma tail_needed_reaches : forall start s n, 1 <= n -> (exists k, start = n * k) -> start - n * tail_needed start s n <= s.
Proof. intros start s n Hn M. destruct (tail_needed_spec start s n Hn M) as [[_ H]|[H L]]; [exact H|]. rewrite H. lia. Qed.

Lemma tail_needed_least : forall start s n i, 1 <= n -> i < tail_needed start s n -> s < start - n * i.
Proof.
  intros start s n i Hn. unfold tail_needed. destruct (N.ltb_spec s start); [|lia]. intros Hi.
  destruct (ceiling (start - s) n Hn) as [A B]. set (c := (start - s + n - 1) / n) in *. nia.
Qed.

Lemma tail_floor_spec : forall s n, 1 <= n -> (exists k, tail_floor s n = n * k) /\ tail_floor s n <= s.
Proof.
  intros s n Hn. unfold tail_floor. destruct (N.ltb_spec 0 (s / n)).
  - split; [exists (s / n - 1); reflexivity|]. apply N.le_trans with (n * (s / n)).
    + apply N.mul_le_mono_l. lia.
    + apply N.mul_div_le. lia.
  - split; [exists 0; lia|lia].
Qed.

Lemma tail_start_after_spec : forall start s n, 1 <= n -> (exists k, start = n * k) ->
  let start' := tail_start_after start s n in
  (exists k, start' = n * k) /\ start' <= s /\ tail_floor s n <= start' /\ start - n * tail_needed start s n <= start'.
Proof.
  intros start s n Hn M start'. unfold start', tail_start_after.
  pose proof (tail_needed_most start s n Hn M) as A. pose proof (tail_needed_reaches start s n Hn M) as B.
  destruct (tail_floor_spec s n Hn) as [[f Hf] Lf]. destruct M as [k ->]. set (needed := tail_needed (n * k) s n) in *.
  cbv zeta. replace (n * needed <=? n * k) with true by (symmetry; apply N.leb_le; assumption).
  destruct (N.ltb_spec (n * k - n * needed) (tail_floor s n)).
  - split; [exists f; assumption|]. lia.
  - split; [exists (k - needed); nia|]. lia.
Qed.

End Tail.
