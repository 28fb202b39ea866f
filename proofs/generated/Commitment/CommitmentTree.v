(* Translated from spec/src/commitment/commitment_tree.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The RFC 6962 tree over the commitments, and the paths that tie one of them to its root.

    ```text
    commitment_root  leaves -> leaf_digests -> level_above, again and again -> the root
    commitment_path  the siblings on the way up, of one leaf
    root_of_path     leaf, index, number of leaves, siblings -> the root that they lead to
    ```

    Where a level has an odd number of nodes the last goes up as it is, which is RFC 6962's tree.
    Sources: RFC 6962, section 2.1; RFC 9162, section 2.1.3; docs/format.md, "The state root". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Hash.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** RFC 6962's hash of a leaf: SHA-256(0x00 || leaf), which is the tagged hash under the empty tag. *)
Definition leaf_digest (leaf : ByteString) : ByteString :=
  tagged_hash [] leaf.

(** RFC 6962's hash of a node: SHA-256(0x01 || left || right), with digests of 32 bytes. As a tagged
    hash: 0x01 is the length of a tag of one byte, which is the first of `left`. *)
Definition node_digest (left' right' : ByteString) : ByteString :=
  if seq_length left' <? 1 then
    leaf_digest right'
  else
    tagged_hash (seq_slice left' 0 1) (seq_slice left' 1 (seq_length left' - 1) ++ right').

(** One step of [`leaf_digests`]. *)
Definition leaf_digests_step (digests : Seq ByteString) (leaf : ByteString) : Seq ByteString :=
  digests ++ [leaf_digest leaf].

(** The lowest level of the tree. *)
Definition leaf_digests (leaves : Seq ByteString) : Seq ByteString :=
  fold_left (fun digests i => leaf_digests_step digests (seq_at leaves i)) (range 0 (seq_length leaves)) [].

(** One step of [`level_above`]: a node over two, or the last of an odd number as it is. *)
Definition level_above_step (above below : Seq ByteString) (i : usize) : Seq ByteString :=
  if (i mod 2) =? 0 then
    if i + 1 <? seq_length below then
      above ++ [node_digest (seq_at below i) (seq_at below (i + 1))]
    else
      above ++ [seq_at below i]
  else
    above.

(** The level above a level. Level by level this is RFC 6962's tree, whose left subtrees are full. *)
Definition level_above (below : Seq ByteString) : Seq ByteString :=
  fold_left (fun above i => level_above_step above below i) (range 0 (seq_length below)) [].

(** The most levels above the leaves: a count has 64 bits. *)
Definition most_levels : usize :=
  64.

(** RFC 6962's root over leaves. Without leaves it is the empty string, which is no digest; a
    dictionary has a vector always. *)
Definition commitment_root (leaves : Seq ByteString) : ByteString :=
  let level := fold_left (fun level _i => level_above level) (range 0 most_levels) (leaf_digests leaves) in
  if 0 <? seq_length level then seq_at level 0 else [].

(** A node on the way from a leaf to the root. *)
Record PathPlace : Type := {
  (** The node's digest. *)
  place_digest : ByteString;
  (** Its index on its level. *)
  place_index : usize;
  (** The number of nodes on its level. *)
  place_width : usize;
  (** How many digests of the path are used up. *)
  place_used : usize;
  (** Whether the path had all digests that were needed. *)
  place_valid : bool;
}.

#[global] Instance Default_PathPlace : Default PathPlace := {| place_digest := default; place_index := default; place_width := default; place_used := default; place_valid := default |}.

(** Whether the place is the last of an odd number: the level above takes it as it is. *)
Definition is_carried (place : PathPlace) : bool :=
  ((place.(place_index) mod 2) =? 0) && (place.(place_width) <=? place.(place_index) + 1).

(** The place above, with the digest of its node. *)
Definition place_above (place : PathPlace) (digest : ByteString) (used : usize) : PathPlace :=
  {| place_digest := digest;
    place_index := place.(place_index) / 2;
    place_width := (place.(place_width) / 2) + (place.(place_width) mod 2);
    place_used := used;
    place_valid := place.(place_valid) |}.

(** One step of [`path_end`]: one level up. *)
Definition path_end_step (place : PathPlace) (path : Seq ByteString) : PathPlace :=
  if is_carried place then
    place_above place place.(place_digest) place.(place_used)
  else if place.(place_used) <? seq_length path then
    let sibling := seq_at path place.(place_used) in
    if (place.(place_index) mod 2) =? 0 then
      place_above place (node_digest place.(place_digest) sibling) (place.(place_used) + 1)
    else
      place_above place (node_digest sibling place.(place_digest)) (place.(place_used) + 1)
  else
    {| place_digest := place.(place_digest);
      place_index := place.(place_index);
      place_width := place.(place_width);
      place_used := place.(place_used);
      place_valid := false |}.

(** Where the path leads from a leaf, of a tree of `width` leaves. *)
Definition path_end (width index : usize) (leaf : ByteString) (path : Seq ByteString) : PathPlace :=
  fold_left
    (fun place _i => path_end_step place path)
    (range 0 most_levels)
    {| place_digest := leaf_digest leaf;
      place_index := index;
      place_width := width;
      place_used := 0;
      place_valid := index <? width |}.

(** The root to which a path ties a leaf (RFC 9162, section 2.1.3.2); `None` where the index is not
    below the number of leaves, or the path has a digest too few or too many. `width` is a number
    that the verifier knows, ceil(s/N), never one it is told. *)
Definition root_of_path
    (width index : usize)
    (leaf : ByteString)
    (path : Seq ByteString) : Option ByteString :=
  let place := path_end width index leaf path in
  if place.(place_valid) && (place.(place_used) =? seq_length path) then Some place.(place_digest) else None.

(** What [`commitment_path`] has gone through. *)
Record PathProgress : Type := {
  (** The level. *)
  progress_level : Seq ByteString;
  (** The index on it. *)
  progress_index : usize;
  (** The siblings below it. *)
  progress_path : Seq ByteString;
}.

#[global] Instance Default_PathProgress : Default PathProgress := {| progress_level := default; progress_index := default; progress_path := default |}.

(** The index of the other child of the node above. *)
Definition sibling_index (index : usize) : usize :=
  if (index mod 2) =? 0 then index + 1 else index - 1.

(** One step of [`commitment_path`]. *)
Definition commitment_path_step (progress : PathProgress) : PathProgress :=
  let sibling := sibling_index progress.(progress_index) in
  let longer :=
    if sibling <? seq_length progress.(progress_level) then
      progress.(progress_path) ++ [seq_at progress.(progress_level) sibling]
    else
      progress.(progress_path)
  in
  {| progress_level := level_above progress.(progress_level);
    progress_index := progress.(progress_index) / 2;
    progress_path := longer |}.

(** The path from leaf `index`, below the number of leaves, to the root: siblings from below. *)
Definition commitment_path (leaves : Seq ByteString) (index : usize) : Seq ByteString :=
  let progress :=
    fold_left
      (fun progress _i => commitment_path_step progress)
      (range 0 most_levels)
      {| progress_level := leaf_digests leaves; progress_index := index; progress_path := [] |}
  in
  progress.(progress_path).

End Specification.
