(** Theorems for auditors: the order of keys, the ring of slots, answers, operations, and blocks on arrays and maps.

    To understand a statement of this file you need this file and the generated definitions, nothing else: what it needs
    besides is defined here in generated names, and no other theory is imported. The proofs are one line each: they are
    in the theories that the line names, whose definitions are, or unfold to, the ones of this file.

    - [bytes_lt_strict_total_order]: the order of byte strings is a strict total order; [bytes_lt_lexicographic]: the lexicographic one.
    - [encode_slot_injective]: two slots with one encoding are the same slot; [equal_scalars_are_collision]: two slots with one
      scalar are a collision of the hash into the scalars.
    - [covering_slot_exists], [covering_slot_unique]: in a well-formed array exactly one slot covers each key, and it is found.
    - [membership_sound], [nonmembership_sound], [lookup_correct]: what the covering slot says of a key is what the map says.
    - [update_well_formed], [insert_well_formed], [delete_well_formed]: each operation succeeds where it makes sense and keeps
      the array well-formed.
    - [update_lookup], [insert_lookup], [delete_lookup]: each operation changes the answer for its key, and no other answer.
    - [genesis_well_formed]: the array of a legal genesis is well-formed, and stands for the genesis entries.
    - [view_simulates_dictionary]: changes applied to a part of the array write what they write on the whole array.
    - [block_refines_sequential_map]: a block's net changes are what its transactions do to a map one after the other. *)
From Coq Require Import NArith List Sorted.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Block.Rejection Block.Operation Dictionary.Genesis Dictionary.Changes
  Dictionary.Writes Block.Transaction Block.BlockData Block.Execution Block.Map.
From Aardvark Require Lemmas.WellFormed Spec.Base.Bytes Spec.Dictionary.Slot Spec.Dictionary.SlotMap
  Spec.Dictionary.Array Lemmas.ChangeMaps Spec.Block.Execution Spec.Dictionary.Genesis Lemmas.Simulation.
Import ListNotations.
Local Open Scope N_scope.

(** ** Definitions *)

(** [a] comes strictly before [b]. *)
Definition before (a b : ByteString) : Prop := bytes_less a b = true.

(** Position [p] holds the slot [x]. *)
Definition holds (slots : SlotMap) (p : N) (x : Slot) : Prop := slot_at slots p = Some x.

(** The slots stand at the positions [0 .. array_size), without holes, and there is at least one. *)
Definition dense (a : Array) : Prop :=
  0 < array_size a /\ forall p, (exists x, holds (array_slots a) p x) <-> p < array_size a.

(** Position 0 holds the sentinel: the slot of the empty key, with the empty value. *)
Definition sentinel_first (a : Array) : Prop :=
  exists x, holds (array_slots a) 0 x /\ key x = [] /\ value x = [].

(** Each key stands at one position only. *)
Definition keys_distinct (a : Array) : Prop :=
  forall p q x y, holds (array_slots a) p x -> holds (array_slots a) q y -> key x = key y -> p = q.

(** The next key of [x] is what it should be: the smallest key in the array that is larger than that of [x], or empty when
    there is none. *)
Definition is_next (a : Array) (x : Slot) : Prop :=
  (next x = [] /\ forall q y, holds (array_slots a) q y -> ~ before (key x) (key y)) \/
  (before (key x) (next x) /\
   (exists q y, holds (array_slots a) q y /\ key y = next x) /\
   (forall q y, holds (array_slots a) q y -> ~ (before (key x) (key y) /\ before (key y) (next x)))).

(** What every reachable array is (History.v). *)
Definition well_formed (a : Array) : Prop :=
  dense a /\ sentinel_first a /\ keys_distinct a /\ (forall p x, holds (array_slots a) p x -> is_next a x).

(** Whether a position's content is a slot of key [k]. *)
Definition has_key (k : ByteString) (content : option Slot) : bool :=
  match content with
  | Some x => bytes_equal (key x) k
  | None => false
  end.

(** The map that an array stands for: to each key but the empty one its value, or absent. *)
Definition map_of (a : Array) (k : ByteString) : option ByteString :=
  if bytes_equal k [] then None
  else
    match find (has_key k) (array_slots a) with
    | Some (Some x) => Some (value x)
    | _ => None
    end.

(** ** Order and encoding *)

(** The order of byte strings is irreflexive, transitive, asymmetric and total. *)
Theorem bytes_lt_strict_total_order :
  (forall a, ~ before a a) /\
  (forall a b c, before a b -> before b c -> before a c) /\
  (forall a b, ~ (before a b /\ before b a)) /\
  (forall a b, before a b \/ a = b \/ before b a).
Proof. exact Aardvark.Spec.Base.Bytes.bytes_lt_strict_total_order. Qed.

(** One string comes before another when it is a proper prefix, or smaller at the first byte that differs. *)
Theorem bytes_lt_lexicographic : forall a b,
  before a b <->
  (exists y c, b = a ++ y :: c) \/
  (exists p x y c d, a = p ++ x :: c /\ b = p ++ y :: d /\ x < y).
Proof. exact Aardvark.Spec.Base.Bytes.bytes_less_lexicographic. Qed.

(** Keys that fit their two bytes of length, as all keys of at most 255 bytes do: slots of one encoding are one slot. *)
Theorem encode_slot_injective : forall x y,
  seq_length (key x) < 2 ^ 16 -> seq_length (next x) < 2 ^ 16 ->
  seq_length (key y) < 2 ^ 16 -> seq_length (next y) < 2 ^ 16 ->
  encode_slot x = encode_slot y -> x = y.
Proof. exact Aardvark.Spec.Dictionary.Slot.encode_slot_injective. Qed.

(** So two slots with one scalar are two strings that the hash into the scalars does not tell apart. *)
Theorem equal_scalars_are_collision : forall (F : ScalarOperations) (hash_given : HashGiven) x y,
  seq_length (key x) < 2 ^ 16 -> seq_length (next x) < 2 ^ 16 ->
  seq_length (key y) < 2 ^ 16 -> seq_length (next y) < 2 ^ 16 ->
  x <> y -> scalar_of_slot x = scalar_of_slot y ->
  encode_slot x <> encode_slot y /\ hash_to_scalar (encode_slot x) tag_slot = hash_to_scalar (encode_slot y) tag_slot.
Proof.
  intros F hash_given x y Kx Nx Ky Ny D E. split; [|exact E]. intros S. apply D. apply encode_slot_injective; assumption.
Qed.

(** ** The ring *)

(** Some slot of a well-formed array covers any key, and the search finds it. *)
Theorem covering_slot_exists : forall a k,
  well_formed a ->
  exists p x,
    covering_position (array_slots a) k = Some p /\ covering_slot (array_slots a) k = Some x /\
    holds (array_slots a) p x /\ covers x k = true.
Proof. exact Aardvark.Spec.Dictionary.SlotMap.covering_slot_exists. Qed.

(** No other slot does. *)
Theorem covering_slot_unique : forall a k p q x y,
  well_formed a ->
  holds (array_slots a) p x -> covers x k = true ->
  holds (array_slots a) q y -> covers y k = true ->
  p = q /\ x = y.
Proof. exact Aardvark.Spec.Dictionary.SlotMap.covering_slot_unique. Qed.

(** ** Answers *)

(** A slot with key [k] that covers [k]: the map has [k], with the slot's value. *)
Theorem membership_sound : forall a p x k,
  well_formed a -> k <> [] -> holds (array_slots a) p x -> covers x k = true ->
  key x = k -> map_of a k = Some (value x).
Proof. exact Aardvark.Spec.Dictionary.Array.membership_sound. Qed.

(** A slot with another key that covers [k]: the map lacks [k]. *)
Theorem nonmembership_sound : forall a p x k,
  well_formed a -> holds (array_slots a) p x -> covers x k = true ->
  key x <> k -> map_of a k = None.
Proof. exact Aardvark.Spec.Dictionary.Array.nonmembership_sound. Qed.

(** A look-up answers, with what the map says. *)
Theorem lookup_correct : forall a k,
  well_formed a -> k <> [] -> array_lookup a k = Some (map_of a k).
Proof. exact Aardvark.Spec.Dictionary.Array.lookup_correct. Qed.

(** ** Operations *)

(** An update of a present key succeeds, and keeps the array well-formed and its size. *)
Theorem update_well_formed : forall a k v,
  well_formed a -> map_of a k <> None ->
  exists b, array_update a k v = Some b /\ well_formed b /\ array_size b = array_size a.
Proof. exact Aardvark.Spec.Dictionary.Array.update_well_formed. Qed.

(** An insertion of an absent key succeeds, keeps the array well-formed, and adds one slot. *)
Theorem insert_well_formed : forall a k v,
  well_formed a -> k <> [] -> map_of a k = None ->
  exists b, array_insert a k v = Some b /\ well_formed b /\ array_size b = array_size a + 1.
Proof. exact Aardvark.Spec.Dictionary.Array.insert_well_formed. Qed.

(** A deletion of a present key succeeds, keeps the array well-formed, and takes one slot away. *)
Theorem delete_well_formed : forall a k,
  well_formed a -> map_of a k <> None ->
  exists b, array_delete a k = Some b /\ well_formed b /\ array_size b = array_size a - 1.
Proof. exact Aardvark.Spec.Dictionary.Array.delete_well_formed. Qed.

(** After an update of [k] to [v], the answer for [k] is [v], and every other answer is what it was. *)
Theorem update_lookup : forall a b k v,
  well_formed a -> map_of a k <> None -> array_update a k v = Some b ->
  forall j, j <> [] -> array_lookup b j = if bytes_equal j k then Some (Some v) else array_lookup a j.
Proof. exact Aardvark.Spec.Dictionary.Array.update_lookup. Qed.

(** The same after an insertion. *)
Theorem insert_lookup : forall a b k v,
  well_formed a -> k <> [] -> map_of a k = None -> array_insert a k v = Some b ->
  forall j, j <> [] -> array_lookup b j = if bytes_equal j k then Some (Some v) else array_lookup a j.
Proof. exact Aardvark.Spec.Dictionary.Array.insert_lookup. Qed.

(** After a deletion of [k], [k] is absent, and every other answer is what it was. *)
Theorem delete_lookup : forall a b k,
  well_formed a -> map_of a k <> None -> array_delete a k = Some b ->
  forall j, j <> [] -> array_lookup b j = if bytes_equal j k then Some None else array_lookup a j.
Proof. exact Aardvark.Spec.Dictionary.Array.delete_lookup. Qed.

(** Where it all begins: the array of a legal genesis is well-formed, and its map is that of the entries. *)
Theorem genesis_well_formed {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven} : forall genesis,
  genesis_legal genesis = true ->
  well_formed (genesis_array (genesis_entries genesis)) /\
  forall k, map_of (genesis_array (genesis_entries genesis)) k = key_map_get (genesis_entries genesis) k.
Proof.
  intros genesis L. destruct (Aardvark.Spec.Dictionary.Genesis.genesis_legal_entries genesis L) as [G _]. split.
  - exact (proj1 (Aardvark.Spec.Dictionary.Genesis.genesis_array_well_formed _ G)).
  - intros k. symmetry. exact (Aardvark.Spec.Dictionary.Genesis.genesis_array_map _ G k).
Qed.

(** ** Blocks on arrays and maps *)

(** What the view knows is true of the whole. *)
Definition contained (view whole : SlotMap) : Prop := forall p x, holds view p x -> holds whole p x.

(** The changes are in strictly ascending order of keys, one a key. *)
Definition changes_ascend (changes : ChangeMap) : Prop :=
  StronglySorted (fun c d => before (change_key c) (change_key d)) changes.

(** Each change is of a legal key, and starts from the key's content in the array. *)
Definition changes_true (a : Array) (changes : ChangeMap) : Prop :=
  Forall (fun c => change_key c <> [] /\ change_before c = map_of a (change_key c)) changes.

(** Changes that the view and the whole array both take: the sizes after, and all writes, agree, and what the view knows is
    true of the whole again. *)
Theorem view_simulates_dictionary : forall view a changes view' a',
  well_formed a -> contained view (array_slots a) ->
  changes_ascend changes -> changes_true a changes ->
  apply_changes {| array_size := array_size a; array_slots := view |} changes = Some view' ->
  apply_changes a changes = Some a' ->
  array_size view' = array_size a' /\
  contained (array_slots view') (array_slots a') /\
  writes_between view (array_slots view') = writes_between (array_slots a) (array_slots a').
Proof. exact Aardvark.Lemmas.Simulation.view_simulates_dictionary. Qed.

Section Blocks.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The content of each operation's key, by transaction and operation, is what the map says. *)
Definition contents_of_map (entries : KeyMap) (block : Block) (resolved : list Contents) : Prop :=
  resolved = map (fun tx => map (fun op => key_map_get entries (operation_key op)) (operations tx)) (transactions block).

(** The changes lead from one map to the other: they start from the first, and the second is the first with the contents
    after for the keys that they name. *)
Definition changes_lead (entries after : KeyMap) (changes : ChangeMap) : Prop :=
  changes_ascend changes /\
  Forall (fun c => change_before c = key_map_get entries (change_key c)) changes /\
  forall k, key_map_get after k = match change_of changes k with Some c => change_after c | None => key_map_get entries k end.

(** A block succeeds exactly when its transactions do, one after the other on the map; its changes lead to the map that
    they end with, and otherwise the reason is the same. *)
Theorem block_refines_sequential_map : forall entries block resolved,
  contents_of_map entries block resolved ->
  match run_block block resolved, map_transactions entries (transactions block) with
  | Ok changes, Ok after => changes_lead entries after changes
  | Err rejection, Err rejection' => rejection = rejection'
  | _, _ => False
  end.
Proof. exact Aardvark.Spec.Block.Execution.block_refines_sequential_map. Qed.

End Blocks.
