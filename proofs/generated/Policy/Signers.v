(* Translated from spec/src/policy/signers.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Signers, as policies look at them: public keys and the accounts that they own. *)
From AardvarkSpec Require Export Prelude Base.Bytes.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

(** A signer: a public key and the account that it owns, the key's SHA-256. *)
Record Signer : Type := {
  (** The public key, 32 bytes. *)
  signer_public_key : ByteString;
  (** The account, 32 bytes. *)
  signer_account : ByteString;
}.

#[global] Instance Default_Signer : Default Signer := {| signer_public_key := default; signer_account := default |}.

(** One step of [`signing_accounts`]. *)
Definition signing_accounts_step (found_accounts : Seq ByteString) (signer : Signer) : Seq ByteString :=
  found_accounts ++ [signer.(signer_account)].

(** The accounts of signers. *)
Definition signing_accounts (signed_by : Seq Signer) : Seq ByteString :=
  fold_left
    (fun found_accounts i => signing_accounts_step found_accounts (seq_at signed_by i))
    (range 0 (seq_length signed_by))
    [].

(** One step of [`public_keys_of`]. *)
Definition public_keys_of_step (found_keys : Seq ByteString) (signer : Signer) : Seq ByteString :=
  found_keys ++ [signer.(signer_public_key)].

(** The public keys of signers. *)
Definition public_keys_of (signed_by : Seq Signer) : Seq ByteString :=
  fold_left
    (fun found_keys i => public_keys_of_step found_keys (seq_at signed_by i))
    (range 0 (seq_length signed_by))
    [].

(** One step of [`is_listed`]. *)
Definition is_listed_step (found : bool) (entry k : ByteString) : bool :=
  found || bytes_equal entry k.

(** Whether a public key, or an account, stands in a list. *)
Definition is_listed (listed : Seq ByteString) (k : ByteString) : bool :=
  fold_left (fun found i => is_listed_step found (seq_at listed i) k) (range 0 (seq_length listed)) false.
