(** Dealings and verdicts.

    - [honest_dealing], [honest_verdict]: what an honest dealer and an honest server post; [received_shares]: what a server
      takes out of a dealing.
    - [honest_dealing_holds], [honest_dealing_delivers]: an honest dealing is valid, and each server receives its shares.
    - [honest_complaint_shown]: an honest server's complaint shows its S.
    - [shown_complaint_opens]: a complaint about an honest dealing convicts only by a proof that answers one challenge.
    - [dealing_of_in], [valid_dealings_filter], [verdict_holds_iff]: what the functions on lists of posts say. *)

From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Group Base.Hash Mixnet.LinearRelation Mixnet.Column
  Mixnet.Sharing Mixnet.Dealing Mixnet.KeyPosts.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Spec.Mixnet.LinearRelation
  Spec.Mixnet.Column Spec.Mixnet.Sharing Spec.Mixnet.Dealing.
Import ListNotations.
Local Open Scope N_scope.

Section Posts.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** How points are encoded. *)
Variable encode : G1 -> ByteString.

(** A point with its encoding. *)
Definition encoded_point (element : G1) : PostedPoint := {| posted_element := element; posted_bytes := encode element |}.

(** The servers' numbers. *)
Definition server_range (terms : KeyTerms) : list N := range 1 (seq_length (keys_transports terms) + 1).

(** N of a server, and R of a server in a dealing. *)
Definition transport_of (terms : KeyTerms) (server : N) : G1 := posted_element (point_of_server (keys_transports terms) server).
Definition randomised_of (dealing : KeyDealing) (server : N) : G1 :=
  posted_element (point_of_server (deal_randomised dealing) server).

(** The shares that an honest dealer masks for a server: under what is drawn from ρ N. *)
Definition honest_sealed (terms : KeyTerms) (dealer : N) (coefficients : list (list Scalar)) (randomness : list Scalar)
    (server : N) : list Scalar :=
  let rho := scalar_at randomness (server - 1) in
  share_seal
    (share_mask_seed (keys_ceremony terms) dealer server (encode (g1_multiple rho)) (encode (g1_scale rho (transport_of terms server))))
    (map (fun of_key => share_of of_key server) coefficients).

(** What a dealer makes of its polynomials, its randomness and its nonces. *)
Definition honest_dealing (terms : KeyTerms) (coefficients : list (list Scalar)) (randomness nonces : list Scalar)
    (dealing : KeyDealing) : Prop :=
  let dealer := deal_author dealing in
  let count := seq_length coefficients + seq_length randomness in
  let secrets := map (fun of_key => scalar_at of_key 0) coefficients ++ randomness in
  let seed := dealing_seed (keys_ceremony terms) dealer (deal_statement dealing) in
  In dealer (server_range terms) /\ seq_length coefficients = keys_count terms /\
  Forall (fun of_key => seq_length of_key = keys_threshold terms) coefficients /\
  seq_length randomness = seq_length (keys_transports terms) /\ seq_length nonces = count /\
  deal_committed dealing = map share_commitments coefficients /\
  deal_randomised dealing = map (fun rho => encoded_point (g1_multiple rho)) randomness /\
  deal_sealed dealing = map (honest_sealed terms dealer coefficients randomness) (server_range terms) /\
  deal_proof dealing = linear_prove (knowledge_matrix count) secrets nonces (knowledge_challenge seed (deal_first dealing)).

(** The shares that the server with a transport secret takes out of a dealing. *)
Definition received_shares (terms : KeyTerms) (server : N) (secret : Scalar) (dealing : KeyDealing) : list Scalar :=
  opened_shares terms dealing server (encode (g1_scale secret (randomised_of dealing server))).

(** The verdict of the server with a transport secret, who complains about exactly the dealings whose shares are false. *)
Definition honest_verdict (terms : KeyTerms) (valid : list KeyDealing) (secret : Scalar) (verdict : KeyVerdict) : Prop :=
  let server := verdict_author verdict in
  let complaints := verdict_complaints verdict in
  let is_false dealing := dealt_shares_hold (deal_committed dealing) server (received_shares terms server secret dealing) = false in
  In server (server_range terms) /\ transport_of terms server = g1_multiple secret /\
  (forall i, i < seq_length complaints -> complaint_ascends complaints i = true) /\
  (forall complaint, In complaint complaints -> exists dealing random first, In dealing valid /\ is_false dealing /\
    complaint = server_complaint terms dealing server secret (encode (g1_scale secret (randomised_of dealing server))) random first) /\
  (forall dealing, In dealing valid -> is_false dealing -> In (deal_author dealing) (map complaint_dealer complaints)).

(** A complaint that is accepted though S is not ν R: no other challenge has an answer that begins as this one does. *)
Definition lucky_complaint (terms : KeyTerms) (dealing : KeyDealing) (server : N) (complaint : KeyComplaint) : Prop :=
  let shared := complaint_shared complaint in
  complaint_shown terms dealing server complaint = true /\
  (forall secret, transport_of terms server = g1_multiple secret ->
    posted_element shared <> g1_scale secret (randomised_of dealing server)) /\
  forall c responses,
    verify_equality (randomised_of dealing server) (transport_of terms server) (posted_element shared)
      {| linear_first := linear_first (complaint_proof complaint); linear_responses := responses |} c = true ->
    c = complaint_challenge terms dealing server (posted_bytes shared) (complaint_first complaint).

(** * Lists of posts *)

Lemma server_in_range (terms : KeyTerms) (server : N) :
  In server (server_range terms) <-> 0 < server <= seq_length (keys_transports terms).
Proof. unfold server_range. rewrite range_in. lia. Qed.

Lemma posted_elements_map (points : list PostedPoint) : posted_elements points = map posted_element points.
Proof.
  unfold posted_elements, posted_elements_step.
  rewrite (fold_range_elements (fun elements point => elements ++ [posted_element point])). exact (fold_append posted_element points []).
Qed.

Lemma fold_filter {A : Type} (f : A -> bool) (s acc : list A) :
  fold_left (fun kept x => if f x then kept ++ [x] else kept) s acc = acc ++ filter f s.
Proof.
  revert acc. induction s as [| x s IH]; intros acc; simpl; [now rewrite app_nil_r |].
  rewrite IH. destruct (f x); [now rewrite <- app_assoc | reflexivity].
Qed.

Lemma fold_all {A : Type} (f : A -> bool) (s : list A) (b : bool) : fold_left (fun held x => held && f x) s b = b && forallb f s.
Proof.
  revert b. induction s as [| x s IH]; intros b; simpl; [now rewrite andb_true_r |]. now rewrite IH, andb_assoc.
Qed.

Lemma valid_dealings_filter (terms : KeyTerms) (dealings : list KeyDealing) :
  valid_dealings terms dealings = filter (dealing_holds terms) dealings.
Proof.
  unfold valid_dealings, valid_dealings_step.
  rewrite (fold_range_elements (fun valid dealing => if dealing_holds terms dealing then valid ++ [dealing] else valid)).
  exact (fold_filter (dealing_holds terms) dealings []).
Qed.

Lemma dealing_of_find (dealings : list KeyDealing) (dealer : N) :
  dealing_of dealings dealer = find (fun dealing => deal_author dealing =? dealer) dealings.
Proof.
  unfold dealing_of. rewrite (fold_range_elements (fun found dealing => dealing_of_step found dealing dealer)).
  assert (forall s (x : KeyDealing), fold_left (fun found dealing => dealing_of_step found dealing dealer) s (Some x) = Some x) as Kept.
  { induction s as [| y s IH]; intros x; [reflexivity | apply IH]. }
  induction dealings as [| x s IH]; [reflexivity |]. cbn [fold_left find].
  change (dealing_of_step None x dealer) with (if deal_author x =? dealer then Some x else None).
  destruct (deal_author x =? dealer); [apply Kept | exact IH].
Qed.

Lemma find_own (dealings : list KeyDealing) (dealing : KeyDealing) :
  NoDup (map deal_author dealings) -> In dealing dealings -> dealing_of dealings (deal_author dealing) = Some dealing.
Proof.
  intros D I. rewrite dealing_of_find. induction dealings as [| x s IH]; [contradiction |]. simpl in *.
  inversion D as [| ? ? N D']; subst. destruct I as [-> | I]; [now rewrite N.eqb_refl |].
  destruct (N.eqb_spec (deal_author x) (deal_author dealing)) as [E | _]; [| now apply IH].
  exfalso. apply N. rewrite E. now apply in_map.
Qed.

Lemma nodup_filter_authors (f : KeyDealing -> bool) (dealings : list KeyDealing) :
  NoDup (map deal_author dealings) -> NoDup (map deal_author (filter f dealings)).
Proof.
  induction dealings as [| x s IH]; intros D; simpl; [exact D |]. simpl in D. inversion D as [| ? ? N D']; subst.
  destruct (f x); [| now apply IH]. simpl. constructor; [| now apply IH]. intros I. apply N.
  apply in_map_iff in I as (y & <- & I). apply filter_In in I. now apply in_map.
Qed.

Lemma verdict_holds_iff (terms : KeyTerms) (valid : list KeyDealing) (verdict : KeyVerdict) :
  verdict_holds terms valid verdict = true <->
  In (verdict_author verdict) (server_range terms) /\
  forall i, i < seq_length (verdict_complaints verdict) ->
    complaint_ascends (verdict_complaints verdict) i = true /\
    complaint_founded terms valid (verdict_author verdict) (seq_at (verdict_complaints verdict) i) = true.
Proof.
  unfold verdict_holds, verdict_holds_step. rewrite server_in_range.
  rewrite (fold_left_ext_in _ (fun held i => held && (complaint_ascends (verdict_complaints verdict) i &&
    complaint_founded terms valid (verdict_author verdict) (seq_at (verdict_complaints verdict) i))))
    by (intros; now rewrite andb_assoc).
  rewrite fold_and, !andb_true_iff, forallb_forall, N.ltb_lt, N.leb_le.
  split; intros [A B]; (split; [exact A |]); intros i I.
  - apply andb_true_iff, B, range_in. lia.
  - apply andb_true_iff, B. apply range_in in I. lia.
Qed.

(** * Honest dealings *)

Lemma point_of_server_at (points : list PostedPoint) (server : N) :
  0 < server <= seq_length points -> point_of_server points server = seq_at points (server - 1).
Proof.
  intros [A B]. unfold point_of_server. apply N.ltb_lt in A as ->. now apply N.leb_le in B as ->.
Qed.

Lemma sealed_of_server_at (sealed : list (list Scalar)) (server : N) :
  0 < server <= seq_length sealed -> sealed_of_server sealed server = seq_at sealed (server - 1).
Proof.
  intros [A B]. unfold sealed_of_server. apply N.ltb_lt in A as ->. now apply N.leb_le in B as ->.
Qed.

Lemma seq_at_map {A B : Type} `{Default A} `{Default B} (f : A -> B) (s : list A) (i : N) :
  i < seq_length s -> seq_at (map f s) i = f (seq_at s i).
Proof.
  intros L. unfold seq_at. rewrite (nth_indep _ _ (f default)) by (rewrite map_length; unfold seq_length in L; lia).
  apply map_nth.
Qed.

Lemma server_range_length (terms : KeyTerms) : seq_length (server_range terms) = seq_length (keys_transports terms).
Proof. unfold server_range, seq_length. rewrite range_length. lia. Qed.

Lemma server_range_at (terms : KeyTerms) (i : N) : i < seq_length (keys_transports terms) -> seq_at (server_range terms) i = i + 1.
Proof. intros L. unfold server_range. rewrite range_shift. now rewrite nth_map_range. Qed.

Section Honest.

Variables (terms : KeyTerms) (coefficients : list (list Scalar)) (randomness nonces : list Scalar) (dealing : KeyDealing).
Hypothesis honest : honest_dealing terms coefficients randomness nonces dealing.

Lemma honest_fits : dealing_fits terms dealing = true.
Proof.
  destruct honest as (A & C & W & R & _ & Ec & Er & Es & _). apply server_in_range in A.
  unfold dealing_fits. rewrite Ec, Er, Es, !seq_length_map, server_range_length, C, R, !N.eqb_refl.
  assert (column_widths (map share_commitments coefficients) (keys_threshold terms) = true) as ->.
  { unfold column_widths, column_widths_step.
    rewrite (fold_range_elements (fun fits (row : list G1) => fits && (seq_length row =? keys_threshold terms))).
    rewrite (fold_all (fun row : list G1 => seq_length row =? keys_threshold terms)). apply forallb_forall. intros row I.
    apply in_map_iff in I as (f & <- & I). apply N.eqb_eq. unfold share_commitments. rewrite g1_multiples_map, seq_length_map.
    now apply (proj1 (Forall_forall _ _) W). }
  assert (sealed_widths (map (honest_sealed terms (deal_author dealing) coefficients randomness) (server_range terms))
    (keys_count terms) = true) as ->.
  { unfold sealed_widths, sealed_widths_step.
    rewrite (fold_range_elements (fun fits (row : list Scalar) => fits && (seq_length row =? keys_count terms))).
    rewrite (fold_all (fun row : list Scalar => seq_length row =? keys_count terms)). apply forallb_forall. intros row I.
    apply in_map_iff in I as (k & <- & I). apply N.eqb_eq. unfold honest_sealed.
    now rewrite share_seal_length, seq_length_map. }
  destruct A as [A B]. apply N.ltb_lt in A as ->. now apply N.leb_le in B as ->.
Qed.

Theorem honest_dealing_holds : dealing_holds terms dealing = true.
Proof.
  unfold dealing_holds. rewrite honest_fits. cbn [andb]. unfold verify_dealing.
  destruct honest as (A & C & W & R & L & Ec & Er & _ & Ep).
  rewrite dealing_image_app, posted_elements_map, Ec, Er, Ep, !map_map.
  set (secrets := map (fun of_key => scalar_at of_key 0) coefficients ++ randomness).
  assert (map (fun f => g1_at (share_commitments f) 0) coefficients
    ++ map (fun rho => posted_element (encoded_point (g1_multiple rho))) randomness = g1_multiples secrets) as ->.
  { rewrite g1_multiples_map. unfold secrets. rewrite map_app, map_map. f_equal. apply map_ext. intros f. apply share_commitments_at. }
  assert (seq_length coefficients + seq_length randomness = seq_length secrets) as E
    by (unfold secrets; now rewrite seq_length_app, seq_length_map).
  cbv zeta. rewrite E in *. apply knowledge_complete. exact L.
Qed.

Lemma honest_randomised (server : N) : In server (server_range terms) ->
  point_of_server (deal_randomised dealing) server = encoded_point (g1_multiple (scalar_at randomness (server - 1))).
Proof.
  intros I. apply server_in_range in I. destruct honest as (_ & _ & _ & R & _ & _ & Er & _).
  rewrite point_of_server_at by (rewrite Er, seq_length_map; lia). rewrite Er, seq_at_map by lia.
  now rewrite scalar_at_in by lia.
Qed.

(** Whatever opens the masks of an honest dealing as N's secret does, opens what was dealt. *)
Lemma honest_opens (server : N) (secret : Scalar) : In server (server_range terms) ->
  transport_of terms server = g1_multiple secret ->
  received_shares terms server secret dealing = map (fun of_key => share_of of_key server) coefficients.
Proof.
  intros I T. unfold received_shares, opened_shares, opened_masks, randomised_of. cbv zeta. rewrite honest_randomised by exact I.
  cbn [posted_bytes posted_element encoded_point].
  assert (sealed_of_server (deal_sealed dealing) server = honest_sealed terms (deal_author dealing) coefficients randomness server) as ->.
  { apply server_in_range in I. destruct honest as (_ & _ & _ & R & _ & _ & _ & Es & _).
    rewrite sealed_of_server_at by (rewrite Es, seq_length_map, server_range_length; lia).
    rewrite Es, seq_at_map by (rewrite server_range_length; lia). rewrite server_range_at by lia. f_equal. lia. }
  unfold honest_sealed. cbv zeta. rewrite T.
  replace (g1_scale secret (g1_multiple (scalar_at randomness (server - 1))))
    with (g1_scale (scalar_at randomness (server - 1)) (g1_multiple secret)).
  - apply share_unseal_seal.
  - apply g1_ext. group_exponents. apply (Ring_theory.Rmul_comm scalar_ring).
Qed.

Theorem honest_dealing_delivers (server : N) (secret : Scalar) : In server (server_range terms) ->
  transport_of terms server = g1_multiple secret ->
  received_shares terms server secret dealing = map (fun of_key => share_of of_key server) coefficients /\
  dealt_shares_hold (deal_committed dealing) server (received_shares terms server secret dealing) = true.
Proof.
  intros I T. split; [now apply honest_opens |]. rewrite honest_opens by assumption. apply dealt_shares_hold_iff.
  destruct honest as (_ & _ & _ & _ & _ & Ec & _). rewrite Ec, !seq_length_map. split; [reflexivity |]. intros l L.
  rewrite seq_at_map by exact L. apply share_verify_iff.
  rewrite scalar_at_in by (rewrite seq_length_map; exact L). now rewrite seq_at_map.
Qed.

(** A complaint that convicts an honest dealer is a lucky one. *)
Theorem shown_complaint_opens (valid : list KeyDealing) (server : N) (complaint : KeyComplaint) :
  In server (server_range terms) -> dealing_of valid (complaint_dealer complaint) = Some dealing ->
  posted_bytes (complaint_shared complaint) = encode (posted_element (complaint_shared complaint)) ->
  complaint_founded terms valid server complaint = true -> lucky_complaint terms dealing server complaint.
Proof.
  intros I E B H. unfold complaint_founded in H. rewrite E in H. cbv zeta in H. unfold complaint_convicts in H.
  apply andb_true_iff in H as [Shown H]. apply negb_true_iff in H.
  assert (forall secret, transport_of terms server = g1_multiple secret ->
    posted_element (complaint_shared complaint) <> g1_scale secret (randomised_of dealing server)) as Other.
  { intros secret T S. destruct (honest_dealing_delivers server secret I T) as [_ Holds].
    unfold received_shares, opened_shares in Holds. rewrite <- S, <- B in Holds. rewrite Holds in H. discriminate. }
  split; [exact Shown |]. split; [exact Other |]. intros c responses V.
  unfold complaint_shown in Shown. cbv zeta in Shown. destruct (complaint_proof complaint) as [first responses'].
  exact (equality_one_challenge _ _ _ first responses responses' c _ Other V Shown).
Qed.

End Honest.

(** * Honest complaints *)

Theorem honest_complaint_shown (terms : KeyTerms) (dealing : KeyDealing) (server : N) (secret random : Scalar)
    (shared first : ByteString) :
  transport_of terms server = g1_multiple secret ->
  complaint_shown terms dealing server (server_complaint terms dealing server secret shared random first) = true.
Proof.
  intros T. unfold complaint_shown, server_complaint. cbv zeta.
  cbn [complaint_shared complaint_proof complaint_first posted_element posted_bytes app].
  unfold transport_of in T. rewrite T. apply equality_complete.
Qed.

(** So an honest verdict is valid. *)
Theorem honest_verdict_holds (terms : KeyTerms) (valid : list KeyDealing) (secret : Scalar) (verdict : KeyVerdict) :
  NoDup (map deal_author valid) -> honest_verdict terms valid secret verdict -> verdict_holds terms valid verdict = true.
Proof.
  intros D (I & T & Ascends & Honest & _). apply verdict_holds_iff. split; [exact I |]. intros i L. split; [now apply Ascends |].
  destruct (Honest _ (seq_at_in _ i L)) as (dealing & random & first & In_ & False_ & ->).
  unfold complaint_founded. cbn [complaint_dealer server_complaint]. rewrite find_own by assumption. cbv zeta.
  unfold complaint_convicts. rewrite honest_complaint_shown by exact T. cbn [andb complaint_shared server_complaint posted_bytes].
  apply negb_true_iff. exact False_.
Qed.

End Posts.
