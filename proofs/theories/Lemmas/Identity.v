(** The dictionary id binds all that a dictionary begins with: name, salt, parameters, setup, first keys and values, and the
    binding. Nothing is assumed of the hash but the length of its digests.

    - [parameters_injective], [content_injective]: legal parameters with one encoding are the same, and so are entries;
    - [identity_injective]: so are geneses with one string under the id, when their contents have different digests or are one;
    - [equal_ids_equal_geneses]: two legal geneses with one id are the same, or [find_collision] (Root.v) returns a collision of
      SHA-256 among the two strings that each of them hashes. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.KeyMap
  Dictionary.Genesis.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes
  Spec.Commitment.CommitmentTree Lemmas.RootLemmas Spec.Block.Root Spec.Commitment.Challenge.
Import ListNotations.
Local Open Scope N_scope.

Section Identity.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A digest has 32 bytes. *)
Variable digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.

(** ** Parameters *)

Lemma u16_splits : splits (fun x => x < 2 ^ 16) u16_bytes.
Proof.
  intros x y c d X Y E. unfold u16_bytes, u128_of_usize in E.
  apply app_split in E; [|rewrite !big_endian_length; reflexivity]. destruct E as [E ->]. split; [|reflexivity].
  apply big_endian_injective in E; assumption.
Qed.

(** Numbers that the encoding of parameters can hold. *)
Definition fits_parameters (p : Parameters) : Prop :=
  vector_size p < 2 ^ 32 /\ window_length p < 2 ^ 32 /\ max_key_length p < 2 ^ 16 /\ max_value_length p < 2 ^ 16 /\
  transaction_operations p < 2 ^ 32 /\ transaction_claims p < 2 ^ 32 /\ transaction_bytes p < 2 ^ 32 /\
  block_transactions p < 2 ^ 32 /\ block_operations p < 2 ^ 32 /\ block_claims p < 2 ^ 32 /\ block_bytes p < 2 ^ 32.

Lemma legal_parameters_fit : forall p, parameters_legal p = true -> fits_parameters p.
Proof.
  intros p L. unfold parameters_legal, layout_legal, counts_legal, lengths_legal, fits_u16, fits_u32 in L. cbv zeta in L.
  rewrite !andb_true_iff, !N.leb_le, N.eqb_eq in L. unfold fits_parameters.
  change (2 ^ 32) with 4294967296. change (2 ^ 16) with 65536.
  assert (V : vector_size p <= 4096).
  { assert (D : MAX_VECTOR_SIZE mod vector_size p = 0) by tauto. apply N.mod_divide in D; [|lia].
    apply N.divide_pos_le in D; [exact D|reflexivity]. }
  repeat split; lia.
Qed.

Lemma parameters_splits : splits fits_parameters encode_parameters.
Proof.
  intros [a b c d e f g h i j k l] [a' b' c' d' e' f' g' h' i' j' k' l'] x y P Q E.
  unfold fits_parameters in P, Q. unfold encode_parameters in E.
  cbn [scheme vector_size window_length max_key_length max_value_length transaction_operations transaction_claims
    transaction_bytes block_transactions block_operations block_claims block_bytes] in *.
  rewrite <- !app_assoc in E. apply app_split in E; [|reflexivity]. destruct E as [A E].
  apply u32_splits in E; [|tauto|tauto]. destruct E as [-> E]. apply u32_splits in E; [|tauto|tauto]. destruct E as [-> E].
  apply u16_splits in E; [|tauto|tauto]. destruct E as [-> E]. apply u16_splits in E; [|tauto|tauto]. destruct E as [-> E].
  apply u32_splits in E; [|tauto|tauto]. destruct E as [-> E]. apply u32_splits in E; [|tauto|tauto]. destruct E as [-> E].
  apply u32_splits in E; [|tauto|tauto]. destruct E as [-> E]. apply u32_splits in E; [|tauto|tauto]. destruct E as [-> E].
  apply u32_splits in E; [|tauto|tauto]. destruct E as [-> E]. apply u32_splits in E; [|tauto|tauto]. destruct E as [-> E].
  apply u32_splits in E; [|tauto|tauto]. destruct E as [-> ->]. injection A as ->. auto.
Qed.

Theorem parameters_injective : forall p q, parameters_legal p = true -> parameters_legal q = true ->
  encode_parameters p = encode_parameters q -> p = q.
Proof.
  intros p q P Q E. apply legal_parameters_fit in P. apply legal_parameters_fit in Q.
  apply (f_equal (fun x => x ++ [])) in E. apply parameters_splits in E; tauto.
Qed.

(** ** Content *)

Definition fits_key_entry (e : KeyEntry) : Prop :=
  seq_length (entry_key e) < 2 ^ 16 /\ seq_length (entry_value e) < 2 ^ 16.

(** The string under the digest of the content. *)
Definition content_string (entries : KeyMap) : ByteString := u64_bytes (seq_length entries) ++ encode_entries entries.

Lemma key_entry_splits : splits fits_key_entry (fun e => bytes16 (entry_key e) ++ bytes16 (entry_value e)).
Proof.
  intros [k v] [k' v'] c d [K V] [K' V'] E. cbn [entry_key entry_value] in *. rewrite <- !app_assoc in E.
  apply bytes16_split in E; auto. destruct E as [-> E]. apply bytes16_split in E; auto. destruct E as [-> ->]. auto.
Qed.

Lemma encode_entries_flat : forall entries,
  encode_entries entries = flat_map (fun e => bytes16 (entry_key e) ++ bytes16 (entry_value e)) entries.
Proof.
  intros. unfold encode_entries, encode_entries_step.
  rewrite (loop_over_elements _ _ _ (fun x e => x ++ bytes16 (entry_key e) ++ bytes16 (entry_value e))).
  apply (fold_append _ (fun e => bytes16 (entry_key e) ++ bytes16 (entry_value e)) entries []).
Qed.

Theorem content_injective : forall a b, fits_list fits_key_entry a -> fits_list fits_key_entry b ->
  content_string a = content_string b -> a = b.
Proof.
  intros a b A B E. unfold content_string in E. rewrite !encode_entries_flat in E.
  apply (f_equal (fun x => x ++ [])) in E. apply (list_splits _ _ _ key_entry_splits) in E; tauto.
Qed.

Lemma legal_entries_fit : forall p entries, parameters_legal p = true -> entries_legal p entries = true ->
  Forall fits_key_entry entries.
Proof.
  intros p entries P E. apply legal_parameters_fit in P. unfold entries_legal in E.
  rewrite (loop_over_elements _ _ _ (fun legal e => entries_legal_step legal p e)) in E.
  assert (G : forall l start, fold_left (fun legal e => entries_legal_step legal p e) l start = true ->
    start = true /\ Forall fits_key_entry l).
  { induction l as [|x l IH]; intros start H; cbn [fold_left] in H; [auto|]. destruct (IH _ H) as [S T].
    unfold entries_legal_step in S. rewrite !andb_true_iff, !N.leb_le in S. unfold fits_parameters in P.
    split; [tauto|]. constructor; [|exact T]. unfold fits_key_entry. split; lia. }
  apply (G _ _ E).
Qed.

(** ** The id *)

(** What the id of a genesis hashes. *)
Definition identity_inputs (g : Genesis) : list Input :=
  [(tag_dictionary, identity_bytes g); (tag_content, content_string (genesis_entries g))].

(** The string under the id tells apart all that it holds, the content by its digest. *)
Theorem identity_injective : forall g g', genesis_legal g = true -> genesis_legal g' = true ->
  identity_bytes g = identity_bytes g' ->
  genesis_name g = genesis_name g' /\ genesis_salt g = genesis_salt g' /\ genesis_parameters g = genesis_parameters g' /\
  genesis_setup_digest g = genesis_setup_digest g' /\
  content_digest (genesis_entries g) = content_digest (genesis_entries g') /\ genesis_binding g = genesis_binding g'.
Proof.
  intros g g' L L' E. unfold genesis_legal, identity_legal in L, L'. rewrite !andb_true_iff, !N.leb_le, !N.eqb_eq in L, L'.
  destruct L as [[[[P [[_ N] S]] D] _] _], L' as [[[[P' [[_ N'] S']] D'] _] _].
  apply legal_parameters_fit in P. apply legal_parameters_fit in P'. unfold identity_bytes in E.
  apply bytes8_split in E; [|change (2 ^ 8) with 256; lia|change (2 ^ 8) with 256; lia]. destruct E as [-> E].
  apply app_split in E; [|congruence]. destruct E as [-> E]. apply parameters_splits in E; auto. destruct E as [-> E].
  apply app_split in E; [|congruence]. destruct E as [-> E].
  apply app_split in E; [|unfold content_digest; rewrite !digest_length; reflexivity]. destruct E as [-> ->]. auto 6.
Qed.

(** One id, one genesis, or here is a collision. *)
Theorem equal_ids_equal_geneses : forall g g', genesis_legal g = true -> genesis_legal g' = true ->
  seq_length (genesis_entries g) < 2 ^ 64 -> seq_length (genesis_entries g') < 2 ^ 64 ->
  id_of_dictionary g = id_of_dictionary g' ->
  g = g' \/ exists pair, find_collision (identity_inputs g) (identity_inputs g') = Some pair /\ collision pair.
Proof.
  intros g g' L L' B B' E. destruct (find_collision _ _) as [pair|] eqn:C.
  { right. exists pair. split; [reflexivity|]. eapply find_collision_sound, C. }
  left. apply no_collision_found in C.
  assert (I : identity_bytes g = identity_bytes g').
  { eapply same_string; [exact C|left; reflexivity|left; reflexivity|exact E]. }
  destruct (identity_injective _ _ L L' I) as (N & S & P & D & X & Y).
  assert (Z : content_string (genesis_entries g) = content_string (genesis_entries g')).
  { eapply same_string; [exact C|right; left; reflexivity|right; left; reflexivity|exact X]. }
  unfold genesis_legal in L, L'. rewrite !andb_true_iff in L, L'.
  assert (M : genesis_entries g = genesis_entries g').
  { destruct L as [[[[Q _] _] _] L], L' as [[[[Q' _] _] _] L'].
    apply content_injective; [split; [exact B|]|split; [exact B'|]|exact Z].
    - exact (legal_entries_fit _ _ Q L).
    - exact (legal_entries_fit _ _ Q' L'). }
  destruct g, g'; cbn in *. congruence.
Qed.

End Identity.
