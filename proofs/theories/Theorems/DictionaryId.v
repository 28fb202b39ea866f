(** Theorems for auditors: the dictionary id binds all that a dictionary begins with.

    To understand a statement of this file you need this file, the generated definitions, and of Roots.v [collision] and
    [find_collision]; nothing else. Nothing is assumed of the hash but the length of its digests.

    - [parameters_injective], [content_injective]: legal parameters with one encoding are the same, and so are entries.
    - [identity_injective]: so are geneses with one string under the id, save that contents are told apart by their digests.
    - [equal_ids_equal_geneses]: two legal geneses with one id are the same, or [find_collision] returns a collision of
      SHA-256 among the two strings that each of them hashes. *)
From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.KeyMap Dictionary.Genesis.
From Aardvark Require Lemmas.Identity.
From Aardvark Require Import Theorems.Roots.
Import ListNotations.
Local Open Scope N_scope.

Section DictionaryId.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A digest has 32 bytes. *)
Hypothesis digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.

(** Entries whose lengths the encoding can hold. *)
Definition fits_key_entry (e : KeyEntry) : Prop :=
  seq_length (entry_key e) < 2 ^ 16 /\ seq_length (entry_value e) < 2 ^ 16.

(** The string under the digest of the content, and what the id of a genesis hashes. *)
Definition content_string (entries : KeyMap) : ByteString := u64_bytes (seq_length entries) ++ encode_entries entries.
Definition identity_inputs (g : Genesis) : list Input :=
  [(tag_dictionary, identity_bytes g); (tag_content, content_string (genesis_entries g))].

(** Legal parameters with one encoding are the same. *)
Theorem parameters_injective : forall p q, parameters_legal p = true -> parameters_legal q = true ->
  encode_parameters p = encode_parameters q -> p = q.
Proof. exact Aardvark.Lemmas.Identity.parameters_injective. Qed.

(** First keys and values with one encoding are the same. *)
Theorem content_injective : forall a b, fits_list fits_key_entry a -> fits_list fits_key_entry b ->
  content_string a = content_string b -> a = b.
Proof. exact Aardvark.Lemmas.Identity.content_injective. Qed.

(** The string under the id tells apart all that it holds, the content by its digest. *)
Theorem identity_injective : forall g g', genesis_legal g = true -> genesis_legal g' = true ->
  identity_bytes g = identity_bytes g' ->
  genesis_name g = genesis_name g' /\ genesis_salt g = genesis_salt g' /\ genesis_parameters g = genesis_parameters g' /\
  genesis_setup_digest g = genesis_setup_digest g' /\
  content_digest (genesis_entries g) = content_digest (genesis_entries g') /\ genesis_binding g = genesis_binding g'.
Proof. exact (Aardvark.Lemmas.Identity.identity_injective digest_length). Qed.

(** One id, one genesis, or here is a collision. *)
Theorem equal_ids_equal_geneses : forall g g', genesis_legal g = true -> genesis_legal g' = true ->
  seq_length (genesis_entries g) < 2 ^ 64 -> seq_length (genesis_entries g') < 2 ^ 64 ->
  id_of_dictionary g = id_of_dictionary g' ->
  g = g' \/ exists pair, find_collision (identity_inputs g) (identity_inputs g') = Some pair /\ collision pair.
Proof. exact (Aardvark.Lemmas.Identity.equal_ids_equal_geneses digest_length). Qed.

End DictionaryId.
