(* Translated from spec/src/dictionary/genesis.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Dictionary.Genesis Base.BytesSafe Base.ScalarSafe Dictionary.ArraySafe
  Dictionary.KeyMapSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** When [layout_legal] does not panic. *)
Definition layout_legal_safe (p : Parameters) : bool :=
  if ((p.(scheme) =? 1) || (p.(scheme) =? 2)) && (1 <=? p.(vector_size)) then
    negb (p.(vector_size) =? 0)
  else
    true.

(** When [widest_tail] does not panic. *)
Definition widest_tail_safe (p : Parameters) : bool :=
  within_usize (p.(transaction_operations) + p.(vector_size)) &&
  (1 <=? p.(transaction_operations) + p.(vector_size)) &&
  negb (p.(vector_size) =? 0) &&
  within_usize (((p.(transaction_operations) + p.(vector_size) - 1) / p.(vector_size)) * p.(vector_size)).

(** When [lengths_legal] does not panic. *)
Definition lengths_legal_safe (p : Parameters) : bool :=
  within_usize (2 * p.(max_key_length)) && within_usize (2 * p.(max_key_length) + p.(max_value_length)) &&
  (let widest_slot := 2 * p.(max_key_length) + p.(max_value_length) in
    within_usize (66 + widest_slot) && within_usize (2 * (66 + widest_slot)) &&
    within_usize (2048 + 2 * (66 + widest_slot)) &&
    (if (2048 + 2 * (66 + widest_slot) <=? p.(transaction_bytes)) && fits_u32 p.(transaction_bytes) then
        within_usize (17 + p.(transaction_bytes)) && within_usize (17 + p.(transaction_bytes) + 4) &&
        (widest_tail_safe p && within_usize (6 + widest_slot) &&
          within_usize (widest_tail p * (6 + widest_slot))) &&
        within_usize (17 + p.(transaction_bytes) + 4 + widest_tail p * (6 + widest_slot))
      else
        true)).

(** When [parameters_legal] does not panic. *)
Definition parameters_legal_safe (p : Parameters) : bool :=
  layout_legal_safe p && (if layout_legal p && counts_legal p then lengths_legal_safe p else true).

(** When [entries_legal] does not panic. *)
Definition entries_legal_safe (p : Parameters) (entries : KeyMap) : bool :=
  loop_safe
    (fun legal i => entries_legal_step legal p (seq_at entries i))
    (fun legal i => i <? seq_length entries)
    (range 0 (seq_length entries))
    true.

(** When [genesis_legal] does not panic. *)
Definition genesis_legal_safe (genesis : Genesis) : bool :=
  parameters_legal_safe genesis.(genesis_parameters) &&
  (if parameters_legal genesis.(genesis_parameters) && identity_legal genesis &&
      (seq_length genesis.(genesis_setup_digest) =? 32) then
      key_map_ascends_safe genesis.(genesis_entries)
    else
      true) &&
  (if parameters_legal genesis.(genesis_parameters) && identity_legal genesis &&
      (seq_length genesis.(genesis_setup_digest) =? 32) &&
      key_map_ascends genesis.(genesis_entries) then
      entries_legal_safe genesis.(genesis_parameters) genesis.(genesis_entries)
    else
      true).

(** When [encode_entries] does not panic. *)
Definition encode_entries_safe (entries : KeyMap) : bool :=
  loop_safe
    (fun encoded i => encode_entries_step encoded (seq_at entries i))
    (fun encoded i => i <? seq_length entries)
    (range 0 (seq_length entries))
    [].

(** When [content_digest] does not panic. *)
Definition content_digest_safe (entries : KeyMap) : bool :=
  encode_entries_safe entries.

(** When [identity_bytes] does not panic. *)
Definition identity_bytes_safe (genesis : Genesis) : bool :=
  content_digest_safe genesis.(genesis_entries).

(** When [id_of_dictionary] does not panic. *)
Definition id_of_dictionary_safe (genesis : Genesis) : bool :=
  identity_bytes_safe genesis.

(** When [genesis_array_step] does not panic. *)
Definition genesis_array_step_safe (array : Array) (entry : KeyEntry) : bool :=
  array_insert_safe array entry.(entry_key) entry.(entry_value).

(** When [genesis_array] does not panic. *)
Definition genesis_array_safe (entries : KeyMap) : bool :=
  empty_array_safe &&
  (loop_safe
      (fun array i => genesis_array_step array (seq_at entries i))
      (fun array i => (i <? seq_length entries) && genesis_array_step_safe array (seq_at entries i))
      (range 0 (seq_length entries))
      empty_array).

End Specification.
