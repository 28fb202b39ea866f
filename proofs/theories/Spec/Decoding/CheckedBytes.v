(** Received bytes of transactions and of snapshots: what is let in.

    - [check_signed_bytes_iff], [signed_bytes_never_panic]: to check the bytes of a signed transaction is to check the one that
      they are;
    - [accept_snapshot_iff], [snapshot_bytes_never_panic]: a snapshot is accepted if and only if it is the encoding of a state with
      the certified root, with as many commitments as vectors. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Opening Commitment.Scheme
  Dictionary.Genesis Block.Rejection Block.Transaction Block.State Block.Execution Block.Validator Block.Root
  Decoding.DecodeReason Decoding.TransactionDecoder Decoding.SignedDecoder Decoding.SnapshotDecoder Decoding.CheckedBytes
  Block.ValidatorSafe Block.RootSafe Decoding.TransactionDecoderSafe Decoding.CheckedBytesSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas Safety.SlotMapSafe Safety.BoundsSafe
  Safety.RootSafe Lemmas.Readers Spec.Decoding.TransactionDecoder Spec.Decoding.SignedDecoder Spec.Decoding.AggregatedDecoder
  Spec.Decoding.RecordDecoder Spec.Decoding.SnapshotDecoder Lemmas.MeantBlocks.
Import ListNotations.
Local Open Scope N_scope.

Section CheckedBytes.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** Snapshots *)

Section Snapshots.

Variables (dictionary certified : ByteString) (n : N).
Hypothesis not_empty : 1 <= n.

Lemma received_vector_count_is : forall s, 1 <= s -> received_vector_count s n = (s + n - 1) / n.
Proof.
  intros s H. unfold received_vector_count. destruct (N.eqb_spec s 0); [lia|].
  replace (s + n - 1) with (s - 1 + 1 * n) by lia. rewrite N.div_add by lia. reflexivity.
Qed.

Theorem accept_snapshot_iff : forall bytes received, of_bytes bytes ->
  accept_snapshot dictionary n certified bytes = Ok received <->
  fits_snapshot dictionary received /\ bytes = encode_snapshot received /\
  1 <= hashed_size received /\ seq_length (hashed_commitments received) = (hashed_size received + n - 1) / n /\
  state_root received = certified.
Proof.
  intros bytes received O. unfold accept_snapshot. split.
  - destruct (decode_snapshot dictionary bytes) as [state|why] eqn:D; [|discriminate]. intros E.
    apply decode_snapshot_iff in D; [|exact O]. destruct D as [X Q]. unfold check_snapshot in E.
    destruct (N.eqb_spec (hashed_size state) 0) as [|Some]; [discriminate E|]. cbn [orb] in E.
    destruct (N.eqb_spec (seq_length (hashed_commitments state)) (received_vector_count (hashed_size state) n)) as [L|];
      [|discriminate E]. cbn [negb] in E.
    destruct (bytes_equal (state_root state) certified) eqn:R; [|discriminate E]. injection E as <-.
    apply bytes_equal_iff in R. rewrite received_vector_count_is in L by lia. split; [exact X|]. split; [exact Q|].
    split; [lia|]. auto.
  - intros (X & -> & Some & L & R). rewrite (decode_encoded_snapshot dictionary received X). unfold check_snapshot.
    destruct (N.eqb_spec (hashed_size received) 0); [lia|]. cbn [orb].
    rewrite received_vector_count_is, L, N.eqb_refl by exact Some. cbn [negb].
    rewrite (proj2 (bytes_equal_iff _ _) R). reflexivity.
Qed.

Theorem snapshot_bytes_never_panic : (forall tag x, short (tagged_hash tag x)) -> forall bytes, of_bytes bytes -> held bytes ->
  accept_snapshot_safe dictionary n certified bytes = true.
Proof.
  intros digests bytes O H. unfold accept_snapshot_safe. rewrite snapshot_never_panics by assumption. cbn [andb].
  destruct (decode_snapshot dictionary bytes) as [state|why] eqn:D; [|reflexivity].
  apply decode_snapshot_iff in D; [|exact O]. destruct D as [(_ & _ & S & _ & [C _] & _) _]. unfold check_snapshot_safe.
  apply andb_true_iff. split.
  - destruct (N.eqb_spec (hashed_size state) 0); [reflexivity|]. unfold received_vector_count_safe, within_usize.
    destruct (N.eqb_spec (hashed_size state) 0); [reflexivity|].
    assert (B : (hashed_size state - 1) / n <= hashed_size state - 1) by (apply N.div_le_upper_bound; nia).
    rewrite !andb_true_iff, N.leb_le, negb_true_iff, N.eqb_neq, N.ltb_lt. lia.
  - destruct (_ || _); [reflexivity|]. rewrite state_root_never_panics by exact C. cbn [andb].
    apply bytes_equal_never_panics. unfold state_root, root_of_parts. apply digests.
Qed.

End Snapshots.

(** ** Transactions *)

Variables (setup : Setup) (state : ValidatorState).
Hypothesis legal : parameters_legal (parameters state) = true.

Lemma transaction_limit : transaction_bytes (parameters state) < 2 ^ 32.
Proof.
  pose proof legal as L. unfold parameters_legal, lengths_legal, fits_u32 in L. cbv zeta in L.
  rewrite !andb_true_iff, !N.leb_le in L. change (2 ^ 32) with 4294967296. lia.
Qed.

Theorem check_signed_bytes_iff : forall bytes meanings contents, of_bytes bytes ->
  check_signed_bytes setup state bytes meanings = Ok contents <->
  exists signed, fits_signed (parameters state) signed /\ bytes = encode_signed signed /\
    check_transaction setup state (meant_transaction (signed_transaction signed) meanings) = Ok contents.
Proof.
  intros bytes m contents O. unfold check_signed_bytes. split.
  - destruct (decode_signed bytes (parameters state)) as [signed|why] eqn:D; [|discriminate]. intros E.
    apply (decode_signed_iff _ transaction_limit) in D; [|exact O]. destruct D as [X Q].
    destruct (check_transaction _ _ _) as [known|] eqn:C in E; [|discriminate E]. injection E as <-. exists signed. auto.
  - intros (signed & X & -> & C). rewrite (decode_encoded_signed _ transaction_limit signed X), C. reflexivity.
Qed.

Theorem signed_bytes_never_panic :
  (forall tx, transaction_of_bytes tx -> transaction_length tx < 2 ^ 64 -> check_transaction_safe setup state tx = true) ->
  forall bytes meanings, of_bytes bytes -> held bytes -> check_signed_bytes_safe setup state bytes meanings = true.
Proof.
  intros safe bytes m O H. unfold check_signed_bytes_safe. rewrite (signed_never_panics _ transaction_limit) by assumption.
  cbn [andb]. destruct (decode_signed bytes (parameters state)) as [signed|why] eqn:D; [|reflexivity].
  apply (decode_signed_iff _ transaction_limit) in D; [|exact O]. destruct D as [(X & _ & L) ->].
  assert (M : meant_transaction_safe (signed_transaction signed) m = true).
  { unfold meant_transaction_safe, meant_claims_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|].
    intros c items Hc _. split; [|exact I]. apply N.ltb_lt. lia. }
  rewrite M. cbn [andb].
  assert (T : transaction_meant (signed_transaction signed) (meant_transaction (signed_transaction signed) m)) by (exists m; reflexivity).
  apply safe.
  - apply (transaction_meant_of_bytes TRANSACTION_FORMAT _ _ T). unfold encode_signed, encode_signed_body, body_of_signed, bytes32 in O.
    cbn [body_bytes body_signatures] in O. apply Forall_app in O. destruct O as [_ O]. apply Forall_app in O. destruct O as [O _].
    apply Forall_app in O. apply O.
  - destruct (transaction_length_meant OPENING_LENGTH TRANSACTION_FORMAT _ _ T X) as [_ E]. change OPENING_LENGTH with 48 in E.
    pose proof transaction_limit as B. change (2 ^ 32) with 4294967296 in B. change (2 ^ 64) with 18446744073709551616. lia.
Qed.

End CheckedBytes.
