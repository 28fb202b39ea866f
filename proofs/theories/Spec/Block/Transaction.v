(** What a transaction's id covers: its core, byte by byte.

    - [operation_splits]: operations can be told apart by their encoding, also with something behind them;
    - [encode_core_injective]: cores with one encoding have one interval, one nonce and the same operations;
    - [accepted_core_fits]: phases 1 and 4 see to the lengths that this needs;
    - [map_transactions_by_cores]: what transactions do to a map depends on their operations alone. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Dictionary.Slot
  Dictionary.KeyMap Dictionary.Genesis Block.Rejection Block.Operation Block.Transaction Block.State
  Block.BlockData Block.Checks Block.Phases Block.Validator Block.Map.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.VectorLemmas Lemmas.RootLemmas Lemmas.Identity
  Safety.BoundsSafe Lemmas.PhaseLemmas Spec.Block.Checks Lemmas.AnyBlock.
Import ListNotations.
Local Open Scope N_scope.

(** Lengths and amounts that the encodings can hold. *)
Definition fits_action (act : Action) : Prop :=
  match act with
  | Action_RequireValue v | Action_Put v => seq_length v < 2 ^ 16
  | Action_Add amount | Action_Sub amount => amount < 2 ^ 64
  | _ => True
  end.
Definition fits_operation (op : Operation) : Prop := seq_length (operation_key op) < 2 ^ 8 /\ fits_action (action op).

Lemma value_splits : splits (fun amount => amount < 2 ^ 64) value_of_number.
Proof.
  intros x y c d X Y E. unfold value_of_number, u128_of_u64 in E.
  apply app_split in E; [|rewrite !big_endian_length; reflexivity]. destruct E as [E ->]. split; [|reflexivity].
  apply big_endian_injective in E; assumption.
Qed.

Lemma operation_splits : splits fits_operation encode_operation.
Proof.
  intros [k act] [k' act'] c d [K A] [K' A'] E. unfold encode_operation in E. cbn [operation_key action] in *.
  change (u8_bytes 0) with [0] in E. change (u8_bytes 1) with [1] in E. change (u8_bytes 2) with [2] in E.
  change (u8_bytes 3) with [3] in E. change (u8_bytes 4) with [4] in E. change (u8_bytes 5) with [5] in E.
  destruct act, act'; cbv zeta in E; rewrite <- !app_assoc in E; cbn [app] in E; try discriminate E;
    apply (f_equal (@tl N)) in E; cbn [tl] in E; apply bytes8_split in E; auto; destruct E as [-> E]; cbn [fits_action] in *.
  - subst. auto.
  - apply bytes16_split in E; auto. destruct E as [-> ->]. auto.
  - apply bytes16_split in E; auto. destruct E as [-> ->]. auto.
  - subst. auto.
  - apply value_splits in E; auto. destruct E as [-> ->]. auto.
  - apply value_splits in E; auto. destruct E as [-> ->]. auto.
Qed.

Lemma encode_operations_flat : forall items, encode_operations items = flat_map encode_operation items.
Proof.
  intros. unfold encode_operations, encode_operations_step.
  rewrite (loop_over_elements _ _ _ (fun e x => e ++ encode_operation x)), fold_append. reflexivity.
Qed.

Section Transaction.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Cores *)

(** One interval, one nonce, the same operations; claims and openings may differ. *)
Definition same_core (tx tx' : Transaction) : Prop :=
  first_valid tx = first_valid tx' /\ last_valid tx = last_valid tx' /\ nonce tx = nonce tx' /\ operations tx = operations tx'.

Definition fits_core (tx : Transaction) : Prop :=
  first_valid tx < 2 ^ 64 /\ last_valid tx < 2 ^ 64 /\ seq_length (nonce tx) = 16 /\
  seq_length (operations tx) < 2 ^ 16 /\ Forall fits_operation (operations tx).

Theorem encode_core_injective : forall tx tx', fits_core tx -> fits_core tx' ->
  encode_core tx = encode_core tx' -> same_core tx tx'.
Proof.
  intros tx tx' (A & B & C & D & O) (A' & B' & C' & D' & O') E. unfold encode_core in E.
  rewrite !encode_operations_flat in E. rewrite <- ?app_assoc in E.
  apply u64_splits in E; auto. destruct E as [E1 E]. apply u64_splits in E; auto. destruct E as [E2 E].
  apply app_split in E; [|congruence]. destruct E as [E3 E]. apply u16_splits in E; auto. destruct E as [L E].
  apply (f_equal (fun x => x ++ [])) in E.
  apply (flat_map_splits _ _ _ operation_splits) in E; auto; [|unfold seq_length in L; clear - L; lia].
  destruct E as [E4 _]. repeat split; assumption.
Qed.

(** ** What the checks see to *)

(** Numbers fit their types. *)
Definition numbers_fit (tx : Transaction) : Prop :=
  first_valid tx < 2 ^ 64 /\ last_valid tx < 2 ^ 64 /\
  forall op amount, In op (operations tx) -> action op = Action_Add amount \/ action op = Action_Sub amount -> amount < 2 ^ 64.

Lemma shape_core_fits : forall p tx, parameters_legal p = true -> shape_good p tx ->
  seq_length (operations tx) <= transaction_operations p -> numbers_fit tx -> fits_core tx.
Proof.
  intros p tx L S C (A & B & O). destruct (legal_bounds p L) as (_ & K & V & T & _).
  destruct S as ((N16 & _) & Ops & _). repeat split; try assumption; [lia|].
  apply Forall_forall. intros op I. destruct (Ops op I) as (_ & Key & Act & _). split; [lia|].
  destruct (action op) eqn:E; cbn [fits_action]; auto.
  - unfold action_too_long in Act. apply N.ltb_ge in Act. lia.
  - unfold action_too_long in Act. apply N.ltb_ge in Act. lia.
  - apply (O op); auto.
  - apply (O op); auto.
Qed.

Theorem accepted_core_fits : forall setup state any state' effects tx, parameters_legal (parameters state) = true ->
  apply_any setup state any = Ok (state', effects) -> In tx (transactions (block_in any)) -> numbers_fit tx -> fits_core tx.
Proof.
  intros setup state any state' effects tx L E I Nf.
  destruct (apply_any_passed setup state any state' effects E) as (e & P & Sz & _).
  destruct (any_size_passed state any Sz) as (_ & _ & T).
  apply (shape_core_fits (parameters state)); [exact L| |exact (proj1 (T tx I))|exact Nf].
  exact (proj1 (phase_shape_ok state (block_in any)) (passed_shape _ _ _ _ P) tx I).
Qed.

(** ** What they do *)

Lemma same_cores_operations : forall items items', Forall2 same_core items items' -> map operations items = map operations items'.
Proof. intros items items' S. induction S as [|tx tx' l l' (_ & _ & _ & E) _ IH]; [reflexivity|]. cbn [map]. rewrite E, IH. reflexivity. Qed.

(** Transactions with the same operations, in the same order, do the same to every map. *)
Theorem map_transactions_by_cores : forall entries items items',
  Forall2 same_core items items' -> map_transactions entries items = map_transactions entries items'.
Proof.
  intros entries items items' S. unfold map_transactions.
  assert (L : seq_length items = seq_length items').
  { clear -S. induction S as [|? ? ? ? _ _ IH]; [reflexivity|]. rewrite !seq_length_cons, IH. reflexivity. }
  rewrite <- L. apply fold_left_same. intros run x I. apply in_range in I.
  assert (E : operations (seq_at items x) = operations (seq_at items' x)).
  { pose proof (same_cores_operations _ _ S) as M.
    rewrite <- (seq_at_map _ _ Default_Transaction Default_list operations items) by lia.
    rewrite <- (seq_at_map _ _ Default_Transaction Default_list operations items') by lia. rewrite M. reflexivity. }
  unfold map_transactions_step. rewrite E. reflexivity.
Qed.

(** ** Ids *)

(** One id, one core, or two different strings with one digest. *)
Theorem equal_ids_equal_cores : forall dictionary tx tx', fits_core tx -> fits_core tx' ->
  id_of_transaction dictionary tx = id_of_transaction dictionary tx' ->
  same_core tx tx' \/
  (dictionary ++ encode_core tx <> dictionary ++ encode_core tx' /\
   tagged_hash tag_transaction (dictionary ++ encode_core tx) = tagged_hash tag_transaction (dictionary ++ encode_core tx')).
Proof.
  intros dictionary tx tx' X Y E. destruct (list_eq_dec N.eq_dec (encode_core tx) (encode_core tx')) as [C|C].
  - left. exact (encode_core_injective tx tx' X Y C).
  - right. split; [|exact E]. intros Z. apply C. exact (app_inv_head _ _ _ Z).
Qed.

(** Pairwise one id: pairwise one core, or there are two such strings. *)
Theorem equal_ids_same_cores : forall dictionary items items', Forall fits_core items -> Forall fits_core items' ->
  Forall2 (fun tx tx' => id_of_transaction dictionary tx = id_of_transaction dictionary tx') items items' ->
  Forall2 same_core items items' \/
  exists tx tx', In tx items /\ In tx' items' /\
    let x := dictionary ++ encode_core tx in
    let y := dictionary ++ encode_core tx' in
    x <> y /\ tagged_hash tag_transaction x = tagged_hash tag_transaction y.
Proof.
  intros dictionary items items' X Y S. induction S as [|tx tx' l l' E S IH]; [left; constructor|].
  inversion X as [|? ? X1 X2]; inversion Y as [|? ? Y1 Y2]; subst.
  destruct (equal_ids_equal_cores dictionary tx tx' X1 Y1 E) as [C|C].
  - destruct (IH X2 Y2) as [R|(u & u' & I & I' & R)]; [left; constructor; assumption|].
    right. exists u, u'. split; [right; exact I|]. split; [right; exact I'|exact R].
  - right. exists tx, tx'. split; [left; reflexivity|]. split; [left; reflexivity|exact C].
Qed.

End Transaction.
