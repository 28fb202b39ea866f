(** Keys of posts: one key an encoding, and gates that are keys.

    - [post_key_injective]: two keys have two encodings;
    - [decode_post_key_iff]: exactly the encodings of legal keys are decoded, to what was encoded;
    - [post_gates_fit]: the gates of a key that can be written can be written, too. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Decoding.Cursor Mixnet.PostKey.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.Readers Safety.BoundsSafe.
Import ListNotations.
Local Open Scope N_scope.

(** What a key's parts are to be for its encoding. *)
Definition fits_post_key (key : PostKey) : Prop :=
  seq_length (post_organiser key) = POST_KEY_LENGTH /\ post_ceremony key < 2 ^ 32 /\ kind_known (post_kind key) = true /\
  seq_length (post_query key) = (if kind_of_query (post_kind key) then POST_KEY_LENGTH else 0) /\
  post_sequence key < 2 ^ 16 /\ sequence_legal (post_kind key) (post_sequence key) = true /\
  seq_length (post_author key) = POST_KEY_LENGTH.

Lemma known_kind_below : forall kind, kind_known kind = true -> kind < 2 ^ 8.
Proof.
  intros kind. unfold kind_known, KIND_OPENING, KIND_AGREEMENT, KIND_ADMISSION. rewrite !orb_true_iff, N.leb_le, !N.eqb_eq. lia.
Qed.

Lemma number_length : forall x width, seq_length (big_endian x width) = width.
Proof. intros. apply big_endian_length. Qed.

Theorem post_key_injective : forall a b, fits_post_key a -> fits_post_key b -> encode_post_key a = encode_post_key b -> a = b.
Proof.
  intros [o c k q s w] [o' c' k' q' s' w'] (O & C & K & Q & S & _ & W) (O' & C' & K' & Q' & S' & _ & W') E.
  unfold encode_post_key in E. cbn [post_organiser post_ceremony post_kind post_query post_sequence post_author] in *.
  apply app_inv_head in E. apply app_split in E; [|congruence]. destruct E as [-> E].
  unfold u32_bytes, u16_bytes, u8_bytes in E.
  apply app_split in E; [|rewrite !number_length; reflexivity]. destruct E as [E1 E].
  apply (big_endian_injective c c' 4) in E1; [subst c'|exact C|exact C'].
  apply app_split in E; [|rewrite !number_length; reflexivity]. destruct E as [E1 E].
  apply (big_endian_injective k k' 1) in E1; [subst k'|apply known_kind_below; assumption|apply known_kind_below; assumption].
  apply app_split in E; [|congruence]. destruct E as [-> E].
  apply app_split in E; [|rewrite !number_length; reflexivity]. destruct E as [E1 ->].
  apply (big_endian_injective s s' 2) in E1; [now subst|exact S|exact S'].
Qed.

(** ** Decoding *)

Lemma number_of_post_read : forall x w rest, w <= 8 -> x < 256 ^ w -> number_of_post (big_endian x w ++ rest) w = Ok (x, rest).
Proof. intros x w rest W X. unfold number_of_post. now rewrite (proj1 (number_inverts w W)). Qed.

Lemma number_of_post_ok : forall bytes w x rest, w <= 8 -> of_bytes bytes -> number_of_post bytes w = Ok (x, rest) ->
  x < 256 ^ w /\ bytes = big_endian x w ++ rest /\ of_bytes rest.
Proof.
  intros bytes w x rest W O E. unfold number_of_post in E. destruct (read_number bytes w) as [[y r]|] eqn:R; [|discriminate].
  injection E as -> ->. exact (inverts_read _ _ _ _ (number_inverts w W) _ _ _ O R).
Qed.

Lemma take_of_post_read : forall x rest n, seq_length x = n -> take_of_post (x ++ rest) n = Ok (x, rest).
Proof. intros x rest n L. unfold take_of_post. now rewrite (proj1 (take_inverts n)). Qed.

Lemma take_of_post_ok : forall bytes n x rest, of_bytes bytes -> take_of_post bytes n = Ok (x, rest) ->
  seq_length x = n /\ bytes = x ++ rest /\ of_bytes rest.
Proof.
  intros bytes n x rest O E. unfold take_of_post in E. destruct (take_bytes bytes n) as [[y r]|] eqn:R; [|discriminate].
  injection E as -> ->. exact (inverts_read _ _ _ _ (take_inverts n) _ _ _ O R).
Qed.

Lemma expect_post_ok : forall condition reason u, expect_post condition reason = Ok u -> condition = true.
Proof. intros [] reason u E; [reflexivity|discriminate]. Qed.

Definition query_length (kind : N) : N := if kind_of_query kind then POST_KEY_LENGTH else 0.

Lemma post_query_read : forall kind query rest, seq_length query = query_length kind ->
  read_post_query (query ++ rest) kind = Ok (query, rest).
Proof.
  intros kind query rest L. unfold read_post_query, query_length in *. destruct (kind_of_query kind).
  - now apply take_of_post_read.
  - destruct query as [|x query]; [reflexivity|]. rewrite seq_length_cons in L. lia.
Qed.

Lemma post_query_ok : forall kind bytes query rest, of_bytes bytes -> read_post_query bytes kind = Ok (query, rest) ->
  seq_length query = query_length kind /\ bytes = query ++ rest /\ of_bytes rest.
Proof.
  intros kind bytes query rest O E. unfold read_post_query, query_length in *. destruct (kind_of_query kind).
  - now apply take_of_post_ok.
  - injection E as <- <-. auto.
Qed.

Theorem decode_encoded_post_key : forall key, fits_post_key key -> decode_post_key (encode_post_key key) = Ok key.
Proof.
  intros [o c k q s w] (O & C & K & Q & S & G & W). unfold decode_post_key, encode_post_key.
  cbn [post_organiser post_ceremony post_kind post_query post_sequence post_author] in *.
  unfold u8_bytes, u16_bytes, u32_bytes, u128_of_usize.
  rewrite number_of_post_read by (lia || reflexivity). rewrite N.eqb_refl. cbn [expect_post].
  rewrite take_of_post_read by exact O. rewrite number_of_post_read by (lia || exact C).
  rewrite number_of_post_read by (lia || exact (known_kind_below k K)). rewrite K. cbn [expect_post].
  rewrite post_query_read by exact Q. rewrite number_of_post_read by (lia || exact S).
  rewrite <- (app_nil_r w), take_of_post_read by exact W. rewrite app_nil_r. change (seq_length [] =? 0) with true. rewrite G. reflexivity.
Qed.

Theorem decode_post_key_iff : forall bytes key, of_bytes bytes ->
  decode_post_key bytes = Ok key <-> fits_post_key key /\ bytes = encode_post_key key.
Proof.
  intros bytes key O. split; [|intros [F ->]; now apply decode_encoded_post_key]. unfold decode_post_key. intros E.
  destruct (number_of_post bytes 1) as [[format rest1]|] eqn:E1; [|discriminate].
  apply number_of_post_ok in E1; [|lia|exact O]. destruct E1 as (_ & -> & O1).
  destruct (expect_post (format =? _) _) eqn:E2; [|discriminate]. apply expect_post_ok, N.eqb_eq in E2. subst format.
  destruct (take_of_post rest1 _) as [[o rest2]|] eqn:E3; [|discriminate]. apply take_of_post_ok in E3; [|exact O1].
  destruct E3 as (L3 & -> & O2). destruct (number_of_post rest2 4) as [[c rest3]|] eqn:E4; [|discriminate].
  apply number_of_post_ok in E4; [|lia|exact O2]. destruct E4 as (C & -> & O3).
  destruct (number_of_post rest3 1) as [[k rest4]|] eqn:E5; [|discriminate]. apply number_of_post_ok in E5; [|lia|exact O3].
  destruct E5 as (_ & -> & O4). destruct (expect_post (kind_known k) _) eqn:E6; [|discriminate]. apply expect_post_ok in E6.
  destruct (read_post_query rest4 k) as [[q rest5]|] eqn:E7; [|discriminate]. apply post_query_ok in E7; [|exact O4].
  destruct E7 as (L7 & -> & O5). destruct (number_of_post rest5 2) as [[s rest6]|] eqn:E8; [|discriminate].
  apply number_of_post_ok in E8; [|lia|exact O5]. destruct E8 as (S & -> & O6).
  destruct (take_of_post rest6 _) as [[w rest7]|] eqn:E9; [|discriminate]. apply take_of_post_ok in E9; [|exact O6].
  destruct E9 as (L9 & -> & _). destruct (expect_post (_ =? 0) _) eqn:E10; [|discriminate].
  apply expect_post_ok, N.eqb_eq in E10. destruct rest7 as [|x rest7]; [|rewrite seq_length_cons in E10; lia].
  destruct (expect_post (sequence_legal k s) _) eqn:E11; [|discriminate]. apply expect_post_ok in E11. injection E as <-.
  unfold fits_post_key, encode_post_key.
  cbn [post_organiser post_ceremony post_kind post_query post_sequence post_author]. rewrite app_nil_r. auto 10.
Qed.

(** ** Gates *)

(** Of the posts that a server can be declared absent from, those of servers 1 to 255: there are no others. *)
Definition of_server (key : PostKey) : Prop :=
  kind_may_be_absent (post_kind key) = true -> 1 <= post_sequence key /\ post_sequence key < 256.

Theorem post_gates_fit : forall key gate, fits_post_key key -> of_server key -> In gate (post_gates key) -> fits_post_key gate.
Proof.
  intros [o c k q s w] gate F V. destruct F as (O & C & K & Q & S & G & W). unfold of_server in V.
  cbn [post_organiser post_ceremony post_kind post_query post_sequence post_author] in *.
  unfold post_gates. cbn [post_organiser post_ceremony post_kind post_query post_sequence post_author].
  assert (own : fits_post_key (Build_PostKey o c k q s w)) by (unfold fits_post_key; cbn; tauto).
  destruct (N.eqb_spec k KIND_INPUT) as [->|_]; [|destruct (kind_may_be_absent k) eqn:A].
  - intros [<-|[<-|[]]]; [exact own|]. unfold fits_post_key, organiser_key. cbn. repeat split; try assumption; reflexivity.
  - specialize (V eq_refl). intros [<-|[<-|[]]]; [exact own|]. unfold fits_post_key, organiser_key.
    cbn [post_organiser post_ceremony post_kind post_query post_sequence post_author].
    assert (small : k <= 5).
    { unfold kind_may_be_absent, KIND_DEALING, KIND_VERDICT, KIND_LAYER in A. rewrite !orb_true_iff, !N.eqb_eq in A. lia. }
    rewrite (N.mod_small s 256) by tauto. repeat split; try assumption; try reflexivity.
    + change (2 ^ 16) with 65536. lia.
    + unfold sequence_legal. cbn [KIND_ABSENT N.eqb orb].
      replace (KIND_ABSENT =? KIND_CEREMONY) with false by reflexivity.
      replace (KIND_ABSENT =? KIND_INPUT) with false by reflexivity.
      replace (KIND_ABSENT =? KIND_CLOSE) with false by reflexivity.
      replace (KIND_ABSENT =? KIND_OPENING) with false by reflexivity.
      replace (KIND_ABSENT =? KIND_ABSENT) with true by reflexivity. cbn [orb].
      rewrite N.div_add_l, N.div_small, N.add_0_r by (discriminate || tauto). rewrite A.
      rewrite N.add_comm, N.mod_add, N.mod_small by (discriminate || tauto). apply N.ltb_lt. lia.
  - intros [<-|[]]. exact own.
Qed.
