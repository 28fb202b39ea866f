(** The state root, and paths to it, never leave the range of their integers or sequences.

    - [root_of_path_never_panics]: whatever leaf and path a light client is handed, and whatever the numbers are;
    - [commitment_path_never_panics], [state_root_never_panics]: for fewer than 2^64 commitments;
    - [sorted_replay_set_never_panics]: for short ids. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.Writes
  Block.State Block.Root Base.BytesSafe Dictionary.SlotSafe Block.RootSafe.
From Aardvark Require Import Lemmas.LoopLemmas Safety.SlotMapSafe Safety.PhasesSafe Safety.ViewBoundsSafe.
Import ListNotations.
Local Open Scope N_scope.

(** The half of a number, rounded down or up, is no larger. *)
Lemma halves : forall x most, x < most -> x / 2 < most /\ x / 2 + x mod 2 < most.
Proof.
  intros x most L. pose proof (N.div_mod' x 2) as E. revert E. generalize (x / 2) as q, (x mod 2) as r. intros q r E. lia.
Qed.

(** An even number of 64 bits has a successor of 64 bits. *)
Lemma even_successor : forall x, x < 2 ^ 64 -> x mod 2 = 0 -> x + 1 < 2 ^ 64.
Proof.
  intros x L E. pose proof (N.div_mod' x 2) as D. rewrite E in D. revert D. generalize (x / 2) as q. intros q D.
  change (2 ^ 64) with 18446744073709551616 in *. lia.
Qed.

Section Root.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Lemma node_digest_never_panics : forall a b, node_digest_safe a b = true.
Proof.
  intros a b. unfold node_digest_safe. destruct (N.ltb_spec (seq_length a) 1); [reflexivity|].
  rewrite andb_true_iff, !N.leb_le. lia.
Qed.

Lemma leaf_digests_safe_length : forall leaves,
  leaf_digests_safe leaves = true /\ seq_length (leaf_digests leaves) = seq_length leaves.
Proof.
  intros leaves. apply (loop_keeps _ (fun i digests => seq_length digests = i)); [reflexivity|]. intros i digests Hi L.
  split; [apply N.ltb_lt; exact Hi|]. unfold leaf_digests_step. rewrite seq_length_app, L. reflexivity.
Qed.

Lemma level_above_safe_length : forall below, seq_length below < 2 ^ 64 ->
  level_above_safe below = true /\ seq_length (level_above below) <= seq_length below.
Proof.
  intros below L. apply (loop_keeps _ (fun i above => seq_length above <= i)); [reflexivity|]. intros i above Hi K. split.
  - unfold level_above_step_safe, within_usize. destruct (i mod 2 =? 0); [|reflexivity].
    destruct (N.ltb_spec (i + 1) (2 ^ 64)); [|lia]. pose proof Hi as Li. apply N.ltb_lt in Li. rewrite Li.
    destruct (i + 1 <? seq_length below); cbn [andb]; [apply node_digest_never_panics|reflexivity].
  - unfold level_above_step. destruct (i mod 2 =? 0); [|lia]. destruct (_ <? _); rewrite seq_length_app;
      change (seq_length [_]) with 1; lia.
Qed.

Lemma commitment_root_never_panics : forall leaves, seq_length leaves < 2 ^ 64 -> commitment_root_safe leaves = true.
Proof.
  intros leaves L. unfold commitment_root_safe. destruct (leaf_digests_safe_length leaves) as [-> D]. cbn [andb].
  apply (loop_is_safe _ (fun _ level => seq_length level < 2 ^ 64)); [rewrite D; exact L|]. intros i level _ K.
  destruct (level_above_safe_length level K) as [S M]. split; [exact S|lia].
Qed.

Theorem commitment_path_never_panics : forall leaves index,
  seq_length leaves < 2 ^ 64 -> index < 2 ^ 64 -> commitment_path_safe leaves index = true.
Proof.
  intros leaves index L I. unfold commitment_path_safe. destruct (leaf_digests_safe_length leaves) as [-> D]. cbn [andb].
  apply (loop_is_safe _ (fun _ p => seq_length (progress_level p) < 2 ^ 64 /\ progress_index p < 2 ^ 64)).
  - cbn [progress_level progress_index]. rewrite D. split; assumption.
  - intros i p _ [K J]. destruct (level_above_safe_length (progress_level p) K) as [S M].
    unfold commitment_path_step_safe, commitment_path_step. cbv zeta. cbn [progress_level progress_index]. rewrite S.
    split; [|split; [lia|apply halves; exact J]]. rewrite andb_true_r.
    unfold sibling_index_safe, within_usize. destruct (N.eqb_spec (progress_index p mod 2) 0) as [E|E].
    + apply N.ltb_lt, even_successor; assumption.
    + apply N.leb_le. destruct (N.eq_dec (progress_index p) 0) as [Z|]; [|lia]. rewrite Z in E. destruct E. reflexivity.
Qed.

Theorem root_of_path_never_panics : forall width index leaf path,
  width < 2 ^ 64 -> index < 2 ^ 64 -> seq_length path < 2 ^ 64 -> root_of_path_safe width index leaf path = true.
Proof.
  intros width index leaf path W I L. unfold root_of_path_safe, path_end_safe.
  apply (loop_is_safe _ (fun _ p => place_width p < 2 ^ 64 /\ place_index p < 2 ^ 64)); [split; assumption|].
  intros i p _ [K J].
  assert (Above : forall digest used, place_above_safe p digest used = true /\
    place_width (place_above p digest used) < 2 ^ 64 /\ place_index (place_above p digest used) < 2 ^ 64).
  { intros digest used. unfold place_above_safe, place_above, within_usize. cbn [place_width place_index].
    rewrite N.ltb_lt. destruct (halves _ _ K), (halves _ _ J). auto. }
  assert (C : is_carried_safe p = true).
  { unfold is_carried_safe, within_usize. destruct (N.eqb_spec (place_index p mod 2) 0); [|reflexivity].
    apply N.ltb_lt, even_successor; assumption. }
  unfold path_end_step_safe, path_end_step. rewrite C. cbn [andb]. cbv zeta. destruct (is_carried p); [apply Above|].
  destruct (N.ltb_spec (place_used p) (seq_length path)); [|split; [reflexivity|split; assumption]].
  assert (U : within_usize (place_used p + 1) = true) by (apply N.ltb_lt; lia).
  destruct (place_index p mod 2 =? 0); rewrite node_digest_never_panics, U; apply Above.
Qed.

(** ** The digests of a state *)

Lemma writes_bytes_never_panics : forall writes : list Write, writes_bytes_safe writes = true.
Proof. intros. unfold writes_bytes_safe. each_check Hi. apply N.ltb_lt. lia. Qed.

Lemma all_previous_bytes_never_panics : forall previous, all_previous_bytes_safe previous = true.
Proof. intros. unfold all_previous_bytes_safe. each_check Hi. apply N.ltb_lt. lia. Qed.

Lemma window_digest_never_panics : forall records, window_digest_safe records = true.
Proof.
  intros records. unfold window_digest_safe, window_bytes_safe. each_check Hi. in_range Hi.
  unfold window_bytes_step_safe, record_digest_safe, record_bytes_safe. rewrite writes_bytes_never_panics.
  apply all_previous_bytes_never_panics.
Qed.

Theorem state_root_never_panics : forall state, seq_length (hashed_commitments state) < 2 ^ 64 -> state_root_safe state = true.
Proof.
  intros state L. unfold state_root_safe, parts_of_state_safe.
  rewrite commitment_root_never_panics, window_digest_never_panics by exact L. rewrite andb_true_r. apply andb_true_iff. split.
  - unfold tail_digest_safe, tail_bytes_safe. cbn [andb]. each_check Hi. apply N.ltb_lt. lia.
  - unfold replay_digest_safe, replay_bytes_safe. each_check Hi. apply N.ltb_lt. lia.
Qed.

(** ** The order of the replay set *)

Lemma insert_replay_never_panics : forall sorted entry, short (replay_id entry) -> insert_replay_safe sorted entry = true.
Proof.
  intros sorted entry S. unfold insert_replay_safe. each_check Hi. in_range Hi. unfold insert_replay_step_safe.
  destruct (negb _); [|reflexivity]. unfold replay_before_safe. destruct (_ <? _); [reflexivity|].
  destruct (_ =? _); [apply bytes_less_never_panics; exact S|reflexivity].
Qed.

Theorem sorted_replay_set_never_panics : forall entries,
  (forall e, In e entries -> short (replay_id e)) -> sorted_replay_set_safe entries = true.
Proof.
  intros entries S. unfold sorted_replay_set_safe. each_check Hi. in_range Hi. apply insert_replay_never_panics, S, seq_at_in.
  exact Hi.
Qed.

End Root.
