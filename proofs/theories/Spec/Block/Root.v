(** The state root binds the state, and a path ties a commitment to it. Nothing is assumed of the hash but the length of its
    digests: each theorem is about a function that looks for two different inputs of SHA-256 with one digest among those that the
    two sides hash, and finds them where the conclusion fails.

    - [find_collision_sound]: what the search returns is a collision of SHA-256;
    - [equal_roots_equal_states]: two states with one root are the same, or the search returns a collision;
    - [root_of_parts_binds]: parts that hash to the root of a state are that state's, or likewise;
    - [commitment_path_sound]: a path from a leaf to the root of a state's commitments starts at the state's commitment of that
      vector, or likewise;
    - [commitment_path_complete]: an honest archive's path does lead to the root. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Hash Dictionary.Slot Dictionary.Writes Block.State
  Block.Root.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes
  Spec.Commitment.CommitmentTree Lemmas.CommitmentPath Lemmas.RootLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section Root.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** A digest has 32 bytes. *)
Variable digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.

(** An input of the tagged hash: the tag and the string. SHA-256 is given [preimage input], its tag with its length, then the string. *)
Definition Input : Type := ByteString * ByteString.

(** Two inputs that SHA-256 tells apart, with one digest. *)
Definition collision (pair : Input * Input) : Prop :=
  bytes8 (fst (fst pair)) ++ snd (fst pair) <> bytes8 (fst (snd pair)) ++ snd (snd pair) /\
  tagged_hash (fst (fst pair)) (snd (fst pair)) = tagged_hash (fst (snd pair)) (snd (snd pair)).

Definition is_collision (pair : Input * Input) : bool :=
  bytes_equal (digest (fst pair)) (digest (snd pair)) && negb (bytes_equal (preimage (fst pair)) (preimage (snd pair))).

(** The first collision between two lists of inputs. *)
Definition find_collision (ps qs : list Input) : option (Input * Input) := find is_collision (list_prod ps qs).

Theorem find_collision_sound : forall ps qs pair, find_collision ps qs = Some pair -> collision pair.
Proof.
  intros ps qs [p q] H. apply find_some in H. destruct H as [_ H]. apply andb_prop in H. destruct H as [H1 H2].
  apply bytes_equal_iff in H1. apply negb_true_iff, bytes_equal_false in H2. split; assumption.
Qed.

Lemma no_collision_found : forall ps qs, find_collision ps qs = None -> no_collision ps qs.
Proof.
  intros ps qs H p q Hp Hq E. destruct (bytes_equal (preimage p) (preimage q)) eqn:B; [apply bytes_equal_iff, B|].
  pose proof (find_none _ _ H (p, q)) as G. rewrite in_prod_iff in G. specialize (G (conj Hp Hq)).
  unfold is_collision in G. cbn [fst snd] in G. rewrite B in G. rewrite E, bytes_equal_refl in G. discriminate.
Qed.

(** What a state is when a decoder has let it in: lengths that the encodings can count, 48 bytes a commitment, and as many
    commitments as vectors of [n] slots are needed for its slots. *)
Definition fits_state (n : N) (s : HashedState) : Prop :=
  seq_length (hashed_dictionary s) = 32 /\ hashed_version s < 2 ^ 64 /\ hashed_size s < 2 ^ 64 /\ hashed_tail_start s < 2 ^ 64 /\
  fits_list (fun c => seq_length c = 48) (hashed_commitments s) /\ hashed_commitments s <> [] /\
  seq_length (hashed_commitments s) = (hashed_size s + n - 1) / n /\
  fits_list fits_slot (hashed_tail s) /\ fits_list fits_entry (hashed_replay_set s) /\ fits_list fits_record (hashed_window s).

(** All that is hashed for a state's root. *)
Definition state_inputs (s : HashedState) : list Input :=
  (tag_state, parts_bytes (parts_of_state s)) :: (tag_tail, tail_bytes (hashed_tail s)) ::
  (tag_replay, replay_bytes (hashed_replay_set s)) :: (tag_window, window_bytes (hashed_window s)) ::
  map (fun r => (tag_record, record_bytes r)) (hashed_window s) ++ root_inputs (hashed_commitments s).

Lemma parts_fit : forall n s, fits_state n s -> fits_parts (parts_of_state s).
Proof.
  intros n s (D & V & S & T & C & NE & _). unfold fits_parts, parts_of_state. cbn.
  repeat split; auto; try apply digest_length. apply commitment_root_length; assumption.
Qed.

(** One tag, equal digests of two inputs among those that do not collide. *)
Lemma same_string : forall tag x y ps qs, no_collision ps qs -> In (tag, x) ps -> In (tag, y) qs ->
  tagged_hash tag x = tagged_hash tag y -> x = y.
Proof.
  intros tag x y ps qs N Hp Hq E. pose proof (N _ _ Hp Hq E) as P. unfold preimage in P. cbn [fst snd] in P.
  apply app_split in P; [tauto|reflexivity].
Qed.

Lemma windows_binding : forall a b, fits_list fits_record a -> fits_list fits_record b ->
  no_collision (map (fun r => (tag_record, record_bytes r)) a) (map (fun r => (tag_record, record_bytes r)) b) ->
  window_bytes a = window_bytes b -> a = b.
Proof.
  intros a b [La A] [Lb B] N E. rewrite !window_bytes_flat in E. apply u64_splits in E; auto. destruct E as [L E].
  unfold seq_length in L. apply Nnat.Nat2N.inj in L. clear La Lb. revert b L B N E.
  induction a as [|x a IH]; intros [|y b] L B N E; try discriminate; [reflexivity|].
  inversion A; inversion B; subst. cbn [flat_map] in E.
  apply app_split in E; [|unfold record_digest; rewrite !digest_length; reflexivity]. destruct E as [E1 E2].
  assert (R : record_bytes x = record_bytes y).
  { eapply same_string; [exact N|left; reflexivity|left; reflexivity|exact E1]. }
  apply record_injective in R; auto. subst. f_equal. apply IH; auto.
  intros p q Hp Hq. apply N; right; assumption.
Qed.

Lemma in_state_inputs : forall s input, In input (map (fun r => (tag_record, record_bytes r)) (hashed_window s)) \/
  In input (root_inputs (hashed_commitments s)) -> In input (state_inputs s).
Proof. intros s input H. unfold state_inputs. do 4 right. apply in_or_app. exact H. Qed.

(** Equal roots, equal states, or here is a collision. *)
Theorem equal_roots_equal_states : forall n s s', fits_state n s -> fits_state n s' -> state_root s = state_root s' ->
  s = s' \/ exists pair, find_collision (state_inputs s) (state_inputs s') = Some pair /\ collision pair.
Proof.
  intros n s s' A B E. destruct (find_collision _ _) as [pair|] eqn:C.
  { right. exists pair. split; [reflexivity|]. eapply find_collision_sound, C. }
  left. apply no_collision_found in C.
  assert (P : parts_of_state s = parts_of_state s').
  { apply parts_injective; [eapply parts_fit, A|eapply parts_fit, B|].
    eapply same_string; [exact C|left; reflexivity|left; reflexivity|exact E]. }
  destruct A as (_ & _ & _ & _ & [LC _] & _ & NC & T & R & W), B as (_ & _ & _ & _ & _ & _ & NC' & T' & R' & W').
  destruct s as [d v z t c l r w], s' as [d' v' z' t' c' l' r' w']. unfold parts_of_state in P. cbn in *.
  injection P as -> -> -> -> PC PT PR PW. f_equal.
  - apply root_binding; [exact digest_length|congruence|apply N.lt_le_incl; exact LC| |exact PC].
    intros p q Hp Hq. apply C; apply in_state_inputs; right; assumption.
  - apply tail_injective; auto. eapply same_string; [exact C|right; left; reflexivity|right; left; reflexivity|exact PT].
  - apply replay_injective; auto. eapply same_string; [exact C|do 2 right; left; reflexivity|do 2 right; left; reflexivity|exact PR].
  - apply windows_binding; auto.
    + intros p q Hp Hq. apply C; apply in_state_inputs; left; assumption.
    + eapply same_string; [exact C|do 3 right; left; reflexivity|do 3 right; left; reflexivity|exact PW].
Qed.

(** What a light client is told of a state, and hashes to a root that it trusts, is so. *)
Theorem root_of_parts_binds : forall n s parts, fits_state n s -> fits_parts parts -> root_of_parts parts = state_root s ->
  parts = parts_of_state s \/
  exists pair, find_collision [(tag_state, parts_bytes parts)] (state_inputs s) = Some pair /\ collision pair.
Proof.
  intros n s parts A B E. destruct (find_collision _ _) as [pair|] eqn:C.
  { right. exists pair. split; [reflexivity|]. eapply find_collision_sound, C. }
  left. apply no_collision_found in C. apply parts_injective; [exact B|eapply parts_fit, A|].
  eapply same_string; [exact C|left; reflexivity|left; reflexivity|exact E].
Qed.

(** A path ties one commitment to the root. *)
Theorem commitment_path_sound : forall n s vector commitment path, fits_state n s ->
  root_of_path (seq_length (hashed_commitments s)) vector commitment path = Some (commitment_root (hashed_commitments s)) ->
  (vector < seq_length (hashed_commitments s) /\ commitment = seq_at (hashed_commitments s) vector) \/
  exists pair, find_collision (path_inputs (seq_length (hashed_commitments s)) vector commitment path) (state_inputs s) = Some pair
    /\ collision pair.
Proof.
  intros n s vector commitment path A E. destruct (find_collision _ _) as [pair|] eqn:C.
  { right. exists pair. split; [reflexivity|]. eapply find_collision_sound, C. }
  left. apply no_collision_found in C. destruct A as (_ & _ & _ & _ & [L _] & NE & _).
  eapply path_binding; [exact digest_length|exact NE|apply N.lt_le_incl; exact L|exact E|].
  intros p q Hp Hq. apply C; [exact Hp|]. apply in_state_inputs. right. exact Hq.
Qed.

Theorem commitment_path_complete : forall n s vector, fits_state n s -> vector < seq_length (hashed_commitments s) ->
  root_of_path (seq_length (hashed_commitments s)) vector (seq_at (hashed_commitments s) vector)
    (commitment_path (hashed_commitments s) vector) = Some (commitment_root (hashed_commitments s)).
Proof.
  intros n s vector (_ & _ & _ & _ & [L _] & _) V. apply path_correct; [exact V|apply N.lt_le_incl; exact L].
Qed.

End Root.
