(* Translated from spec/src/policy/signers.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Policy.Signers Base.BytesSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** When [signing_accounts] does not panic. *)
Definition signing_accounts_safe (signed_by : Seq Signer) : bool :=
  loop_safe
    (fun found_accounts i => signing_accounts_step found_accounts (seq_at signed_by i))
    (fun found_accounts i => i <? seq_length signed_by)
    (range 0 (seq_length signed_by))
    [].

(** When [public_keys_of] does not panic. *)
Definition public_keys_of_safe (signed_by : Seq Signer) : bool :=
  loop_safe
    (fun found_keys i => public_keys_of_step found_keys (seq_at signed_by i))
    (fun found_keys i => i <? seq_length signed_by)
    (range 0 (seq_length signed_by))
    [].

(** When [is_listed_step] does not panic. *)
Definition is_listed_step_safe (found : bool) (entry k : ByteString) : bool :=
  if found then true else bytes_equal_safe entry k.

(** When [is_listed] does not panic. *)
Definition is_listed_safe (listed : Seq ByteString) (k : ByteString) : bool :=
  loop_safe
    (fun found i => is_listed_step found (seq_at listed i) k)
    (fun found i => (i <? seq_length listed) && is_listed_step_safe found (seq_at listed i) k)
    (range 0 (seq_length listed))
    false.
