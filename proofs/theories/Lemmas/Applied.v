(** No transaction is applied twice in the life of a dictionary.

    This rests on nothing but the replay set and the intervals of validity: the claims may be false, the hash and the group
    broken. A transaction is what its id binds: interval, nonce and operations, not the claims ([encode_core]).

    - [applied_at_most_once]: of all transactions applied since genesis, no two have the same core;
    - [repeated_id_is_collision]: if two have the same id, two different strings with one digest are at hand. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.SlotMap Dictionary.Array
  Commitment.Scheme Block.Rejection Dictionary.Genesis Block.Transaction Block.State Block.BlockData
  Block.Checks Block.Phases Block.Validator Block.AggregatedBlock Block.Import.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.VectorLemmas Spec.Block.Checks
  Lemmas.BlockChecks Lemmas.AnyBlock Lemmas.ReplayLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section Applied.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variables (setup : Setup) (genesis : Genesis).

(** The transactions that were applied since genesis, in their order, and the state after them: in plain blocks, in aggregated
    ones, or in some of each. Imports apply none. *)
Inductive has_applied : list Transaction -> ValidatorState -> Prop :=
| applied_nothing : has_applied [] (genesis_state setup genesis)
| applied_block : forall applied state any state' effects,
    has_applied applied state -> apply_any setup state any = Ok (state', effects) ->
    has_applied (applied ++ transactions (block_in any)) state'
| applied_import : forall applied state array block state' after,
    has_applied applied state -> apply_import setup state array block = Ok (state', after) ->
    has_applied applied state'.

Let id_of (tx : Transaction) : ByteString := id_of_transaction (id_of_dictionary genesis) tx.

(** What the replay set remembers: each transaction whose last version is not past. *)
Lemma applied_remembered : forall applied state,
  has_applied applied state ->
  dictionary_id state = id_of_dictionary genesis /\
  forall tx, In tx applied -> version state <= last_valid tx ->
    In (replay_entry (id_of_dictionary genesis) tx) (replay_set state).
Proof.
  intros applied state A.
  induction A as [|applied state any state' effects A (D & R) E|applied state array block state' after A (D & R) E].
  - split; [reflexivity|]. intros tx [].
  - destruct (applied_block_fields setup state any state' effects E) as (_ & D' & V & Rs & _).
    split; [congruence|]. intros tx I L. rewrite Rs, D. apply in_replay_set_at. split; [|rewrite V in L; exact L].
    apply in_app_iff. apply in_app_iff in I. destruct I as [I|I]; [left; apply R; [exact I|lia]|right].
    apply in_map. exact I.
  - destruct (applied_import_fields setup state array block state' after E) as (_ & D' & V & Rs).
    split; [congruence|]. intros tx I L. rewrite Rs. apply in_replay_set_at. split; [apply R; [exact I|lia]|].
    rewrite V in L. exact L.
Qed.

(** No two applied transactions agree in their ids and their last versions. *)
Lemma applied_distinct : forall applied state,
  has_applied applied state ->
  forall i j, i < j -> j < seq_length applied ->
    id_of (seq_at applied i) = id_of (seq_at applied j) ->
    last_valid (seq_at applied i) <> last_valid (seq_at applied j).
Proof.
  intros applied state A.
  induction A as [|applied state any state' effects A IH E|applied state array block state' after A IH E]; [| |exact IH].
  - intros i j _ Hj. rewrite seq_length_nil in Hj. lia.
  - destruct (applied_remembered applied state A) as [D R].
    destruct (applied_block_fields setup state any state' effects E) as (_ & _ & _ & _ & _ & P2 & P3).
    set (block := block_in any) in *.
    rewrite phase_interval_ok in P2. rewrite phase_replay_ok in P3. intros i j Hij Hj Same Last.
    rewrite seq_length_app in Hj. rewrite !seq_at_app in Same, Last.
    destruct (N.ltb_spec j (seq_length applied)) as [|New].
    { destruct (N.ltb_spec i (seq_length applied)); [exact (IH i j Hij ltac:(assumption) Same Last)|lia]. }
    set (x := j - seq_length applied) in *. assert (Hx : x < seq_length (transactions block)) by (unfold x; lia).
    pose proof (P2 _ (seq_at_in _ _ _ x Hx)) as (_ & _ & L & _).
    destruct (P3 x) as [Old Block]; [rewrite seq_length_map; exact Hx|].
    assert (Idx : forall y, y < seq_length (transactions block) ->
      seq_at (map (id_of_transaction (dictionary_id state)) (transactions block)) y = id_of (seq_at (transactions block) y)).
    { intros y Hy. rewrite (seq_at_map _ _ Default_Transaction _) by exact Hy. rewrite D. reflexivity. }
    rewrite (Idx x Hx) in Old, Block. destruct (N.ltb_spec i (seq_length applied)) as [Hi|Hi].
    + apply (Old (replay_entry (id_of_dictionary genesis) (seq_at applied i))); [|exact Same].
      apply R; [apply seq_at_in; exact Hi|]. rewrite Last. lia.
    + apply (Block (i - seq_length applied)); [unfold x; lia|]. rewrite Idx by lia. exact Same.
Qed.

Lemma core_last_valid : forall tx1 tx2,
  last_valid tx1 < 2 ^ 64 -> last_valid tx2 < 2 ^ 64 -> encode_core tx1 = encode_core tx2 -> last_valid tx1 = last_valid tx2.
Proof.
  intros tx1 tx2 L1 L2 E. unfold encode_core, u64_bytes, u128_of_usize in E.
  apply app_split in E; [|rewrite !big_endian_length; reflexivity]. destruct E as [_ E].
  apply app_split in E; [|rewrite !big_endian_length; reflexivity]. destruct E as [E _].
  apply big_endian_injective in E; assumption.
Qed.

Section OfLog.

Variables (applied : list Transaction) (state : ValidatorState).
Hypothesis log : has_applied applied state.
(** The numbers fit their type. *)
Hypothesis numbers : forall tx, In tx applied -> last_valid tx < 2 ^ 64.

Theorem applied_at_most_once : forall i j, i < j -> j < seq_length applied ->
  encode_core (seq_at applied i) <> encode_core (seq_at applied j).
Proof.
  intros i j Hij Hj E. apply (applied_distinct applied state log i j Hij Hj).
  - unfold id_of, id_of_transaction. rewrite E. reflexivity.
  - apply core_last_valid; [apply numbers, seq_at_in; lia|apply numbers, seq_at_in; lia|exact E].
Qed.

Theorem repeated_id_is_collision : forall i j, i < j -> j < seq_length applied ->
  id_of_transaction (id_of_dictionary genesis) (seq_at applied i) =
    id_of_transaction (id_of_dictionary genesis) (seq_at applied j) ->
  let x := id_of_dictionary genesis ++ encode_core (seq_at applied i) in
  let y := id_of_dictionary genesis ++ encode_core (seq_at applied j) in
  x <> y /\ tagged_hash tag_transaction x = tagged_hash tag_transaction y.
Proof.
  intros i j Hij Hj E x y. split; [|exact E]. intros X. apply app_split in X; [|reflexivity]. destruct X as [_ X].
  exact (applied_at_most_once i j Hij Hj X).
Qed.

End OfLog.

End Applied.
