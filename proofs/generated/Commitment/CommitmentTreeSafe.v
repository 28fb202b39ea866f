(* Translated from spec/src/commitment/commitment_tree.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Commitment.CommitmentTree Base.BytesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [node_digest] does not panic. *)
Definition node_digest_safe (left' right' : ByteString) : bool :=
  if seq_length left' <? 1 then
    true
  else
    (0 + 1 <=? seq_length left') && (1 + (seq_length left' - 1) <=? seq_length left').

(** When [leaf_digests] does not panic. *)
Definition leaf_digests_safe (leaves : Seq ByteString) : bool :=
  loop_safe
    (fun digests i => leaf_digests_step digests (seq_at leaves i))
    (fun digests i => i <? seq_length leaves)
    (range 0 (seq_length leaves))
    [].

(** When [level_above_step] does not panic. *)
Definition level_above_step_safe (above below : Seq ByteString) (i : usize) : bool :=
  if (i mod 2) =? 0 then
    within_usize (i + 1) &&
    (if i + 1 <? seq_length below then
        (i <? seq_length below) && within_usize (i + 1) &&
        node_digest_safe (seq_at below i) (seq_at below (i + 1))
      else
        i <? seq_length below)
  else
    true.

(** When [level_above] does not panic. *)
Definition level_above_safe (below : Seq ByteString) : bool :=
  loop_safe
    (fun above i => level_above_step above below i)
    (fun above i => level_above_step_safe above below i)
    (range 0 (seq_length below))
    [].

(** When [commitment_root] does not panic. *)
Definition commitment_root_safe (leaves : Seq ByteString) : bool :=
  leaf_digests_safe leaves &&
  (loop_safe
      (fun level _i => level_above level)
      (fun level _i => level_above_safe level)
      (range 0 most_levels)
      (leaf_digests leaves)).

(** When [is_carried] does not panic. *)
Definition is_carried_safe (place : PathPlace) : bool :=
  if (place.(place_index) mod 2) =? 0 then within_usize (place.(place_index) + 1) else true.

(** When [place_above] does not panic. *)
Definition place_above_safe (place : PathPlace) (digest : ByteString) (used : usize) : bool :=
  within_usize ((place.(place_width) / 2) + (place.(place_width) mod 2)).

(** When [path_end_step] does not panic. *)
Definition path_end_step_safe (place : PathPlace) (path : Seq ByteString) : bool :=
  is_carried_safe place &&
  (if is_carried place then
      place_above_safe place place.(place_digest) place.(place_used)
    else if place.(place_used) <? seq_length path then
      let sibling := seq_at path place.(place_used) in
      if (place.(place_index) mod 2) =? 0 then
        node_digest_safe place.(place_digest) sibling && within_usize (place.(place_used) + 1) &&
        place_above_safe place (node_digest place.(place_digest) sibling) (place.(place_used) + 1)
      else
        node_digest_safe sibling place.(place_digest) && within_usize (place.(place_used) + 1) &&
        place_above_safe place (node_digest sibling place.(place_digest)) (place.(place_used) + 1)
    else
      true).

(** When [path_end] does not panic. *)
Definition path_end_safe (width index : usize) (leaf : ByteString) (path : Seq ByteString) : bool :=
  loop_safe
    (fun place _i => path_end_step place path)
    (fun place _i => path_end_step_safe place path)
    (range 0 most_levels)
    {| place_digest := leaf_digest leaf;
      place_index := index;
      place_width := width;
      place_used := 0;
      place_valid := index <? width |}.

(** When [root_of_path] does not panic. *)
Definition root_of_path_safe (width index : usize) (leaf : ByteString) (path : Seq ByteString) : bool :=
  path_end_safe width index leaf path.

(** When [sibling_index] does not panic. *)
Definition sibling_index_safe (index : usize) : bool :=
  if (index mod 2) =? 0 then within_usize (index + 1) else 1 <=? index.

(** When [commitment_path_step] does not panic. *)
Definition commitment_path_step_safe (progress : PathProgress) : bool :=
  sibling_index_safe progress.(progress_index) && level_above_safe progress.(progress_level).

(** When [commitment_path] does not panic. *)
Definition commitment_path_safe (leaves : Seq ByteString) (index : usize) : bool :=
  leaf_digests_safe leaves &&
  (loop_safe
      (fun progress _i => commitment_path_step progress)
      (fun progress _i => commitment_path_step_safe progress)
      (range 0 most_levels)
      {| progress_level := leaf_digests leaves; progress_index := index; progress_path := [] |}).

End Specification.
