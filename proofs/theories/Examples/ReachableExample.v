(** The premises of the end-to-end theorems can be met: a short history, computed.

    Scalars are those of BLS12-381; the hash is a toy (the sum of the bytes) that has collisions for the asking. Five keys at
    genesis, N = 2, W = 1. Block 1 puts a key. Block 2 deletes four keys on claims that are one version old, so that the
    array ends below the tail, and brings the tail vector that is lacking. Block 1 comes in aggregated form, without openings,
    block 2 in plain form.

    - [example_reachable]: both blocks are accepted, and the states and arrays are reachable;
    - [example_end]: what the map is after them;
    - [example_import]: an archive's import after them is accepted, and leads to a reachable state;
    - [example_honest]: the transactions' claims and the tail are those of an honest archive;
    - [example_forgery]: a claim of a slot with another value but the same hash is accepted, plain or aggregated, and what is
      found is the collision;
    - [example_counted]: an aggregated block with a false claim is accepted under a first challenge that is among the counted,
      and what is found is the false claim. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Hash Base.Bytes Dictionary.Slot
  Dictionary.SlotMap Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.LibertYung
  Commitment.Scheme Block.Rejection Block.Operation Dictionary.KeyMap Dictionary.Genesis Dictionary.Changes
  Dictionary.Writes Dictionary.Vectors Dictionary.Window Block.Tail Block.Transaction Block.State
  Block.BlockData Block.View Block.Checks Block.Execution Block.Phases Block.Validator Block.AggregatedBlock
  Block.Import Block.Map Block.Prover.
From Aardvark Require Import Lemmas.Field Examples.ModularScalars.
From Aardvark Require Spec.Commitment.Scheme Spec.Commitment.Aggregation Lemmas.HonestAggregation.
From Aardvark Require Import Lemmas.WellFormed Lemmas.Ideal Lemmas.History Spec.Block.State
  Lemmas.PublicParameters Lemmas.Break Lemmas.AnyBlock Lemmas.Openings Lemmas.AggregatedBreak
  Spec.Block.Validator Lemmas.Completeness Lemmas.Reachable.
Import ListNotations.
Local Open Scope N_scope.

#[local] Instance toy_hash : HashGiven := {|
  tagged_hash tag x := [fold_left N.add x 0 mod 256];
  hash_to_scalar x tag := scalar_of_N (1 + fold_left N.add x 0);
|}.

Definition setup : Setup := Setup_Kzg (kzg_setup 2 (scalar_of_N 5)).

Definition example_parameters : Parameters := {|
  scheme := 1; vector_size := 2; window_length := 1; max_key_length := 8; max_value_length := 8;
  transaction_operations := 16; transaction_claims := 16; transaction_bytes := 100000;
  block_transactions := 16; block_operations := 64; block_claims := 64; block_bytes := 1000000;
|}.

Definition entry_at (k v : N) : KeyEntry := {| entry_key := [k]; entry_value := [v; v + 1] |}.

Definition genesis : Genesis := {|
  genesis_name := [101; 103];
  genesis_salt := seq_new 32;
  genesis_parameters := example_parameters;
  genesis_setup_digest := seq_new 32;
  genesis_entries := [entry_at 10 1; entry_at 20 2; entry_at 30 3; entry_at 40 4; entry_at 50 5];
  genesis_binding := [];
|}.

Definition array_0 : Array := genesis_array (genesis_entries genesis).
Definition state_0 : ValidatorState := genesis_state setup genesis.

Definition operation_on (k : N) (act : Action) : Operation := {| operation_key := [k]; action := act |}.

(** A transaction with an honest archive's claims for version 0. *)
Definition transaction_of (items : list Operation) : Transaction := {|
  first_valid := 1; last_valid := 2; nonce := seq_new 16; operations := items; claims := honest_claims setup array_0 items;
|}.

Definition puts : Transaction := transaction_of [operation_on 35 (Action_Put [9])].
Definition deletes : Transaction :=
  transaction_of [operation_on 10 Action_Delete; operation_on 20 Action_Delete; operation_on 40 Action_Delete;
                  operation_on 50 Action_Delete; operation_on 30 (Action_RequireValue [3; 4])].

Definition block_1 : Block := {| block_version := 1; transactions := [puts]; tail_vectors := [] |}.

(** A block's aggregated form as it is sent: one point for each index, and no openings. The challenges are any numbers. *)
Definition merged (state : ValidatorState) (block : Block) : AnyBlock :=
  let rho := [scalar_of_N 7; scalar_of_N 11; scalar_of_N 13; scalar_of_N 17; scalar_of_N 19; scalar_of_N 23] in
  Aggregated (reopen_aggregated (fun _ _ => Opening_Malformed) (HonestAggregation.aggregate state block rho)) rho
    [scalar_of_N 29; scalar_of_N 31].

Definition state_after (state : ValidatorState) (any : AnyBlock) : ValidatorState :=
  match apply_any setup state any with Ok (s, _) => s | Err _ => state end.
Definition array_of (a : Array) (any : AnyBlock) : Array :=
  match ideal_array a (block_in any) with Some b => b | None => a end.

Definition sent_1 : AnyBlock := merged state_0 block_1.
Definition state_1 : ValidatorState := state_after state_0 sent_1.
Definition array_1 : Array := array_of array_0 sent_1.

Definition block_2 : Block := {|
  block_version := 2; transactions := [deletes]; tail_vectors := honest_tail_vectors array_1 (tail_start state_1) 2 1;
|}.
Definition state_2 : ValidatorState := state_after state_1 (Plain block_2).
Definition array_2 : Array := array_of array_1 (Plain block_2).

Lemma setup_made : Scheme.well_made setup.
Proof.
  exists 2, (scalar_of_N 5). split; [reflexivity|]. split; [lia|]. split; [reflexivity|].
  intros E. apply (f_equal residue) in E. revert E. vm_compute. discriminate.
Qed.

Lemma genesis_is_legal : genesis_legal genesis = true.
Proof. vm_compute. reflexivity. Qed.

(** The block is accepted and shows no break, and its operations succeed on the whole array. *)
Definition good_step (h : History) (state : ValidatorState) (any : AnyBlock) : Prop :=
  match apply_any setup state any with Ok _ => true | Err _ => false end = true /\
  match find_break_in setup h state any with None => true | Some _ => false end = true /\
  match ideal_array (latest h) (block_in any) with Some _ => true | None => false end = true.

Lemma good_step_some : forall h state any, good_step h state any ->
  exists effects, apply_any setup state any = Ok (state_after state any, effects) /\
    find_break_in setup h state any = None /\ ideal_array (latest h) (block_in any) = Some (array_of (latest h) any).
Proof.
  intros h state any (A & B & I). unfold state_after, array_of.
  destruct (apply_any setup state any) as [[s f]|]; [|discriminate].
  destruct (find_break_in setup h state any); [discriminate|].
  destruct (ideal_array (latest h) (block_in any)); [|discriminate]. exists f. auto.
Qed.

(** Both blocks are such, by computation. *)
Lemma steps_good : good_step [array_0] state_0 sent_1 /\ good_step [array_0; array_1] state_1 (Plain block_2).
Proof. split; (split; [|split]); vm_cast_no_check (eq_refl true). Qed.

Lemma example_step : forall h state any,
  reachable setup genesis h state -> good_step h state any ->
  reachable setup genesis (h ++ [array_of (latest h) any]) (state_after state any).
Proof.
  intros h state any R G. destruct (good_step_some h state any G) as (effects & A & B & I).
  exact (reachable_block setup genesis h state any _ effects _ R A B I).
Qed.

Theorem example_reachable :
  reachable setup genesis [array_0; array_1] state_1 /\ reachable setup genesis [array_0; array_1; array_2] state_2.
Proof.
  assert (R1 : reachable setup genesis [array_0; array_1] state_1)
    by exact (example_step [array_0] state_0 sent_1 (reachable_genesis setup genesis) (proj1 steps_good)).
  split; [exact R1|]. exact (example_step [array_0; array_1] state_1 (Plain block_2) R1 (proj2 steps_good)).
Qed.

Theorem example_end : map_of_array array_2 =
  [{| entry_key := [30]; entry_value := [3; 4] |}; {| entry_key := [35]; entry_value := [9] |}] /\
  seq_length (tail_vectors block_2) = 1 /\ size state_2 = 3 /\ version state_2 = 2.
Proof. vm_compute. auto. Qed.

(** An import: a key with a new value, and the removal of another. *)
Definition import_3 : ImportBlock := {|
  import_version := 3;
  import_changes := [{| import_key := [20]; import_content := Some [7] |}; {| import_key := [30]; import_content := None |}];
|}.
Definition imported_after (h : History) (state : ValidatorState) (block : ImportBlock) : ValidatorState * Array :=
  match apply_import setup state (latest h) block with Ok after => after | Err _ => (state, latest h) end.

Lemma import_step : forall h state block,
  reachable setup genesis h state ->
  match apply_import setup state (latest h) block with Ok _ => true | Err _ => false end = true ->
  reachable setup genesis (h ++ [snd (imported_after h state block)]) (fst (imported_after h state block)).
Proof.
  intros h state block R A. unfold imported_after. destruct (apply_import setup state (latest h) block) as [[s a]|] eqn:E;
    [|discriminate].
  exact (reachable_import setup genesis h state block s a R E).
Qed.

Definition history_2 : History := [array_0; array_1; array_2].

Lemma import_good : match apply_import setup state_2 (latest history_2) import_3 with Ok _ => true | Err _ => false end = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem example_import :
  reachable setup genesis (history_2 ++ [snd (imported_after history_2 state_2 import_3)])
    (fst (imported_after history_2 state_2 import_3)) /\
  version (fst (imported_after history_2 state_2 import_3)) = 3 /\
  map_of_array (snd (imported_after history_2 state_2 import_3)) =
    [{| entry_key := [20]; entry_value := [7] |}; {| entry_key := [35]; entry_value := [9] |}].
Proof.
  split; [|split; vm_compute; reflexivity]. exact (import_step history_2 state_2 import_3 (proj2 example_reachable) import_good).
Qed.

Theorem example_honest :
  honest_transaction setup [array_0; array_1] deletes /\ claims_version deletes = 0 /\ now [array_0; array_1] = 1.
Proof.
  split; [|split; reflexivity]. unfold honest_transaction. change (array_at [array_0; array_1] (claims_version deletes)) with array_0.
  unfold deletes, transaction_of. cbn [claims operations]. reflexivity.
Qed.

(** The forged claim: the value of key 30 with its bytes exchanged has the same sum of bytes. *)
Definition forged (c : Claim) : Claim := {|
  claim_position := claim_position c;
  claim_slot := {| key := key (claim_slot c); value := rev (value (claim_slot c)); next := next (claim_slot c) |};
  claim_opening := claim_opening c;
|}.
Definition lies : Transaction :=
  let honest := transaction_of [operation_on 30 (Action_RequireValue [4; 3])] in
  {| first_valid := 1; last_valid := 2; nonce := seq_new 16; operations := operations honest; claims := map forged (claims honest) |}.
Definition lying_block : Block := {| block_version := 1; transactions := [lies]; tail_vectors := [] |}.

(** It is accepted in either form; its transactions fail on the map; and the collision is found. *)
Definition collision_found (any : AnyBlock) : bool :=
  match apply_any setup state_0 any, map_transactions (map_of_array array_0) (transactions (block_in any)) with
  | Ok _, Err _ =>
      match find_break_in setup [array_0] state_0 any with
      | Some (Found (SameScalar x y)) =>
          bytes_equal (value x) [3; 4] && bytes_equal (value y) [4; 3] && bytes_equal (key x) (key y)
      | _ => false
      end
  | _, _ => false
  end.

Theorem example_forgery :
  collision_found (Plain lying_block) = true /\ collision_found (merged state_0 lying_block) = true.
Proof. split; vm_compute; reflexivity. Qed.

(** A claim of a slot with another hash, in an aggregated block with the challenges that are given. *)
Definition mistaken (c : Claim) : Claim := {|
  claim_position := claim_position c;
  claim_slot := {| key := key (claim_slot c); value := [8]; next := next (claim_slot c) |};
  claim_opening := claim_opening c;
|}.
Definition mistakes : Transaction :=
  let honest := transaction_of [operation_on 30 (Action_RequireValue [8])] in
  {| first_valid := 1; last_valid := 2; nonce := seq_new 16; operations := operations honest; claims := map mistaken (claims honest) |}.
Definition mistaken_block (rho : Scalar) : AnyBlock :=
  let block := {| block_version := 1; transactions := [mistakes]; tail_vectors := [] |} in
  Aggregated (HonestAggregation.aggregate state_0 block [rho]) [rho] [scalar_of_N 29].

(** With most first challenges it is refused. With 0 it is accepted; and 0 is counted. *)
Definition counted_found (any : AnyBlock) : bool :=
  match any, find_break_in setup [array_0] state_0 any with
  | Aggregated aggregated rho gamma, Some (FalseClaim j power) =>
      let batch := claimed_batch 2 state_0 (plain_block aggregated) in
      let honest := honest_claims_for (open setup) 2 [array_0] state_0 (plain_block aggregated) in
      let i := batch_index (seq_at batch j) in
      negb (Aggregation.is_missing_power setup i power) && Aggregation.first_counted batch honest rho i
  | _, _ => false
  end.

Theorem example_counted :
  match apply_any setup state_0 (mistaken_block (scalar_of_N 7)) with Ok _ => true | Err _ => false end = false /\
  match apply_any setup state_0 (mistaken_block (scalar_of_N 0)) with Ok _ => true | Err _ => false end = true /\
  counted_found (mistaken_block (scalar_of_N 0)) = true.
Proof. split; [|split]; vm_compute; reflexivity. Qed.
