(** What it means that a reader of bytes inverts an encoding, and how readers are put together.

    - [inverts]: a reader reads back what the encoding wrote, whatever is behind it, and reads nothing else: where it gives a
      value, the bytes are that value's encoding and the rest;
    - [take_inverts], [number_inverts], [amount_inverts], [bytes8_inverts], [bytes16_inverts]: the smallest readers do;
    - [many_inverts]: so does a loop that reads so many items, though it takes no more turns than there are bytes, and one;
    - [many_safe]: that loop does not panic where the reader of an item does not. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Decoding.DecodeReason Decoding.Cursor Base.BytesSafe
  Decoding.CursorSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.ChallengeSpace Lemmas.Sequences Safety.SlotMapSafe
  Safety.BoundsSafe.
Import ListNotations.
Local Open Scope N_scope.

(** The reader gives what was encoded, and only what is encoded. *)
Definition inverts {A : Type} (fits : A -> Prop) (encode : A -> ByteString)
    (read : ByteString -> Result (A * ByteString) DecodeReason) : Prop :=
  (forall x rest, fits x -> read (encode x ++ rest) = Ok (x, rest)) /\
  (forall bytes x rest, of_bytes bytes -> read bytes = Ok (x, rest) -> fits x /\ bytes = encode x ++ rest).

(** A byte string that a machine can hold. *)
Definition held (bytes : ByteString) : Prop := seq_length bytes < 2 ^ 63.

Lemma inverts_read : forall A (fits : A -> Prop) encode read, inverts fits encode read ->
  forall bytes x rest, of_bytes bytes -> read bytes = Ok (x, rest) -> fits x /\ bytes = encode x ++ rest /\ of_bytes rest.
Proof.
  intros A fits encode read [_ R] bytes x rest O E. destruct (R bytes x rest O E) as [X Q]. split; [exact X|].
  split; [exact Q|]. subst bytes. apply Forall_app in O. apply O.
Qed.

(** The bytes that are left are bytes, and no more of them. *)
Lemma inverts_rest : forall A (fits : A -> Prop) encode read, inverts fits encode read ->
  forall bytes x rest, of_bytes bytes -> held bytes -> read bytes = Ok (x, rest) -> of_bytes rest /\ held rest.
Proof.
  intros A fits encode read R bytes x rest O H E. destruct (inverts_read A fits encode read R bytes x rest O E) as (_ & Q & O').
  split; [exact O'|]. subst bytes. unfold held in *. rewrite seq_length_app in H. lia.
Qed.

Lemma inverts_ext : forall A (fits fits' : A -> Prop) encode encode' read, inverts fits encode read ->
  (forall x, fits x <-> fits' x) -> (forall x, encode x = encode' x) -> inverts fits' encode' read.
Proof.
  intros A fits fits' encode encode' read [X Y] F E. split.
  - intros x rest H. rewrite <- E. apply X, F, H.
  - intros bytes x rest O H. destruct (Y bytes x rest O H) as [P Q]. rewrite <- E. split; [apply F, P|exact Q].
Qed.

(** Where what is encoded is read back, two values have two encodings. *)
Lemma one_of_decoded {A : Type} (decode : ByteString -> Result A DecodeReason) (encode : A -> ByteString) (fits : A -> Prop) :
  (forall x, fits x -> decode (encode x) = Ok x) -> forall x y, fits x -> fits y -> encode x = encode y -> x = y.
Proof.
  intros D x y X Y E. apply D in X, Y. rewrite E, Y in X. injection X as X. symmetry. exact X.
Qed.

(** ** Bytes *)

Lemma slice_front : forall A (s : list A) n, seq_slice s 0 n = firstn (N.to_nat n) s.
Proof. reflexivity. Qed.

Lemma slice_back : forall A (s : list A) n, seq_slice s n (seq_length s - n) = skipn (N.to_nat n) s.
Proof.
  intros. unfold seq_slice, seq_length. apply firstn_all2. rewrite skipn_length. lia.
Qed.

Theorem take_inverts : forall n, inverts (fun x => seq_length x = n) (fun x => x) (fun bytes => take_bytes bytes n).
Proof.
  intros n. split.
  - intros x rest L. unfold take_bytes. rewrite seq_length_app, L. destruct (N.leb_spec n (n + seq_length rest)) as [_|]; [|lia].
    assert (Ln : N.to_nat n = length x) by (unfold seq_length in L; lia).
    f_equal. f_equal.
    + rewrite slice_front, Ln, firstn_app, PeanoNat.Nat.sub_diag, firstn_all. apply app_nil_r.
    + unfold seq_slice. rewrite Ln, skipn_app, PeanoNat.Nat.sub_diag, skipn_all. cbn [app skipn].
      apply firstn_all2. unfold seq_length. lia.
  - intros bytes x rest _ E. unfold take_bytes in E. destruct (N.leb_spec n (seq_length bytes)) as [L|]; [|discriminate].
    injection E as <- <-. rewrite slice_front, slice_back. split.
    + unfold seq_length in *. rewrite firstn_length. lia.
    + symmetry. apply firstn_skipn.
Qed.

(** ** Numbers *)

Lemma number_of_bytes_injective : forall a b, of_bytes a -> of_bytes b -> seq_length a = seq_length b ->
  number_of_bytes a = number_of_bytes b -> a = b.
Proof.
  intros a. induction a as [|x a IH]; intros [|y b] A B L E; rewrite ?seq_length_nil, ?seq_length_cons in L; try lia; [reflexivity|].
  inversion A as [|? ? X A']; inversion B as [|? ? Y B']; subst.
  rewrite !number_of_bytes_fold in E. cbn [fold_left] in E.
  rewrite number_fold_start, (number_fold_start b) in E. rewrite <- !number_of_bytes_fold in E.
  unfold number_of_bytes_step, u128_of_u8 in E. rewrite !N.mul_0_l, !N.add_0_l in E.
  assert (La : seq_length a = seq_length b) by lia. rewrite <- La in E.
  rewrite (N.mul_comm x), (N.mul_comm y) in E.
  apply N.div_mod_unique in E; [|apply number_of_bytes_below; exact A'|rewrite La; apply number_of_bytes_below; exact B'].
  destruct E as [-> E]. f_equal. apply IH; assumption.
Qed.

Lemma big_endian_bytes : forall number width, of_bytes (big_endian number width).
Proof.
  intros number width. unfold big_endian.
  apply (loop_invariant _ (fun _ digits => of_bytes (digits_written digits))); [lia|constructor|].
  intros i [remainder written] _ W. cbn [digits_written digits_rest big_endian_step] in *. unfold big_endian_step.
  cbn [digits_written digits_rest]. unfold single_byte. cbn [app]. constructor; [|exact W].
  unfold u8_of_u128. change (2 ^ 8) with 256. apply N.mod_lt. lia.
Qed.

Lemma big_endian_of_number : forall bytes, of_bytes bytes -> big_endian (number_of_bytes bytes) (seq_length bytes) = bytes.
Proof.
  intros bytes O. apply number_of_bytes_injective; [apply big_endian_bytes|exact O|apply big_endian_length|].
  apply number_of_big_endian, number_of_bytes_below, O.
Qed.

Lemma below_64_bits : forall x w, w <= 8 -> x < 256 ^ w -> (x mod 18446744073709551616) mod 2 ^ 64 = x.
Proof.
  intros x w W X. assert (B : x < 2 ^ 64).
  { apply (N.lt_le_trans _ _ _ X). change (2 ^ 64) with (256 ^ 8). apply N.pow_le_mono_r; lia. }
  rewrite N.mod_mod by discriminate. apply N.mod_small. exact B.
Qed.

Theorem number_inverts : forall w, w <= 8 ->
  inverts (fun x => x < 256 ^ w) (fun x => big_endian x w) (fun bytes => read_number bytes w).
Proof.
  intros w W. split.
  - intros x rest X. unfold read_number. rewrite (proj1 (take_inverts w)) by apply big_endian_length.
    rewrite number_of_big_endian by exact X. unfold usize_of_u128. rewrite (below_64_bits x w W X). reflexivity.
  - intros bytes x rest O E. unfold read_number in E. destruct (take_bytes bytes w) as [[written r]|] eqn:T; [|discriminate].
    injection E as <- <-. apply (proj2 (take_inverts w)) in T; [|exact O]. destruct T as [L ->].
    apply Forall_app in O. destruct O as [O _]. pose proof (number_of_bytes_below written O) as B. rewrite L in B.
    unfold usize_of_u128. rewrite (below_64_bits _ w W B). split; [exact B|].
    rewrite <- L, big_endian_of_number by exact O. reflexivity.
Qed.

Theorem amount_inverts : inverts (fun x => x < 2 ^ 64) (fun x => big_endian x 8) read_amount.
Proof.
  assert (W : 8 <= 8) by lia. split.
  - intros x rest X. unfold read_amount. rewrite (proj1 (take_inverts 8)) by apply big_endian_length.
    rewrite number_of_big_endian by exact X. unfold u64_of_u128. rewrite (below_64_bits x 8 W X). reflexivity.
  - intros bytes x rest O E. exact (proj2 (number_inverts 8 W) bytes x rest O E).
Qed.

Theorem u8_inverts : inverts (fun x => x < 2 ^ 8) u8_bytes (fun bytes => read_number bytes 1).
Proof. apply (number_inverts 1). lia. Qed.

Theorem u16_inverts : inverts (fun x => x < 2 ^ 16) u16_bytes (fun bytes => read_number bytes 2).
Proof. apply (number_inverts 2). lia. Qed.

Theorem u32_inverts : inverts (fun x => x < 2 ^ 32) u32_bytes (fun bytes => read_number bytes 4).
Proof. apply (number_inverts 4). lia. Qed.

Theorem u64_inverts : inverts (fun x => x < 2 ^ 64) u64_bytes (fun bytes => read_number bytes 8).
Proof. apply (number_inverts 8). lia. Qed.

(** ** One reader after the other *)

(** Reads on: the next reader in the hypothesis [E] gave something. *)
Ltac took law :=
  match goal with
  | E : context [match ?r with Ok _ => _ | Err _ => _ end] |- _ =>
      let T := fresh "T" in
      destruct r as [[? ?]|?] eqn:T; cbv beta iota in E; [|discriminate E];
      match goal with
      | O : of_bytes ?bytes |- _ =>
          let X := fresh "X" in let Q := fresh "Q" in let O' := fresh "O" in
          destruct (inverts_read _ _ _ _ law bytes _ _ O T) as (X & Q & O'); clear T O; subst bytes
      end
  end.

(** Reads on in the goal: what comes next was encoded. *)
Ltac reads law := rewrite (proj1 law); [|try assumption]; cbv beta iota.

Theorem bytes8_inverts : inverts (fun x => seq_length x < 2 ^ 8) bytes8 read_bytes8.
Proof.
  split.
  - intros x rest X. unfold read_bytes8, bytes8. rewrite <- app_assoc. reads u8_inverts. apply (proj1 (take_inverts _)). reflexivity.
  - intros bytes x rest O E. unfold read_bytes8 in E. took u8_inverts.
    destruct (inverts_read _ _ _ _ (take_inverts _) _ _ _ O0 E) as (<- & -> & _). split; [exact X|].
    unfold bytes8. apply app_assoc.
Qed.

Theorem bytes16_inverts : inverts (fun x => seq_length x < 2 ^ 16) bytes16 read_bytes16.
Proof.
  split.
  - intros x rest X. unfold read_bytes16, bytes16. rewrite <- app_assoc. reads u16_inverts. apply (proj1 (take_inverts _)). reflexivity.
  - intros bytes x rest O E. unfold read_bytes16 in E. took u16_inverts.
    destruct (inverts_read _ _ _ _ (take_inverts _) _ _ _ O0 E) as (<- & -> & _). split; [exact X|].
    unfold bytes16. apply app_assoc.
Qed.

(** ** What stands at the beginning and the end, and quotas *)

Lemma expect_end_ok : forall rest u, expect_end rest = Ok u -> rest = [].
Proof.
  intros rest u E. unfold expect_end in E. destruct (N.eqb_spec (seq_length rest) 0) as [L|]; [|discriminate].
  destruct rest; [reflexivity|]. rewrite seq_length_cons in L. lia.
Qed.

Lemma expect_format_read : forall format rest, format < 2 ^ 8 -> expect_format (u8_bytes format ++ rest) format = Ok rest.
Proof.
  intros format rest B. unfold expect_format. reads u8_inverts. rewrite N.eqb_refl. reflexivity.
Qed.

Lemma expect_format_ok : forall bytes format rest, of_bytes bytes -> expect_format bytes format = Ok rest ->
  bytes = u8_bytes format ++ rest /\ of_bytes rest.
Proof.
  intros bytes format rest O E. unfold expect_format in E. took u8_inverts.
  destruct (N.eqb_spec n format) as [->|]; [|discriminate]. injection E as <-. auto.
Qed.

Lemma take_quota_ok : forall quota announced excess then_left,
  take_quota quota announced excess = Ok then_left <-> announced <= quota /\ then_left = quota - announced.
Proof.
  intros quota announced excess then_left. unfold take_quota. destruct (N.leb_spec announced quota); split.
  - intros E. injection E as <-. auto.
  - intros [_ ->]. reflexivity.
  - discriminate.
  - lia.
Qed.

(** ** Many of them *)

Section Many.

Context {A : Type} (fits : A -> Prop) (encode : A -> ByteString) (read : ByteString -> Result (A * ByteString) DecodeReason).
Hypothesis law : inverts fits encode read.
Hypothesis something : forall x, fits x -> 0 < seq_length (encode x).

(** One turn: the item is read, and put behind those before it. *)
Definition more (items : Result (list A * ByteString) DecodeReason) : Result (list A * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read bytes with
      | Ok (found, rest) => Ok (before ++ [found], rest)
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

Definition read_many (count : N) (bytes : ByteString) : Result (list A * ByteString) DecodeReason :=
  fold_left (fun items _i => more items) (range 0 (reading_turns count bytes)) (Ok ([], bytes)).

Lemma more_failed : forall (turns : list N) e, fold_left (fun items _i => more items) turns (Err e) = Err e.
Proof. induction turns as [|i turns IH]; intros e; [reflexivity|]. exact (IH e). Qed.

Lemma more_encoded : forall l (turns : list N) before rest, length turns = length l -> Forall fits l ->
  fold_left (fun items _i => more items) turns (Ok (before, flat_map encode l ++ rest)) = Ok (before ++ l, rest).
Proof.
  induction l as [|x l IH]; intros [|i turns] before rest L X; try discriminate L; cbn [fold_left flat_map].
  - rewrite app_nil_r. reflexivity.
  - inversion X; subst. unfold more at 2. rewrite <- app_assoc, (proj1 law) by assumption. rewrite IH; [|cbn in L; lia|assumption].
    rewrite <- app_assoc. reflexivity.
Qed.

Lemma more_found : forall (turns : list N) before bytes l rest, of_bytes bytes ->
  fold_left (fun items _i => more items) turns (Ok (before, bytes)) = Ok (l, rest) ->
  exists found, l = before ++ found /\ length found = length turns /\ Forall fits found /\ bytes = flat_map encode found ++ rest.
Proof.
  induction turns as [|i turns IH]; intros before bytes l rest O E; cbn [fold_left] in E.
  - injection E as <- <-. exists []. rewrite app_nil_r. repeat split; constructor.
  - unfold more at 2 in E. destruct (read bytes) as [[x r]|e] eqn:R; [|rewrite more_failed in E; discriminate].
    destruct (inverts_read _ _ _ _ law _ _ _ O R) as (X & -> & O'). destruct (IH _ _ _ _ O' E) as (found & -> & L & F & ->).
    exists (x :: found). cbn [length flat_map]. rewrite <- !app_assoc, L.
    split; [reflexivity|]. split; [reflexivity|]. split; [constructor; assumption|reflexivity].
Qed.

Lemma flat_map_at_least : forall l, Forall fits l -> seq_length l <= seq_length (flat_map encode l).
Proof.
  induction l as [|x l IH]; intros X; [cbn; lia|]. inversion X; subst. cbn [flat_map].
  rewrite seq_length_cons, seq_length_app. specialize (IH H2). specialize (something x H1). lia.
Qed.

Theorem many_inverts : forall count, inverts (fun l => seq_length l = count /\ Forall fits l) (flat_map encode) (read_many count).
Proof.
  intros count. split.
  - intros l rest [L X]. unfold read_many. rewrite more_encoded; [reflexivity| |exact X].
    rewrite range_length. pose proof (flat_map_at_least l X) as M. unfold reading_turns. rewrite seq_length_app.
    destruct (N.leb_spec count (seq_length (flat_map encode l) + seq_length rest)); [|lia]. unfold seq_length in L. lia.
  - intros bytes l rest O E. unfold read_many in E. destruct (more_found _ _ _ _ _ O E) as (found & F & L & X & ->).
    cbn [app] in F. subst l. pose proof (flat_map_at_least found X) as M. rewrite range_length in L. unfold reading_turns in L.
    rewrite seq_length_app in L. split; [|reflexivity]. split; [|exact X].
    destruct (N.leb_spec count (seq_length (flat_map encode found) + seq_length rest)); unfold seq_length in *; lia.
Qed.

(** Reading so many does not panic where reading one does not. *)
Lemma many_safe : forall (read_safe : ByteString -> bool) count bytes,
  (forall bytes, of_bytes bytes -> held bytes -> read_safe bytes = true) -> of_bytes bytes -> held bytes ->
  loop_safe (fun items _i => more items)
    (fun items _i => match items with Ok (before, bytes) => read_safe bytes | Err _ => true end)
    (range 0 (reading_turns count bytes)) (Ok ([], bytes)) = true.
Proof.
  intros read_safe count bytes S O H.
  apply (loop_is_safe _ (fun _ items => match items with Ok (_, unread) => of_bytes unread /\ held unread | Err _ => True end)).
  - split; assumption.
  - intros i [[before unread]|e] _ P; [|split; [reflexivity|exact I]]. destruct P as [P1 P2]. split; [apply S; assumption|].
    cbn [more]. destruct (read unread) as [[x rest]|e] eqn:R; [|exact I].
    exact (inverts_rest _ _ _ _ law _ _ _ P1 P2 R).
Qed.

End Many.

(** ** Without panics *)

Lemma take_never_panics : forall bytes n, take_bytes_safe bytes n = true.
Proof.
  intros bytes n. unfold take_bytes_safe. destruct (N.leb_spec n (seq_length bytes)); [|reflexivity].
  rewrite andb_true_iff, !N.leb_le. lia.
Qed.

Lemma number_never_panics : forall bytes w, w <= 8 -> of_bytes bytes -> read_number_safe bytes w = true.
Proof.
  intros bytes w W O. unfold read_number_safe. rewrite take_never_panics. cbn [andb].
  destruct (take_bytes bytes w) as [[written rest]|] eqn:T; [|reflexivity].
  apply (proj2 (take_inverts w)) in T; [|exact O]. destruct T as [L ->]. apply Forall_app in O. destruct O as [O _].
  apply number_of_bytes_never_panics; [lia|exact O].
Qed.

Lemma amount_never_panics : forall bytes, of_bytes bytes -> read_amount_safe bytes = true.
Proof. intros bytes O. apply (number_never_panics bytes 8); [lia|exact O]. Qed.

Lemma bytes8_never_panics : forall bytes, of_bytes bytes -> read_bytes8_safe bytes = true.
Proof.
  intros bytes O. unfold read_bytes8_safe. rewrite number_never_panics by (lia || exact O). cbn [andb].
  destruct (read_number bytes 1) as [[count rest]|]; [|reflexivity]. apply take_never_panics.
Qed.

Lemma bytes16_never_panics : forall bytes, of_bytes bytes -> read_bytes16_safe bytes = true.
Proof.
  intros bytes O. unfold read_bytes16_safe. rewrite number_never_panics by (lia || exact O). cbn [andb].
  destruct (read_number bytes 2) as [[count rest]|]; [|reflexivity]. apply take_never_panics.
Qed.

Lemma turns_never_panic : forall count bytes, held bytes -> reading_turns_safe count bytes = true.
Proof.
  intros count bytes H. unfold reading_turns_safe, held in *. destruct (count <=? seq_length bytes); [reflexivity|].
  apply N.ltb_lt. change (2 ^ 64) with (2 * 2 ^ 63). lia.
Qed.

(** Goes on behind a reader that does not panic. *)
Ltac safe_behind law :=
  cbn [andb];
  match goal with
  | |- match ?r with Ok _ => _ | Err _ => _ end = true =>
      let T := fresh "T" in
      destruct r as [[? ?]|?] eqn:T; [|reflexivity];
      match goal with
      | O : of_bytes ?bytes, H : held ?bytes |- _ =>
          let O' := fresh "O" in let H' := fresh "H" in
          destruct (inverts_rest _ _ _ _ law bytes _ _ O H T) as (O' & H'); clear T O H
      end
  end.
