(** Theorems for auditors: values that are longer than one number of 16 bits, and so travel as several.

    To understand a statement of this file you need this file, the generated definitions, and definitions of Spec/Mixnet/Chunks.v
    ([small_bytes], [chunks_differ]) and Spec/Mixnet/Column.v ([permutes], [decrypted]).

    - [value_chunks_injective]: two values of one width with the same chunks are one value;
    - [chunks_value_iff]: exactly the chunks that a value is written as are accepted, as that value: other counts, lengths and paddings
      are refused;
    - [hostile_chunks_refused]: no chunk, more than 16, and numbers of more than 16 bits are;
    - [elements_value_iff]: so are elements that are no such chunks;
    - [chunks_move_together]: through a shuffle all chunks of a value go where its row goes, by one permutation, and there it is read;
    - [chunks_never_panic]: whatever the chunks and elements. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Group Mixnet.Column Mixnet.Chunks Mixnet.ChunksSafe.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Group Spec.Mixnet.LinearRelation Spec.Mixnet.Column
  Spec.Mixnet.Chunks.
From Aardvark Require Safety.ChunksSafe.
Import ListNotations.
Local Open Scope N_scope.

(** No value is taken for another. *)
Theorem value_chunks_injective (content other : ByteString) (width : N) (chunks : list N) :
  small_bytes content -> small_bytes other ->
  value_chunks content width = Some chunks -> value_chunks other width = Some chunks -> content = other.
Proof. apply Spec.Mixnet.Chunks.value_chunks_injective. Qed.

(** Putting together inverts taking apart, and accepts nothing else. *)
Theorem chunks_value_iff (chunks : list N) (content : ByteString) : small_bytes content ->
  chunks_value chunks = Some content <-> value_chunks content (2 * seq_length chunks) = Some chunks.
Proof. apply Spec.Mixnet.Chunks.chunks_value_iff. Qed.

(** Whatever the other chunks. *)
Theorem hostile_chunks_refused (chunks : list N) :
  seq_length chunks = 0 \/ 16 < seq_length chunks \/ (exists chunk, In chunk chunks /\ 65536 <= chunk) -> chunks_value chunks = None.
Proof.
  intros H. unfold chunks_value. destruct (chunks_legal chunks) eqn:L; [| reflexivity]. exfalso.
  apply chunks_legal_iff in L as [L S]. destruct H as [H | [H | (chunk & I & H)]]; [lia | lia |].
  apply (proj1 (Forall_forall _ _) S) in I. lia.
Qed.

Section Chunks.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

(** What is read of decrypted elements. *)
Theorem elements_value_iff (elements : list G1) (content : ByteString) : chunks_differ -> small_bytes content ->
  elements_value elements = Some content <->
  exists chunks, elements = chunk_elements chunks /\ value_chunks content (2 * seq_length chunks) = Some chunks.
Proof.
  intros D S. unfold elements_value. split.
  - destruct (elements_chunks elements) as [chunks |] eqn:E; [| discriminate]. intros V. exists chunks.
    apply elements_chunks_iff in E as [_ E]; [| exact D]. split; [exact E |]. now apply Spec.Mixnet.Chunks.chunks_value_iff.
  - intros (chunks & -> & V). apply Spec.Mixnet.Chunks.chunks_value_iff in V; [| exact S].
    assert (elements_chunks (chunk_elements chunks) = Some chunks) as ->; [| exact V].
    apply elements_chunks_iff; [exact D |]. split; [| reflexivity].
    unfold chunks_value in V. destruct (chunks_legal chunks) eqn:L; [| discriminate]. now apply chunks_legal_iff in L as [_ L].
Qed.

(** The row of a value, at i, after a shuffle by π under keys with these secrets: at π(i) stand all its chunks, in their order, and
    they are read as the value. *)
Theorem chunks_move_together (images : list N) (rows : list (list G1)) (keys : list G1) (randomness : list Scalar)
    (secrets : N -> Scalar) (content : ByteString) (chunks : list N) (rho : Scalar) (i : N) :
  chunks_differ -> small_bytes content -> value_chunks content (2 * seq_length chunks) = Some chunks ->
  permutes images (seq_length rows) -> i < seq_length rows -> seq_at rows i = encrypted_chunks chunks keys rho ->
  seq_length keys = seq_length chunks + 1 -> g1_at keys 0 = g1_generator ->
  (forall l, 0 < l < seq_length keys -> g1_at keys l = g1_multiple (secrets l)) ->
  let moved := seq_at (column_forward images rows keys randomness) (seq_at images i) in
  let read := map (fun l => decrypted moved (secrets l) l) (range 1 (seq_length chunks + 1)) in
  read = chunk_elements chunks /\ elements_value read = Some content.
Proof.
  intros D S V P Li R K G Y. cbv zeta.
  set (moved := seq_at (column_forward images rows keys randomness) (seq_at images i)).
  assert (map (fun l => decrypted moved (secrets l) l) (range 1 (seq_length chunks + 1)) = chunk_elements chunks) as E.
  { rewrite range_shift, map_map. apply g1_list_ext; [now rewrite seq_length_map, seq_length_range, chunk_elements_length |].
    intros l L. rewrite seq_length_map, seq_length_range in L. rewrite g1_at_map by exact L.
    unfold moved. rewrite column_forward_at by assumption. rewrite reencrypted_decrypts by (try apply Y; try exact G; lia).
    rewrite R, encrypted_chunks_decrypt by (try apply Y; try exact G; lia). f_equal. lia. }
  split; [exact E |]. rewrite E. apply elements_value_iff; [exact D | exact S |]. now exists chunks.
Qed.

(** Taking apart is asked of values that are bytes; putting together of anything. *)
Theorem chunks_never_panic :
  (forall content width, small_bytes content -> value_chunks_safe content width = true) /\
  (forall chunks, chunks_value_safe chunks = true) /\ (forall elements, elements_value_safe elements = true).
Proof.
  split; [exact Safety.ChunksSafe.value_chunks_never_panics |].
  split; [exact Safety.ChunksSafe.chunks_value_never_panics | exact Safety.ChunksSafe.elements_value_never_panics].
Qed.

End Chunks.
