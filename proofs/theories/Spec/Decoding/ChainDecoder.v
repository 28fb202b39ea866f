(** Blocks of a chain are read back from their lists, and from no others, within the limits of a dictionary.

    - [bodies_encoded], [bodies_found]: the signed transactions of a list, still as bytes;
    - [framed_encoded], [framed_found]: their transactions, which share the block's quotas;
    - [framed_length_is]: the length that is limited is that of the aggregated block and all certificates;
    - [decode_encoded_chain_block], [decode_chain_block_iff], [chain_block_never_panics]: whole blocks. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.Genesis
  Decoding.DecodeReason Decoding.Cursor Decoding.TransactionDecoder Decoding.BlockDecoder Decoding.AggregatedDecoder
  Decoding.SignedDecoder Decoding.ChainDecoder Decoding.CursorSafe Decoding.TransactionDecoderSafe Decoding.BlockDecoderSafe
  Decoding.AggregatedDecoderSafe Decoding.SignedDecoderSafe Decoding.ChainDecoderSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.RootLemmas Safety.SlotMapSafe Safety.BoundsSafe
  Lemmas.Readers Spec.Decoding.TransactionDecoder Spec.Decoding.BlockDecoder Spec.Decoding.AggregatedDecoder
  Spec.Decoding.SignedDecoder.
Import ListNotations.
Local Open Scope N_scope.

(** A loop over what stands behind the first of a list. *)
Lemma loop_behind_first : forall A B (D : Default A) (f : B -> A -> B) (x : A) (s : list A) a,
  fold_left (fun acc i => f acc (seq_at (x :: s) i)) (range 1 (seq_length (x :: s))) a = fold_left f s a.
Proof.
  intros A B D f x s a. rewrite seq_length_cons. change 1 with (0 + 1) at 1. rewrite range_shift, LoopLemmas.fold_left_map.
  rewrite <- (loop_over_elements _ _ D f s a). apply fold_left_same. intros acc i _. rewrite seq_at_cons_succ. reflexivity.
Qed.

Section ChainDecoder.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What a signed transaction is as bytes in a list. *)
Definition bare_body (signed : ReceivedSigned) : SignedBody := body_of_signed signed BARE_TRANSACTION_FORMAT.
Definition listed (signed : ReceivedSigned) : ByteString := encode_signed_body (bare_body signed) bare_formats.

(** The aggregated block that a block of a chain stands for. *)
Definition aggregated_of_chain (block : ReceivedChainBlock) : ReceivedAggregated :=
  aggregated_of_parts (chain_version block) (map signed_transaction (chain_transactions block)) (chain_proof block).

(** The bytes of all certificates. *)
Definition brought_length (items : list ReceivedSigned) : N :=
  fold_right (fun signed sum => seq_length (certificates_part (signed_certificates signed)) + sum) 0 items.

(** A block of a chain that a dictionary's limits let in: it has no transactions and nothing else, or the aggregated block that
    it stands for is let in, with room for the certificates, and each transaction has signatures and certificates that fit. *)
Definition fits_chain_block (p : Parameters) (block : ReceivedChainBlock) : Prop :=
  (chain_transactions block = [] /\ proved_points (chain_proof block) = [] /\ proved_tail (chain_proof block) = []) \/
  (chain_transactions block <> [] /\ fits_aggregated p (aggregated_of_chain block) /\
   seq_length (encode_aggregated (aggregated_of_chain block)) + brought_length (chain_transactions block) <= block_bytes p /\
   Forall (fun signed => fits_signatures (signed_signatures signed) /\ fits_certificates (signed_certificates signed))
     (chain_transactions block)).

(** ** Lists *)

Lemma encode_listed_list : forall frame items, encode_listed frame items = frame :: map listed items.
Proof.
  intros frame items. unfold encode_listed. cbn [app].
  rewrite (loop_over_elements _ _ _ (fun l s => encode_listed_step l s) items [frame]).
  assert (G : forall before, fold_left (fun l s => encode_listed_step l s) items before = before ++ map listed items).
  { induction items as [|s items IH]; intros before; cbn [fold_left map]; [now rewrite app_nil_r|].
    rewrite IH. unfold encode_listed_step at 1. rewrite <- app_assoc. reflexivity. }
  rewrite G. reflexivity.
Qed.

Lemma bodies_failed : forall l e, fold_left read_bodies_step l (Err e) = Err e.
Proof. induction l as [|x l IH]; intros e; [reflexivity|]. exact (IH e). Qed.

Lemma bodies_encoded : forall bodies before, Forall fits_body bodies ->
  fold_left read_bodies_step (map (fun body => encode_signed_body body bare_formats) bodies) (Ok before) =
  Ok (before ++ bodies).
Proof.
  induction bodies as [|body bodies IH]; intros before X; cbn [fold_left map]; [now rewrite app_nil_r|].
  inversion X; subst. unfold read_bodies_step at 2. rewrite decode_encoded_body by (exact bare_formats_differ || assumption).
  rewrite IH by assumption. rewrite <- app_assoc. reflexivity.
Qed.

Lemma bodies_found : forall l before bodies, Forall of_bytes l -> fold_left read_bodies_step l (Ok before) = Ok bodies ->
  exists found, bodies = before ++ found /\ l = map (fun body => encode_signed_body body bare_formats) found /\
    Forall fits_body found /\ Forall (fun body => of_bytes (body_bytes body)) found.
Proof.
  induction l as [|x l IH]; intros before bodies O E; cbn [fold_left] in E.
  - injection E as <-. exists []. rewrite app_nil_r. repeat split; constructor.
  - inversion O as [|? ? Ox Ol]; subst. unfold read_bodies_step at 2 in E.
    destruct (decode_signed_body x bare_formats) as [body|] eqn:B; [|rewrite bodies_failed in E; discriminate].
    destruct (body_of_bytes _ bare_formats body bare_formats_differ Ox B) as [Ob _].
    apply decode_signed_body_iff in B; [|exact bare_formats_differ|exact Ox]. destruct B as [X ->].
    destruct (IH _ _ Ol E) as (found & -> & -> & X' & O'). exists (body :: found). rewrite <- app_assoc.
    split; [reflexivity|]. split; [reflexivity|]. split; constructor; assumption.
Qed.

(** ** Transactions *)

Lemma framed_failed : forall l e, fold_left read_framed_step l (Err e) = Err e.
Proof. induction l as [|x l IH]; intros e; [reflexivity|]. exact (IH e). Qed.

Lemma framed_encoded : forall items before quotas, Forall (fun s => fits_received 0 (signed_transaction s)) items ->
  within_all quotas (map signed_transaction items) ->
  fold_left read_framed_step (map bare_body items) (Ok {| signed_before := before; signed_quotas := quotas |}) =
  Ok {| signed_before := before ++ items; signed_quotas := quotas_without_all quotas (map signed_transaction items) |}.
Proof.
  induction items as [|s items IH]; intros before quotas X W; cbn [fold_left map]; [now rewrite app_nil_r|].
  inversion X; subst. destruct W as [W1 W2]. unfold read_framed_step at 2, read_next_framed. cbn [signed_before signed_quotas].
  unfold bare_body at 2, body_of_signed at 1. cbn [body_bytes body_signatures body_certificates].
  rewrite read_encoded_transaction by (reflexivity || assumption). cbv zeta. rewrite IH by assumption.
  rewrite <- app_assoc. destruct s. reflexivity.
Qed.

Lemma framed_found : forall bodies start final, Forall (fun body => of_bytes (body_bytes body)) bodies ->
  fold_left read_framed_step bodies (Ok start) = Ok final ->
  exists items, signed_before final = signed_before start ++ items /\ bodies = map bare_body items /\
    Forall (fun s => fits_received 0 (signed_transaction s)) items /\
    within_all (signed_quotas start) (map signed_transaction items).
Proof.
  induction bodies as [|body bodies IH]; intros start final O E; cbn [fold_left] in E.
  - injection E as <-. exists []. rewrite app_nil_r. repeat split; constructor.
  - inversion O as [|? ? Ob Ol]; subst. unfold read_framed_step at 2, read_next_framed in E.
    destruct (read_transaction (body_bytes body) BARE_TRANSACTION_FORMAT 0 (signed_quotas start)) as [[tx quotas]|] eqn:R;
      [|rewrite framed_failed in E; discriminate].
    apply read_transaction_encoded in R; [|exact Ob]. destruct R as (X & W & -> & Q).
    destruct (IH _ _ Ol E) as (items & A1 & -> & A3 & A4). cbn [signed_before signed_quotas] in *.
    exists ({| signed_transaction := tx; signed_signatures := body_signatures body;
      signed_certificates := body_certificates body |} :: items).
    rewrite A1, <- app_assoc. split; [reflexivity|]. split; [|split; [constructor; assumption|split; assumption]].
    cbn [map]. f_equal. unfold bare_body, body_of_signed. cbn [signed_transaction signed_signatures signed_certificates]. rewrite <- Q.
    destruct body. reflexivity.
Qed.

(** ** Lengths *)

Lemma framed_length_is : forall b items proof, framed_length (map bare_body items) (encode_proof proof) =
  seq_length (encode_aggregated (aggregated_of_parts b (map signed_transaction items) proof)) + brought_length items.
Proof.
  intros b items proof. unfold framed_length, encode_aggregated.
  rewrite (loop_over_elements _ _ _ framed_length_step), seq_length_app, encode_head_parts. cbn [aggregated_of_parts received_plain
    received_version received_transactions]. unfold u8_bytes, u64_bytes, u32_bytes.
  rewrite !seq_length_app, !big_endian_length.
  replace (proof_of_aggregated _) with proof by (destruct proof; reflexivity).
  assert (G : forall start, fold_left framed_length_step (map bare_body items) start =
    start + seq_length (flat_map (sent BARE_TRANSACTION_FORMAT) (map signed_transaction items)) + brought_length items).
  { induction items as [|s items IH]; intros start; cbn [fold_left map flat_map]; [cbn; rewrite ?seq_length_nil; lia|].
    rewrite IH, seq_length_app. unfold framed_length_step, counted_length, sent, bytes32, u32_bytes.
    rewrite seq_length_app, big_endian_length. unfold bare_body, body_of_signed. cbn [body_bytes body_certificates].
    unfold brought_length at 2. cbn [fold_right]. fold (brought_length items). lia. }
  rewrite G. lia.
Qed.

(** ** What a machine can hold *)

(** A list that a machine can hold. *)
Definition held_list (txs : list ByteString) : Prop := fold_right (fun x sum => seq_length x + sum) 0 txs < 2 ^ 62.

Lemma held_member : forall txs x, held_list txs -> In x txs -> held x.
Proof.
  unfold held_list, held. induction txs as [|y txs IH]; intros x H I; [destruct I|]. cbn [fold_right] in H.
  destruct I as [<-|I].
  - change (2 ^ 62) with 4611686018427387904 in H. change (2 ^ 63) with 9223372036854775808. lia.
  - apply IH; [lia|exact I].
Qed.

Lemma bodies_shorter : forall bodies, fold_right (fun body sum => 4 + counted_length body + sum) 0 bodies <=
  fold_right (fun x sum => seq_length x + sum) 0 (map (fun body => encode_signed_body body bare_formats) bodies).
Proof.
  induction bodies as [|body bodies IH]; cbn [fold_right map]; [lia|].
  unfold encode_signed_body at 1, counted_length at 1, bytes32, u8_bytes, u32_bytes. rewrite !seq_length_app, !big_endian_length. lia.
Qed.

Lemma framed_length_never_panics : forall bodies proof,
  13 + seq_length proof + fold_right (fun body sum => 4 + counted_length body + sum) 0 bodies < 2 ^ 64 ->
  framed_length_safe bodies proof = true.
Proof.
  intros bodies proof L. unfold framed_length_safe, within_usize.
  assert (G : forall l done start, bodies = done ++ l -> start + fold_right (fun body sum => 4 + counted_length body + sum) 0 l < 2 ^ 64 ->
    loop_safe (fun total x => framed_length_step total (seq_at bodies x))
      (fun total x => (x <? seq_length bodies) && framed_length_step_safe total (seq_at bodies x))
      (range (seq_length done) (seq_length bodies)) start = true).
  { induction l as [|body l IH]; intros done start E B.
    - rewrite app_nil_r in E. subst done. rewrite LoopLemmas.range_empty by lia. reflexivity.
    - cbn [fold_right] in B. assert (Lt : seq_length done < seq_length bodies)
        by (rewrite E, seq_length_app, seq_length_cons; lia).
      rewrite LoopLemmas.range_cons by exact Lt. cbn [loop_safe].
      assert (At : seq_at bodies (seq_length done) = body).
      { rewrite E, seq_at_app, N.ltb_irrefl, N.sub_diag. reflexivity. }
      rewrite At, (proj2 (N.ltb_lt _ _) Lt). unfold framed_length_step_safe, within_usize.
      rewrite counted_length_never_panics by lia.
      rewrite (proj2 (N.ltb_lt (start + 4) _)), (proj2 (N.ltb_lt (start + 4 + _) _)) by lia. cbn [andb].
      replace (seq_length done + 1) with (seq_length (done ++ [body])) by (rewrite seq_length_app; reflexivity).
      apply IH; [rewrite E, <- app_assoc; reflexivity|]. unfold framed_length_step. lia. }
  change (1 + 8 <? 2 ^ 64) with true. change (1 + 8 + 4 <? 2 ^ 64) with true. change (1 + 8 + 4) with 13.
  rewrite (proj2 (N.ltb_lt (13 + seq_length proof) _)) by lia. cbn [andb].
  exact (G bodies [] (13 + seq_length proof) eq_refl L).
Qed.

(** ** Whole blocks *)

Section Limits.

Variable p : Parameters.
Hypothesis legal : parameters_legal p = true.

Lemma block_limit : block_transactions p < 2 ^ 32.
Proof. apply (legal_bounds p legal). Qed.

Lemma not_empty : 1 <= vector_size p.
Proof. apply (legal_bounds p legal). Qed.

Lemma decode_encoded_chain_block : forall block, fits_chain_block p block ->
  decode_chain_block (chain_version block) (encode_chain_block block) p = Ok block.
Proof.
  intros [v items proof] [(E & P & T)|(N0 & (V & (L & M & X & Q) & Y & _) & Z & S)].
  - cbn [chain_version chain_transactions chain_proof] in *. subst items. destruct proof as [points tail].
    cbn [proved_points proved_tail] in P, T. subst. reflexivity.
  - cbn [chain_version chain_transactions chain_proof] in *. unfold encode_chain_block. cbn [chain_transactions chain_proof].
    unfold aggregated_of_chain, aggregated_of_parts in L, M, X, Q, Y, Z.
    cbn [chain_version chain_transactions chain_proof received_plain received_version received_transactions] in L, M, X, Q, Y, Z.
    assert (Lm : seq_length (map signed_transaction items) = seq_length items) by (unfold seq_length; now rewrite map_length).
    destruct items as [|s items]; [congruence|]. set (all := s :: items) in *.
    destruct (N.eqb_spec (seq_length all) 0) as [Z0|_]; [unfold all in Z0; rewrite seq_length_cons in Z0; lia|].
    cbv zeta. rewrite encode_listed_list. unfold decode_chain_block. rewrite seq_length_cons.
    assert (La : seq_length (map listed all) = seq_length all) by (unfold seq_length; now rewrite map_length). rewrite La.
    destruct (N.eqb_spec (seq_length all + 1) 0); [lia|]. destruct (N.eqb_spec (seq_length all + 1) 1) as [Z1|_];
      [unfold all in Z1; rewrite seq_length_cons in Z1; lia|].
    rewrite N.add_sub. destruct (N.ltb_spec (block_transactions p) (seq_length all)); [lia|].
    unfold decode_framed. rewrite seq_at_cons_zero. unfold read_frame. rewrite expect_format_read by reflexivity.
    unfold read_bodies. rewrite loop_behind_first.
    assert (Fb : Forall fits_body (map bare_body all)).
    { apply Forall_map. apply Forall_forall. intros t I. rewrite Forall_map, Forall_forall in X. rewrite Forall_forall in S.
      split; [exact (proj2 (X t I))|split; apply (S t I)]. }
    assert (Fr : Forall (fun t => fits_received 0 (signed_transaction t)) all).
    { rewrite Forall_map in X. apply Forall_forall. intros t I. rewrite Forall_forall in X. exact (proj1 (X t I)). }
    change (map listed all) with (map (fun t => encode_signed_body (bare_body t) bare_formats) all).
    rewrite <- (map_map bare_body (fun body => encode_signed_body body bare_formats)).
    rewrite bodies_encoded by exact Fb. cbn [app].
    assert (P : proof_of_aggregated (aggregated_of_parts v (map signed_transaction all) proof) = proof) by (destruct proof; reflexivity).
    unfold aggregated_of_parts in P. rewrite P in Y. rewrite (framed_length_is v). unfold expect_length, aggregated_of_parts.
    rewrite (proj2 (N.leb_le _ _) Z). unfold read_framed. rewrite (loop_over_elements _ _ _ read_framed_step).
    rewrite framed_encoded by (exact Fr || apply within_all_sums; exact Q). cbn [signed_before app].
    rewrite (read_encoded_proof p not_empty) by exact Y. reflexivity.
Qed.

Theorem decode_chain_block_iff : forall b txs block, b < 2 ^ 64 -> Forall of_bytes txs ->
  decode_chain_block b txs p = Ok block <->
  chain_version block = b /\ fits_chain_block p block /\ txs = encode_chain_block block.
Proof.
  intros b txs block B O. split; [|intros (<- & X & ->); apply decode_encoded_chain_block, X].
  intros E. unfold decode_chain_block in E. destruct txs as [|frame txs].
  - change (seq_length [] =? 0) with true in E. injection E as <-. split; [reflexivity|]. split; [left; auto|reflexivity].
  - rewrite seq_length_cons in E. destruct (N.eqb_spec (seq_length txs + 1) 0); [lia|].
    destruct (N.eqb_spec (seq_length txs + 1) 1) as [|Some]; [discriminate E|]. rewrite N.add_sub in E.
    destruct (N.ltb_spec (block_transactions p) (seq_length txs)) as [|Few]; [discriminate E|].
    inversion O as [|? ? Of Ol]; subst. unfold decode_framed in E. rewrite seq_at_cons_zero in E. unfold read_frame in E.
    destruct (expect_format frame FRAME_FORMAT) as [framed|] eqn:T; [|discriminate E].
    apply expect_format_ok in T; [|exact Of]. destruct T as [-> O1].
    unfold read_bodies in E. rewrite loop_behind_first in E.
    destruct (fold_left read_bodies_step txs (Ok [])) as [bodies|] eqn:R; [|discriminate E].
    destruct (bodies_found _ _ _ Ol R) as (found & Eb & -> & Fb & Ob). cbn [app] in Eb. subst bodies.
    unfold expect_length in E. destruct (N.leb_spec (framed_length found framed) (block_bytes p)) as [Short|]; [|discriminate E].
    unfold read_framed in E. rewrite (loop_over_elements _ _ _ read_framed_step) in E.
    destruct (fold_left read_framed_step found _) as [final|] eqn:G; [|discriminate E].
    destruct (framed_found _ _ _ Ob G) as (items & A1 & -> & A3 & A4). cbn [signed_before signed_quotas app] in A1, A4.
    destruct (read_proof framed p) as [proof|] eqn:Rp; [|discriminate E]. injection E as <-.
    apply (read_proof_iff p not_empty) in Rp; [|exact O1]. destruct Rp as [Y ->]. rewrite A1.
    rewrite (framed_length_is b) in Short. apply within_all_sums in A4.
    assert (Lm : seq_length (map signed_transaction items) = seq_length items) by (unfold seq_length; now rewrite map_length).
    assert (Ll : seq_length (map (fun body => encode_signed_body body bare_formats) (map bare_body items)) = seq_length items)
      by (unfold seq_length; now rewrite !map_length).
    rewrite Ll in Some, Few. pose proof block_limit as Limit. rewrite Forall_map, Forall_forall in Fb. rewrite Forall_forall in A3.
    split; [reflexivity|]. split.
    + right. cbn [chain_transactions]. split; [intros Z; rewrite Z in Some; apply Some; reflexivity|]. split.
      * assert (P : proof_of_aggregated (aggregated_of_parts b (map signed_transaction items) proof) = proof)
          by (destruct proof; reflexivity).
        unfold fits_aggregated, aggregated_of_chain. cbn [chain_version chain_transactions chain_proof]. rewrite P.
        split; [exact B|]. split; [|split; [exact Y|lia]]. unfold fits_transactions. cbn [aggregated_of_parts received_plain
          received_transactions]. rewrite Lm. split; [lia|]. split; [exact Few|]. split; [|exact A4].
        apply Forall_map, Forall_forall. intros t I. split; [exact (A3 t I)|exact (proj1 (Fb t I))].
      * split; [exact Short|]. apply Forall_forall. intros t I. exact (proj2 (Fb t I)).
    + unfold encode_chain_block. cbn [chain_transactions chain_proof].
      destruct (N.eqb_spec (seq_length items) 0) as [Z|_]; [exfalso; apply Some; rewrite Z; reflexivity|].
      cbv zeta. rewrite encode_listed_list, map_map. reflexivity.
Qed.

(** ** Without panics *)

Theorem chain_block_never_panics : forall b txs, Forall of_bytes txs -> held_list txs ->
  decode_chain_block_safe b txs p = true.
Proof.
  intros b txs O H. unfold decode_chain_block_safe. destruct txs as [|frame txs]; [reflexivity|].
  destruct (N.eqb_spec (seq_length (frame :: txs)) 0); [reflexivity|]. destruct (_ =? 1); [reflexivity|].
  destruct (N.leb_spec 1 (seq_length (frame :: txs))); [|lia]. cbn [andb]. destruct (_ <? _); [reflexivity|].
  unfold decode_framed_safe. destruct (N.ltb_spec 0 (seq_length (frame :: txs))); [|lia]. rewrite seq_at_cons_zero.
  inversion O as [|? ? Of Ol]; subst. assert (Hf : held frame) by (apply (held_member _ _ H); left; reflexivity).
  unfold read_frame_safe, expect_format_safe. rewrite number_never_panics by (lia || exact Of). cbn [andb].
  unfold read_frame. destruct (expect_format frame FRAME_FORMAT) as [framed|] eqn:T; [|reflexivity].
  apply expect_format_ok in T; [|exact Of]. destruct T as [Qf O1].
  assert (Sb : read_bodies_safe (frame :: txs) = true).
  { unfold read_bodies_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i acc Hi _. split; [|exact I].
    rewrite (proj2 (N.ltb_lt _ _)) by lia. cbn [andb]. unfold read_bodies_step_safe. destruct acc; [|reflexivity].
    assert (M : In (seq_at (frame :: txs) i) (frame :: txs)) by (apply seq_at_in; lia).
    apply signed_body_never_panics; [rewrite Forall_forall in O; apply O, M|exact (held_member _ _ H M)]. }
  rewrite Sb. cbn [andb]. unfold read_bodies. rewrite loop_behind_first.
  destruct (fold_left read_bodies_step txs (Ok [])) as [bodies|] eqn:R; [|reflexivity].
  destruct (bodies_found _ _ _ Ol R) as (found & Eb & Et & Fb & Ob). cbn [app] in Eb. subst bodies.
  assert (Lb : seq_length framed + fold_right (fun body sum => 4 + counted_length body + sum) 0 found < 2 ^ 62).
  { pose proof (bodies_shorter found) as S. rewrite <- Et in S. unfold held_list in H. cbn [fold_right] in H.
    rewrite Qf, seq_length_app in H. lia. }
  rewrite framed_length_never_panics;
    [|change (2 ^ 64) with 18446744073709551616; change (2 ^ 62) with 4611686018427387904 in Lb; lia].
  cbn [andb]. destruct (expect_length _ _); [|reflexivity].
  assert (Sf : read_framed_safe found (block_quotas p) = true).
  { unfold read_framed_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i acc Hi _. split; [|exact I].
    rewrite (proj2 (N.ltb_lt _ _)) by lia. cbn [andb]. unfold read_framed_step_safe, read_next_framed_safe. destruct acc; [|reflexivity].
    assert (M : In (seq_at found i) found) by (apply seq_at_in; lia). rewrite Forall_forall in Ob, Fb.
    apply transaction_never_panics; [apply (Ob _ M)|]. destruct (Fb _ M) as [Small _]. unfold held.
    change (2 ^ 63) with 9223372036854775808. change (2 ^ 32) with 4294967296 in Small. lia. }
  rewrite Sf. cbn [andb]. destruct (read_framed found (block_quotas p)); [|reflexivity].
  apply (proof_never_panics p not_empty (legal_sum p legal)); [exact O1|].
  subst frame. unfold held in *. rewrite seq_length_app in Hf. lia.
Qed.

End Limits.

End ChainDecoder.
