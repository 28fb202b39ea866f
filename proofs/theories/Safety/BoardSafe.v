(** No transaction makes the check of the policy `board` panic.

    - [is_listed_never_panics]: nothing that is looked for in a list of keys makes that panic;
    - [check_board_never_panics]: whatever posts, and what else, its operations hold, if only they are bytes that a machine
      can receive. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Block.Operation Block.Transaction Mixnet.PostKey
  Mixnet.PostValue Policy.PolicyReason Policy.Signers Policy.Board Base.BytesSafe Decoding.CursorSafe Mixnet.PostKeySafe
  Mixnet.PostValueSafe Policy.SignersSafe Policy.BoardSafe.
From Aardvark Require Import Lemmas.Readers Lemmas.LoopLemmas Lemmas.Sequences Spec.Base.Bytes Safety.BoundsSafe Safety.SlotMapSafe
  Spec.Mixnet.PostKey Safety.TableBytesSafe Safety.TableWritesSafe.
Import ListNotations.
Local Open Scope N_scope.

(** ** Keys and values *)

Lemma decode_post_key_never_panics : forall bytes, of_bytes bytes -> decode_post_key_safe bytes = true.
Proof.
  intros bytes O. unfold decode_post_key_safe, number_of_post_safe, take_of_post_safe.
  rewrite number_never_panics by (lia || exact O). cbn [andb].
  destruct (number_of_post bytes 1) as [[format rest1]|] eqn:E1; [|reflexivity].
  apply number_of_post_ok in E1; [|lia|exact O]. destruct E1 as (_ & _ & O1). destruct (expect_post _ _); [|reflexivity].
  rewrite take_never_panics. cbn [andb].
  destruct (take_of_post rest1 _) as [[o rest2]|] eqn:E2; [|reflexivity]. apply take_of_post_ok in E2; [|exact O1].
  destruct E2 as (_ & _ & O2). rewrite number_never_panics by (lia || exact O2). cbn [andb].
  destruct (number_of_post rest2 4) as [[c rest3]|] eqn:E3; [|reflexivity]. apply number_of_post_ok in E3; [|lia|exact O2].
  destruct E3 as (_ & _ & O3). rewrite number_never_panics by (lia || exact O3). cbn [andb].
  destruct (number_of_post rest3 1) as [[k rest4]|] eqn:E4; [|reflexivity]. apply number_of_post_ok in E4; [|lia|exact O3].
  destruct E4 as (_ & _ & O4). destruct (expect_post _ _); [|reflexivity].
  replace (read_post_query_safe rest4 k) with true.
  2: { unfold read_post_query_safe, take_of_post_safe. destruct (kind_of_query k); [now rewrite take_never_panics|reflexivity]. }
  cbn [andb]. destruct (read_post_query rest4 k) as [[q rest5]|] eqn:E5; [|reflexivity]. apply post_query_ok in E5; [|exact O4].
  destruct E5 as (_ & _ & O5). rewrite number_never_panics by (lia || exact O5). cbn [andb].
  destruct (number_of_post rest5 2) as [[s rest6]|]; [|reflexivity]. apply take_never_panics.
Qed.

Lemma read_receipts_never_panics : forall bytes count, of_bytes bytes -> held bytes -> read_receipts_safe bytes count = true.
Proof.
  intros bytes count O H. unfold read_receipts_safe. rewrite turns_never_panic by exact H. cbn [andb].
  apply (loop_is_safe _ (fun _ items => match items with Ok found => of_bytes (receipts_rest found) | Err _ => True end));
    [exact O|]. intros i [found|why] _ B; [|split; [reflexivity|exact I]].
  unfold read_receipts_step_safe, read_receipts_step, number_of_post_safe, take_of_post_safe.
  rewrite number_never_panics by (lia || exact B). cbn [andb].
  destruct (number_of_post (receipts_rest found) 2) as [[server rest1]|] eqn:E1; [|split; [reflexivity|exact I]].
  apply number_of_post_ok in E1; [|lia|exact B]. destruct E1 as (S & _ & O1). rewrite take_never_panics. cbn [andb].
  destruct (take_of_post rest1 _) as [[signature rest2]|] eqn:E2; [|split; [reflexivity|exact I]].
  apply take_of_post_ok in E2; [|exact O1]. destruct E2 as (_ & _ & O2).
  destruct (expect_post _ _); [|split; [reflexivity|exact I]]. split; [|exact O2].
  apply N.ltb_lt. change (256 ^ 2) with 65536 in S. change (2 ^ 64) with 18446744073709551616. lia.
Qed.

Lemma decode_post_value_never_panics : forall bytes, of_bytes bytes -> held bytes -> decode_post_value_safe bytes = true.
Proof.
  intros bytes O H. unfold decode_post_value_safe, number_of_post_safe. rewrite number_never_panics by (lia || exact O).
  cbn [andb]. destruct (number_of_post bytes 1) as [[form rest]|] eqn:E; [|reflexivity].
  apply number_of_post_ok in E; [|lia|exact O]. destruct E as (_ & -> & O1).
  assert (H1 : held rest) by (unfold held in *; rewrite seq_length_app in H; lia).
  destruct (form =? 0); [|destruct (form =? 1); [|reflexivity]].
  - unfold decode_inline_post_safe. destruct (expect_post _ _) eqn:R; [|reflexivity]. apply expect_post_ok in R. rewrite R.
    unfold take_of_post_safe at 1. rewrite take_never_panics. cbn [andb]. destruct (take_of_post rest _) as [[body rest1]|]; [|reflexivity].
    destruct (expect_post _ _); [|reflexivity]. apply take_never_panics.
  - unfold decode_stored_post_safe, number_of_post_safe, take_of_post_safe. rewrite number_never_panics by (lia || exact O1).
    cbn [andb]. destruct (number_of_post rest 8) as [[length rest1]|] eqn:E1; [|reflexivity].
    apply number_of_post_ok in E1; [|lia|exact O1]. destruct E1 as (_ & -> & O2). rewrite take_never_panics. cbn [andb].
    destruct (take_of_post rest1 _) as [[digest rest2]|] eqn:E2; [|reflexivity]. apply take_of_post_ok in E2; [|exact O2].
    destruct E2 as (_ & -> & O3). rewrite number_never_panics by (lia || exact O3). cbn [andb].
    destruct (number_of_post rest2 1) as [[count rest3]|] eqn:E3; [|reflexivity]. apply number_of_post_ok in E3; [|lia|exact O3].
    destruct E3 as (_ & -> & O4). rewrite read_receipts_never_panics.
    2: exact O4.
    2: { unfold held in *. rewrite !seq_length_app in H1. lia. }
    cbn [andb]. destruct (read_receipts rest3 count); [|reflexivity]. destruct (expect_post _ _); [|reflexivity]. apply take_never_panics.
Qed.

(** ** Operations *)

Lemma each_in : forall A (D : Default A) (P : A -> Prop) s i, Forall P s -> i < seq_length s -> P (seq_at s i).
Proof. intros A D P s i H L. rewrite Forall_forall in H. apply H, seq_at_in, L. Qed.

Lemma is_listed_never_panics : forall listed k, Forall short listed -> is_listed_safe listed k = true.
Proof.
  intros listed k S. apply (loop_over_elements_safe _ _ _ (fun _ => True) _ (fun found s => is_listed_step_safe found s k));
    [exact I|]. intros i acc Hi _. split; [|exact I]. unfold is_listed_step_safe. destruct acc; [reflexivity|].
  apply SlotMapSafe.bytes_equal_never_panics, (each_in _ _ _ _ _ S Hi).
Qed.

Lemma short_held : forall bytes, short bytes -> held bytes.
Proof. intros bytes S. unfold short, held in *. change (2 ^ 63) with (2 ^ 32 * 2 ^ 31). lia. Qed.

Lemma board_post_never_panics : forall key_bytes value_bytes,
  received key_bytes -> received value_bytes -> board_post_safe key_bytes value_bytes = true.
Proof.
  intros k v (K & _) (V & S). unfold board_post_safe. rewrite decode_post_key_never_panics by exact K. cbn [andb].
  destruct (decode_post_key k); [|reflexivity]. exact (decode_post_value_never_panics _ V (short_held _ S)).
Qed.

Lemma board_post_fits : forall key_bytes value_bytes written,
  of_bytes key_bytes -> board_post key_bytes value_bytes = Ok written -> fits_post_key (board_key written).
Proof.
  intros k v written K E. unfold board_post in E. destruct (decode_post_key k) as [key|] eqn:D; [|discriminate].
  destruct (decode_post_value v); [|discriminate]. injection E as <-. exact (proj1 (proj1 (decode_post_key_iff k key K) D)).
Qed.

Lemma gates_few : forall key, seq_length (post_gates key) <= 2.
Proof.
  intros key. unfold post_gates. destruct (_ =? _); [|destruct (kind_may_be_absent _)]; cbv - [N.le]; lia.
Qed.

Lemma gates_required_never_panics : forall items first gates,
  Forall operation_received items -> first <= 1 -> seq_length gates <= 2 -> gates_required_safe items first gates = true.
Proof.
  intros items first gates B L G. unfold gates_required_safe.
  replace (within_usize (first + seq_length gates)) with true.
  2: { symmetry. apply N.ltb_lt. change (2 ^ 64) with 18446744073709551616. lia. }
  cbn [andb]. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i acc Hi _. split; [|exact I].
  unfold gates_required_step_safe. replace (within_usize (first + i)) with true.
  2: { symmetry. apply N.ltb_lt. change (2 ^ 64) with 18446744073709551616. lia. }
  destruct acc; [|reflexivity]. cbn [andb]. destruct (N.ltb_spec (first + i) (seq_length items)) as [A|A]; [|reflexivity].
  replace (i <? seq_length gates) with true by (symmetry; apply N.ltb_lt; lia). cbn [andb]. unfold requires_absence_safe.
  destruct (action _); try reflexivity. apply SlotMapSafe.bytes_equal_never_panics. apply (each_in _ _ _ items _ B A).
Qed.

Section Board.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Lemma admissions_of_never_panics : forall items key, Forall operation_received items -> admissions_of_safe items key = true.
Proof.
  intros items key B. unfold admissions_of_safe. destruct (kind_of_organiser _); [reflexivity|].
  destruct (N.eqb_spec (seq_length items) 0) as [|N]; [reflexivity|].
  assert (L : 0 < seq_length items) by lia. pose proof (each_in _ _ _ items 0 B L) as (K & V).
  apply N.ltb_lt in L. rewrite L. cbn [andb]. unfold admission_required_safe. destruct (action (seq_at items 0)); try reflexivity.
  rewrite SlotMapSafe.bytes_equal_never_panics by apply K. cbn [andb]. destruct (bytes_equal _ _); [|reflexivity].
  now apply board_post_never_panics.
Qed.

Lemma admissions_few : forall items key admissions, admissions_of items key = Ok admissions -> seq_length admissions <= 1.
Proof.
  intros items key admissions E. unfold admissions_of in E. destruct (kind_of_organiser _); [injection E as <-; cbv; discriminate|].
  destruct (_ =? 0); [discriminate|]. destruct (admission_required _ _); [|discriminate]. injection E as <-. cbv. discriminate.
Qed.

Lemma check_board_post_never_panics : forall organisers items written,
  Forall short organisers -> Forall operation_received items -> fits_post_key (board_key written) ->
  check_board_post_safe organisers items written = true.
Proof.
  intros organisers items written S B Fit. unfold check_board_post_safe. cbv zeta.
  rewrite is_listed_never_panics by exact S. cbn [andb]. destruct (expect_board _ _); [|reflexivity].
  destruct Fit as (Org & _ & K & _ & _ & _ & Author).
  replace (post_in_place_safe (board_key written)) with true.
  2: { symmetry. unfold post_in_place_safe. destruct (kind_of_organiser _); [|reflexivity].
    apply SlotMapSafe.bytes_equal_never_panics. unfold short, post_signer. destruct (_ =? _); [rewrite Org|rewrite Author]; reflexivity. }
  cbn [andb]. destruct (expect_board _ _); [|reflexivity]. rewrite admissions_of_never_panics by exact B. cbn [andb].
  destruct (admissions_of items (board_key written)) as [admissions|] eqn:A; [|reflexivity]. apply admissions_few in A.
  rewrite gates_required_never_panics by (exact B || exact A || apply gates_few). rewrite andb_true_r.
  unfold post_gates_safe. destruct (_ =? _); [reflexivity|]. destruct (kind_may_be_absent _); [|reflexivity].
  apply known_kind_below in K. pose proof (N.mod_lt (post_sequence (board_key written)) 256 ltac:(discriminate)) as M.
  change (2 ^ 8) with 256 in K. unfold within_usize. rewrite andb_true_iff, !N.ltb_lt. change (2 ^ 64) with 18446744073709551616. lia.
Qed.

Lemma read_board_never_panics : forall organisers items,
  Forall short organisers -> Forall operation_received items -> read_board_safe organisers items = true.
Proof.
  intros organisers items S B. unfold read_board_safe.
  apply (loop_is_safe _ (fun _ reading => match reading with
    | Ok so_far => Forall operation_received (read_requirements so_far) | Err _ => True end)); [constructor|].
  intros j [so_far|why] Hj P. 2: { split; [|exact I]. cbn [read_board_step_safe]. rewrite andb_true_r. apply N.ltb_lt. lia. }
  pose proof (each_in _ _ _ items j B ltac:(lia)) as M. pose proof M as (K & V).
  replace (j <? seq_length items) with true by (symmetry; apply N.ltb_lt; lia). cbn [andb read_board_step_safe read_board_step].
  unfold read_board_operation_safe, read_board_operation. destruct (action (seq_at items j)) eqn:A.
  - split; [reflexivity|]. cbn. apply Forall_app. split; [exact P|]. constructor; [exact M|constructor].
  - split; [reflexivity|]. cbn. apply Forall_app. split; [exact P|]. constructor; [exact M|constructor].
  - unfold with_post_safe, with_post. rewrite board_post_never_panics by assumption. cbn [andb].
    destruct (board_post _ _) as [written|] eqn:E; [|split; [reflexivity|exact I]]. apply board_post_fits in E; [|apply K].
    split; [now apply check_board_post_never_panics|]. destruct (check_board_post _ _ _); [constructor|exact I].
  - split; [reflexivity|exact I].
  - split; [reflexivity|exact I].
  - split; [reflexivity|exact I].
Qed.

Theorem check_board_never_panics : forall organisers tx signing_keys,
  Forall short organisers -> Forall operation_received (operations tx) ->
  check_board_safe organisers tx signing_keys = true.
Proof.
  intros organisers tx keys S B. unfold check_board_safe. destruct (expect_board _ _); [|reflexivity].
  now apply read_board_never_panics.
Qed.

End Board.
