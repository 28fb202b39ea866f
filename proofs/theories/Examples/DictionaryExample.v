(** The premises of the theorems about the dictionary can be met: a short history, computed.

    Block 1 puts three keys into the empty dictionary; block 2 updates one, deletes one (the slot of the last position moves
    into its place) and inserts two, before the smallest and behind the largest key. Each theorem's premises are then shown
    of these very arrays, and its conclusion is drawn, so that none of them speaks of nothing. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array
  Dictionary.Changes.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas Spec.Dictionary.Array Lemmas.ChangeMaps
  Spec.Dictionary.Changes.
Import ListNotations.
Local Open Scope N_scope.

(** ** The history *)

Definition key_a : ByteString := [97].
Definition key_ab : ByteString := [97; 98].
Definition key_c : ByteString := [99].
Definition key_m : ByteString := [109].
Definition key_z : ByteString := [122; 0].

Definition block_1 : ChangeMap :=
  [ {| change_key := key_ab; change_before := None; change_after := Some [1] |};
    {| change_key := key_c; change_before := None; change_after := Some [] |};
    {| change_key := key_m; change_before := None; change_after := Some [3] |} ].

Definition block_2 : ChangeMap :=
  [ {| change_key := key_a; change_before := None; change_after := Some [4] |};
    {| change_key := key_ab; change_before := Some [1]; change_after := None |};
    {| change_key := key_m; change_before := Some [3]; change_after := Some [5; 6] |};
    {| change_key := key_z; change_before := None; change_after := Some [7] |} ].

(** The array after a block, or an empty one when it cannot be applied: which the theorems below exclude. *)
Definition after (a : Array) (changes : ChangeMap) : Array :=
  match apply_changes a changes with
  | Some b => b
  | None => {| array_size := 0; array_slots := [] |}
  end.

Definition array_1 : Array := after empty_array block_1.
Definition array_2 : Array := after array_1 block_2.

(** Written out: positions in order, and the freed position 1 holds what stood last. *)
Example array_2_slots :
  array_slots array_2 =
  [ Some {| key := []; value := []; next := key_a |};
    Some {| key := key_z; value := [7]; next := [] |};
    Some {| key := key_c; value := []; next := key_m |};
    Some {| key := key_m; value := [5; 6]; next := key_z |};
    Some {| key := key_a; value := [4]; next := key_c |};
    None ] /\ array_size array_2 = 5.
Proof. split; vm_compute; reflexivity. Qed.

(** ** The premises *)

Ltac ascending := unfold changes_ascend; repeat constructor.

Ltac true_changes := unfold changes_true; repeat constructor; discriminate.

Example block_1_ascends : changes_ascend block_1.
Proof. ascending. Qed.

Example block_1_true : changes_true empty_array block_1.
Proof. true_changes. Qed.

Example block_2_ascends : changes_ascend block_2.
Proof. ascending. Qed.

Example block_2_true : changes_true array_1 block_2.
Proof. true_changes. Qed.

(** ** The conclusions, drawn from the theorems *)

Lemma after_well_formed : forall a changes,
  well_formed a -> changes_ascend changes -> changes_true a changes ->
  well_formed (after a changes) /\ apply_changes a changes = Some (after a changes).
Proof.
  intros a changes W S T. destruct (apply_changes_succeeds a changes W S T) as (b & E & Wb).
  unfold after. rewrite E. auto.
Qed.

Example array_1_well_formed : well_formed array_1.
Proof. apply (after_well_formed empty_array block_1 empty_well_formed block_1_ascends block_1_true). Qed.

Example array_2_well_formed : well_formed array_2.
Proof. apply (after_well_formed array_1 block_2 array_1_well_formed block_2_ascends block_2_true). Qed.

Example array_2_map : forall k, map_of array_2 k = map_after (map_of array_1) block_2 k.
Proof.
  apply apply_changes_map; [exact array_1_well_formed|exact block_2_ascends|exact block_2_true|].
  apply (after_well_formed array_1 block_2 array_1_well_formed block_2_ascends block_2_true).
Qed.

Example array_2_size : array_size array_2 = size_after (array_size array_1) block_2.
Proof.
  apply apply_changes_size; [exact array_1_well_formed|exact block_2_ascends|exact block_2_true|].
  apply (after_well_formed array_1 block_2 array_1_well_formed block_2_ascends block_2_true).
Qed.

(** A proof of membership, and two of absence: between two keys, and behind the largest. *)
Example membership : map_of array_2 key_m = Some [5; 6].
Proof.
  apply (membership_sound array_2 3 {| key := key_m; value := [5; 6]; next := key_z |});
    [exact array_2_well_formed|discriminate|vm_compute; reflexivity|reflexivity|reflexivity].
Qed.

Example absence_between : map_of array_2 key_ab = None.
Proof.
  apply (nonmembership_sound array_2 4 {| key := key_a; value := [4]; next := key_c |});
    [exact array_2_well_formed|vm_compute; reflexivity|reflexivity|discriminate].
Qed.

Example absence_behind : map_of array_2 [255] = None.
Proof.
  apply (nonmembership_sound array_2 1 {| key := key_z; value := [7]; next := [] |});
    [exact array_2_well_formed|vm_compute; reflexivity|reflexivity|discriminate].
Qed.

(** The premises of the single operations. *)
Example update_premise : map_of array_2 key_c <> None.
Proof. vm_compute. discriminate. Qed.

Example update_done : exists b, array_update array_2 key_c [8] = Some b /\ well_formed b /\
  array_lookup b key_c = Some (Some [8]) /\ array_lookup b key_m = array_lookup array_2 key_m.
Proof.
  destruct (update_well_formed array_2 key_c [8] array_2_well_formed update_premise) as (b & E & W & _).
  exists b. split; [assumption|]. split; [assumption|].
  split; rewrite (update_lookup array_2 b key_c [8] array_2_well_formed update_premise E) by discriminate; reflexivity.
Qed.

Example insert_done : exists b, array_insert array_2 key_ab [9] = Some b /\ well_formed b /\
  array_lookup b key_ab = Some (Some [9]) /\ array_lookup b key_m = array_lookup array_2 key_m.
Proof.
  destruct (insert_well_formed array_2 key_ab [9] array_2_well_formed ltac:(discriminate) absence_between)
    as (b & E & W & _).
  exists b. split; [assumption|]. split; [assumption|].
  split; rewrite (insert_lookup array_2 b key_ab [9] array_2_well_formed ltac:(discriminate) absence_between E)
    by discriminate; reflexivity.
Qed.

Example delete_done : exists b, array_delete array_2 key_c = Some b /\ well_formed b /\
  array_lookup b key_c = Some None /\ array_lookup b key_m = array_lookup array_2 key_m.
Proof.
  destruct (delete_well_formed array_2 key_c array_2_well_formed update_premise) as (b & E & W & _).
  exists b. split; [assumption|]. split; [assumption|].
  split; rewrite (delete_lookup array_2 b key_c array_2_well_formed update_premise E) by discriminate; reflexivity.
Qed.

(** Two slots that an encoding without lengths would confuse. *)
Example encoding_tells_apart :
  encode_slot {| key := [1]; value := [3]; next := [2] |} <> encode_slot {| key := [1; 2]; value := [3]; next := [] |}.
Proof.
  intros E. apply encode_slot_injective in E; [discriminate| | | |]; reflexivity.
Qed.
