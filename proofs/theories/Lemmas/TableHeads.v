(** Heads and segments of runs from bytes: which bytes say which head, given which bytes are which point.

    - [head_decoded], [piece_decoded]: what is decoded is encoded by the bytes;
    - [head_injective], [piece_injective]: and nothing else is. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Hash Base.Group Decoding.DecodeReason Decoding.Cursor Table.RunRecord
  Table.RunSegments Table.TablePolicy Policy.PolicyReason Policy.TableSteps Policy.TableSheets.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.Readers Safety.BoundsSafe.
From Aardvark Require Lemmas.TableSchemas.
Import ListNotations.
Local Open Scope N_scope.

Section TableHeads.

Context {F : ScalarOperations} {scalar_given : Scalar.ScalarGiven} {hash_given : HashGiven}.

(** The element of the group that bytes are the encoding of: a matter of the curve. What it says of bytes that encode none does not matter. *)
Variable curve : ByteString -> G1.

Definition true_point (point : TablePoint) : Prop := held_element point = curve (held_bytes point).

(** The parts have the sizes that their encodings hold, and points stand beside their own encodings. *)
Definition point_fits (point : TablePoint) : Prop := true_point point /\ seq_length (held_bytes point) = TABLE_POINT_BYTES.
Definition record_fits (moments : N) (record : RunRecord) : Prop :=
  record_log record < 2 ^ 8 /\ record_first record < 2 ^ 16 /\ record_rows record < 2 ^ 16 /\ point_fits (record_values record) /\
  seq_length (record_root record) = TEXT_ROOT_BYTES /\ seq_length (record_sums record) = moments /\ Forall point_fits (record_sums record).
Definition head_fits (moments : N) (head : LongHead) : Prop :=
  long_revision head < 2 ^ 32 /\ long_segments head < 2 ^ 32 /\ long_rows head < 2 ^ 64 /\ record_fits moments (long_record head) /\
  seq_length (long_totals head) = (if long_segments head =? 1 then 0 else moments) /\ Forall point_fits (long_totals head).
Definition piece_fits (moments : N) (piece : RunPiece) : Prop := piece_rank piece < 2 ^ 64 /\ record_fits moments (piece_record piece).

(** ** Points *)

Lemma point_found : forall points written point, Forall true_point points -> point_of_bytes points written = Some point ->
  true_point point /\ held_bytes point = written.
Proof.
  intros points written point T. unfold point_of_bytes.
  apply (loop_invariant _ (fun _ found => found = Some point -> true_point point /\ held_bytes point = written)); [lia|discriminate|].
  intros i found L IH E. unfold point_of_bytes_step in E. destruct found as [p|]; [exact (IH E)|].
  destruct (bytes_equal _ written) eqn:Q; [|discriminate]. apply bytes_equal_iff in Q. injection E as <-. split; [|exact Q].
  rewrite Forall_forall in T. apply T, seq_at_in. lia.
Qed.

Lemma taken : forall bytes count x rest, of_bytes bytes -> take_of_record bytes count = Ok (x, rest) ->
  seq_length x = count /\ bytes = x ++ rest /\ of_bytes rest.
Proof.
  intros bytes count x rest O E. unfold take_of_record in E. destruct (take_bytes bytes count) as [[y r]|] eqn:R; [|discriminate].
  injection E as -> ->. exact (inverts_read _ _ _ _ (take_inverts count) _ _ _ O R).
Qed.

Lemma number_taken : forall bytes w x rest, w <= 8 -> of_bytes bytes -> number_of_record bytes w = Ok (x, rest) ->
  x < 256 ^ w /\ bytes = big_endian x w ++ rest /\ of_bytes rest.
Proof.
  intros bytes w x rest W O E. unfold number_of_record in E. destruct (read_number bytes w) as [[y r]|] eqn:R; [|discriminate].
  injection E as -> ->. exact (inverts_read _ _ _ _ (number_inverts w W) _ _ _ O R).
Qed.

Lemma point_taken : forall points bytes point rest, Forall true_point points -> of_bytes bytes -> read_table_point points bytes = Ok (point, rest) ->
  point_fits point /\ bytes = held_bytes point ++ rest /\ of_bytes rest.
Proof.
  intros points bytes point rest T O E. unfold read_table_point in E. destruct (take_of_record bytes _) as [[x r]|] eqn:R; [|discriminate].
  apply taken in R; [|exact O]. destruct R as (L & -> & O'). destruct (point_of_bytes points x) as [p|] eqn:P; [|discriminate].
  injection E as -> ->. destruct (point_found _ _ _ T P) as [Q <-]. split; [split; assumption|]. auto.
Qed.

Lemma encode_points_flat : forall points, encode_table_points points = flat_map held_bytes points.
Proof. intros points. exact (TableSchemas.appended_is_flat_map _ _ held_bytes points). Qed.

Lemma points_taken : forall points count bytes found rest, Forall true_point points -> of_bytes bytes ->
  read_table_points points bytes count = Ok (found, rest) ->
  seq_length found = count /\ Forall point_fits found /\ bytes = encode_table_points found ++ rest /\ of_bytes rest.
Proof.
  intros points count bytes found rest T O. unfold read_table_points. revert found rest.
  apply (loop_invariant _ (fun i read => forall found rest, read = Ok (found, rest) ->
    seq_length found = i /\ Forall point_fits found /\ bytes = encode_table_points found ++ rest /\ of_bytes rest)); [lia| |].
  - intros found rest E. injection E as <- <-. repeat split; [constructor|exact O].
  - intros i read _ IH found rest E. unfold read_table_points_step in E. destruct read as [[before unread]|]; [|discriminate].
    destruct (IH _ _ eq_refl) as (L & X & -> & O'). destruct (read_table_point points unread) as [[p r]|] eqn:R; [|discriminate].
    injection E as <- <-. apply point_taken in R; [|assumption..]. destruct R as (P & -> & O2). rewrite seq_length_app, L.
    split; [reflexivity|]. split; [apply Forall_app; auto|]. split; [|exact O2].
    rewrite !encode_points_flat, flat_map_app. cbn [flat_map]. rewrite app_nil_r, <- app_assoc. reflexivity.
Qed.

(** ** Records, heads, segments *)

Lemma record_taken : forall points bytes moments record rest, Forall true_point points -> of_bytes bytes ->
  read_run_record points bytes moments = Ok (record, rest) ->
  record_fits moments record /\ bytes = encode_run_record record ++ rest /\ of_bytes rest.
Proof.
  intros points bytes moments record rest T O E. unfold read_run_record in E.
  destruct (number_of_record bytes 1) as [[log b1]|] eqn:E1; [|discriminate]. apply number_taken in E1 as (X1 & -> & O1); [|lia|exact O].
  destruct (number_of_record b1 2) as [[first b2]|] eqn:E2; [|discriminate]. apply number_taken in E2 as (X2 & -> & O2); [|lia|exact O1].
  destruct (number_of_record b2 2) as [[rows b3]|] eqn:E3; [|discriminate]. apply number_taken in E3 as (X3 & -> & O3); [|lia|exact O2].
  destruct (read_table_point points b3) as [[values b4]|] eqn:E4; [|discriminate]. apply point_taken in E4 as (X4 & -> & O4); [|assumption..].
  destruct (take_of_record b4 _) as [[root b5]|] eqn:E5; [|discriminate]. apply taken in E5 as (X5 & -> & O5); [|assumption].
  destruct (read_table_points points b5 moments) as [[sums b6]|] eqn:E6; [|discriminate]. apply points_taken in E6 as (X6 & X7 & -> & O6);
    [|assumption..].
  injection E as <- <-. unfold record_fits, encode_run_record.
  cbn [record_log record_first record_rows record_values record_root record_sums]. split; [|split; [|exact O6]].
  - repeat (split; [assumption|]). assumption.
  - rewrite <- !app_assoc. reflexivity.
Qed.

Lemma expected : forall condition u, expect_record condition = Ok u -> condition = true.
Proof. intros [] u E; [reflexivity|discriminate]. Qed.

Lemma nothing_left : forall rest : ByteString, (seq_length rest =? 0) = true -> rest = [].
Proof. intros [|x rest] E; [reflexivity|]. apply N.eqb_eq in E. rewrite seq_length_cons in E. lia. Qed.

Theorem head_decoded : forall points bytes moments head, Forall true_point points -> of_bytes bytes ->
  decode_long_head points bytes moments = Ok head ->
  head_fits moments head /\ bytes = encode_long_head head /\ revision_of_head bytes = Some (long_revision head).
Proof.
  intros points bytes moments head T O E. unfold decode_long_head in E.
  destruct (number_of_record bytes 1) as [[format b1]|] eqn:E1; [|discriminate]. apply number_taken in E1 as (X1 & Q1 & O1); [|lia|exact O].
  destruct (expect_record (format =? 1)) eqn:E2; [|discriminate]. apply expected, N.eqb_eq in E2. subst format.
  destruct (number_of_record b1 4) as [[revision b2]|] eqn:E3; [|discriminate]. apply number_taken in E3 as (X3 & -> & O3); [|lia|exact O1].
  destruct (number_of_record b2 4) as [[segments b3]|] eqn:E4; [|discriminate]. apply number_taken in E4 as (X4 & -> & O4); [|lia|exact O3].
  destruct (number_of_record b3 8) as [[total b4]|] eqn:E5; [|discriminate]. apply number_taken in E5 as (X5 & -> & O5); [|lia|exact O4].
  destruct (read_run_record points b4 moments) as [[record b5]|] eqn:E6; [|discriminate]. apply record_taken in E6 as (X6 & -> & O6); [|assumption..].
  destruct (expect_record (head_rows_fit _ _ _)); [|discriminate].
  destruct (read_table_points points b5 _) as [[totals b6]|] eqn:E7; [|discriminate]. apply points_taken in E7 as (X7 & X8 & -> & O7); [|assumption..].
  destruct (expect_record (seq_length b6 =? 0)) eqn:E8; [|discriminate]. apply expected, nothing_left in E8. subst b6.
  injection E as <-. unfold head_fits, encode_long_head. cbn [long_revision long_segments long_rows long_record long_totals]. split; [|split].
  - repeat (split; [assumption|]). assumption.
  - rewrite Q1, app_nil_r. reflexivity.
  - rewrite Q1. unfold revision_of_head. rewrite (proj1 (take_inverts 1)) by apply big_endian_length.
    rewrite (proj1 (number_inverts 4 ltac:(lia))) by exact X3. reflexivity.
Qed.

Theorem piece_decoded : forall points entry moments piece, Forall true_point points -> of_bytes (segment_entry_value entry) ->
  decode_run_piece points entry moments = Ok piece ->
  piece_fits moments piece /\ segment_entry_value entry = encode_run_piece piece /\ piece_number piece = segment_entry_number entry.
Proof.
  intros points entry moments piece T O E. unfold decode_run_piece in E.
  destruct (number_of_record _ 1) as [[format b1]|] eqn:E1; [|discriminate]. apply number_taken in E1 as (X1 & -> & O1); [|lia|exact O].
  destruct (expect_record (format =? 2)) eqn:E2; [|discriminate]. apply expected, N.eqb_eq in E2. subst format.
  destruct (number_of_record b1 8) as [[rank b2]|] eqn:E3; [|discriminate]. apply number_taken in E3 as (X3 & -> & O3); [|lia|exact O1].
  destruct (read_run_record points b2 moments) as [[record b3]|] eqn:E6; [|discriminate]. apply record_taken in E6 as (X6 & -> & O6); [|assumption..].
  destruct (expect_record (seq_length b3 =? 0)) eqn:E8; [|discriminate]. apply expected, nothing_left in E8. subst b3.
  injection E as <-. unfold piece_fits, encode_run_piece. cbn [piece_number piece_rank piece_record]. rewrite app_nil_r. auto.
Qed.

(** ** One head for bytes *)

Lemma point_injective : forall x y, point_fits x -> point_fits y -> held_bytes x = held_bytes y -> x = y.
Proof. intros [e b] [e' b'] [X _] [Y _] E. unfold true_point in *. cbn [held_element held_bytes] in *. congruence. Qed.

Lemma points_injective : forall xs ys rest rest', Forall point_fits xs -> Forall point_fits ys -> seq_length xs = seq_length ys ->
  encode_table_points xs ++ rest = encode_table_points ys ++ rest' -> xs = ys /\ rest = rest'.
Proof.
  intros xs ys rest rest' X Y. rewrite !encode_points_flat. revert ys Y. induction X as [|x xs P X IH]; intros [|y ys] Y L E;
    rewrite ?seq_length_cons, ?seq_length_nil in L; try lia; [auto|]. inversion Y as [|? ? Q Y']; subst. cbn [flat_map] in E. rewrite <- !app_assoc
      in E.
  apply app_split in E; [|rewrite (proj2 P), (proj2 Q); reflexivity]. destruct E as [B E].
  destruct (IH ys Y' ltac:(lia) E) as [-> ->]. rewrite (point_injective x y P Q B). auto.
Qed.

Lemma record_injective : forall moments x y rest rest', record_fits moments x -> record_fits moments y ->
  encode_run_record x ++ rest = encode_run_record y ++ rest' -> x = y /\ rest = rest'.
Proof.
  intros moments [l f n v r s] [l' f' n' v' r' s'] rest rest' (X1 & X2 & X3 & X4 & X5 & X6 & X7) (Y1 & Y2 & Y3 & Y4 & Y5 & Y6 & Y7) E.
  unfold encode_run_record in E. cbn [record_log record_first record_rows record_values record_root record_sums] in *. rewrite <- !app_assoc in E.
  apply (TableSchemas.inverts_split _ _ _ _ u8_inverts) in E; [|assumption..]. destruct E as [-> E].
  apply (TableSchemas.inverts_split _ _ _ _ u16_inverts) in E; [|assumption..]. destruct E as [-> E].
  apply (TableSchemas.inverts_split _ _ _ _ u16_inverts) in E; [|assumption..]. destruct E as [-> E].
  apply app_split in E; [|rewrite (proj2 X4), (proj2 Y4); reflexivity]. destruct E as [B E]. apply point_injective in B; [|assumption..].
  apply app_split in E; [|congruence]. destruct E as [-> E]. apply points_injective in E; [|assumption|assumption|congruence]. destruct E as [-> ->].
  subst v'. auto.
Qed.

Theorem head_injective : forall moments x y, head_fits moments x -> head_fits moments y -> encode_long_head x = encode_long_head y -> x = y.
Proof.
  intros moments [v n r h t] [v' n' r' h' t'] (X1 & X2 & X3 & X4 & X5 & X6) (Y1 & Y2 & Y3 & Y4 & Y5 & Y6) E.
  unfold encode_long_head in E. cbn [long_revision long_segments long_rows long_record long_totals] in *. apply app_inv_head in E.
  apply (TableSchemas.inverts_split _ _ _ _ u32_inverts) in E; [|assumption..]. destruct E as [-> E].
  apply (TableSchemas.inverts_split _ _ _ _ u32_inverts) in E; [|assumption..]. destruct E as [-> E].
  apply (TableSchemas.inverts_split _ _ _ _ u64_inverts) in E; [|assumption..]. destruct E as [-> E].
  apply (record_injective moments) in E; [|assumption..]. destruct E as [-> E].
  rewrite <- (app_nil_r (encode_table_points t)), <- (app_nil_r (encode_table_points t')) in E.
  apply points_injective in E; [|assumption|assumption|congruence]. destruct E as [-> _]. reflexivity.
Qed.

Theorem piece_injective : forall moments x y, piece_fits moments x -> piece_fits moments y -> encode_run_piece x = encode_run_piece y ->
  piece_rank x = piece_rank y /\ piece_record x = piece_record y.
Proof.
  intros moments [i k r] [i' k' r'] (X1 & X2) (Y1 & Y2) E. unfold encode_run_piece in E. cbn [piece_rank piece_record] in *. apply app_inv_head in E.
  apply (TableSchemas.inverts_split _ _ _ _ u64_inverts) in E; [|assumption..]. destruct E as [-> E].
  rewrite <- (app_nil_r (encode_run_record r)), <- (app_nil_r (encode_run_record r')) in E.
  apply (record_injective moments) in E; [|assumption..]. destruct E as [-> _]. auto.
Qed.

End TableHeads.
