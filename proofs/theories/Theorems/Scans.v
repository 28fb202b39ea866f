(** Theorems for auditors: which runs of a table an answer is about.

    To understand a statement of this file you need this file, the generated definitions, Ring.v for [well_formed], Breaks.v for breaks and
    Answers.v for [find_claim_break], for the last theorem also Roots.v, [blt] (Lemmas/WellFormed.v), [of_bytes] (Safety/BoundsSafe.v: no byte
    is above 255), and definitions of Spec/Table: [in_box], [box_legal] (KeyBox.v: the prefix and, behind it, for each column digits of its
    width in one of its intervals, which are canonical), [box_entries], [honest_table_chain] (TableScan.v), [query_of_bytes],
    [entries_exact] (TableAnswerVerifier.v), [entry_of_run], [pieces_exact], [runs_exact] (LongRuns.v).

    - [box_next_least]: the cursor of a scan is the least key of the box from a byte string on, whatever that string is.
    - [box_holds_iff]: whether a key lies in a box.
    - [scan_exact]: slots of one array that a scan takes to its end show exactly the entries of the array's map in the box.
    - [honest_scan_accepted]: the slots that cover the cursors, one after the other, are taken to the end.
    - [scan_or_breaks]: the runs of an accepted answer are those of the map in the query's box, each a run of the schema's table and none
      left out, the segments that are shown are those of the map, and the schema is the one that stands there; or a break is found among
      the claims.
    - [rooted_scan_or_breaks]: so it is under a state root, or a collision of SHA-256 is found among parts and paths. *)
From Coq Require Import NArith List Bool Ring_theory.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Commitment.Opening Commitment.Kzg Commitment.LibertYung Commitment.Scheme Dictionary.KeyMap Dictionary.Vectors
  Block.Map Block.State Block.Root Answer.AnswerReason Answer.AnswerProof Answer.AnswerBasis Table.TableSchema Table.KeyBox Table.TableScan
  Table.TableKey Table.TableQuery Table.Totals Table.TableAnswer Table.TableAnswerVerifier.
From Aardvark Require Import Lemmas.WellFormed Safety.BoundsSafe Spec.Table.KeyBox Spec.Table.TableScan Spec.Table.TableAnswerVerifier Spec.Table.LongRuns.
From Aardvark Require Lemmas.Field Spec.Commitment.Scheme Lemmas.VectorLemmas Lemmas.Break Spec.Answer.Verify Spec.Table.BoxNext.
From Aardvark Require Theorems.Ring Theorems.Breaks Theorems.Roots Theorems.Answers.
Import ListNotations.
Local Open Scope N_scope.

(** ** Boxes *)

Theorem box_next_least : forall key_box k, box_legal key_box -> of_bytes k ->
  match box_next key_box k with
  | Some m => in_box key_box m /\ ~ blt m k /\ forall q, in_box key_box q -> ~ blt q k -> ~ blt q m
  | None => forall q, in_box key_box q -> blt q k
  end.
Proof. exact Aardvark.Spec.Table.BoxNext.box_next_least. Qed.

Theorem box_holds_iff : forall key_box k, box_legal key_box -> of_bytes k -> box_holds key_box k = true <-> in_box key_box k.
Proof. exact Aardvark.Spec.Table.BoxNext.box_holds_iff. Qed.

Section Scans.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The whole array of the version that is asked about. Its keys are strings of bytes. *)
Variable a : Array.
Hypothesis a_well_formed : Ring.well_formed a.
Hypothesis a_of_bytes : forall p x, slot_at (array_slots a) p = Some x -> of_bytes (key x).

(** ** Slots *)

(** All slots of the chain stand in the array: then a scan that comes to its end shows the map's entries in the box. *)
Theorem scan_exact : forall key_box chain entries, box_legal key_box ->
  (forall x, In x chain -> exists p, slot_at (array_slots a) p = Some x) ->
  table_scan key_box chain = Ok entries -> entries = box_entries key_box (map_of_array a).
Proof. intros key_box chain entries legal. exact (table_scan_exact a a_well_formed a_of_bytes key_box legal chain entries). Qed.

(** No slot of the chain is needed twice, so it has at most one more than the array. *)
Theorem honest_scan_accepted : forall key_box, box_legal key_box ->
  (forall x, In x (honest_table_chain a key_box) -> exists p, slot_at (array_slots a) p = Some x) /\
  table_scan key_box (honest_table_chain a key_box) = Ok (box_entries key_box (map_of_array a)).
Proof. intros key_box legal. exact (honest_table_scan a a_well_formed a_of_bytes key_box legal). Qed.

(** ** Answers *)

(** The scalars are a field whose equality is decided, numbers are sums of ones in it, and the given root of unity has order
    4096. *)
Hypothesis laws :
  ring_theory (scalar_of_N 0) (scalar_of_N 1) scalar_add scalar_mul scalar_sub (fun x => scalar_of_N 0 [-] x) eq /\
  scalar_of_N 1 <> scalar_of_N 0 /\
  (forall x, x <> scalar_of_N 0 -> scalar_inv x [*] x = scalar_of_N 1) /\
  (forall a b, (a [=?] b) = true <-> a = b) /\
  (forall m n, scalar_of_N (m + n) = scalar_of_N m [+] scalar_of_N n).
Hypothesis root :
  scalar_pow root_of_unity_4096 4096 = scalar_of_N 1 /\ forall k, 0 < k < 4096 -> scalar_pow root_of_unity_4096 k <> scalar_of_N 1.

(** A setup, of either scheme, of vectors of [n] elements. *)
Variables (setup : Setup) (n : N).
Hypothesis made :
  match setup with
  | Setup_Kzg kzg =>
      exists n tau, kzg = kzg_setup n tau /\ 0 < n /\ 4096 mod n = 0 /\ scalar_pow tau n <> scalar_of_N 1
  | Setup_LibertYung libert_yung => exists n alpha, libert_yung = libert_yung_setup n alpha
  end.
Hypothesis sized : setup_vector_size setup = n.
Hypothesis positive : 1 <= n.
Lemma lawful_scalars : Aardvark.Lemmas.Field.LawfulScalars F.
Proof. destruct laws as (R & O & I & E & A). constructor; assumption. Qed.
#[local] Existing Instance lawful_scalars.
#[local] Instance rooted : Aardvark.Lemmas.Field.PrimitiveRoot scalar_given := root.

(** Functions that commit and open, computed in whatever way. *)
Variables (commit_to : list Scalar -> G1) (open_at : list Scalar -> N -> G1).
Hypothesis commits : forall vector, commit_to vector = commit setup vector.
Hypothesis opens : forall vector i, i < n -> open_at vector i = open setup vector i.

(** What a verifier believes is true of the array. *)
Theorem scan_or_breaks : forall known query schema answer outcome,
  known_vector_size known = n /\ known_size known = array_size a /\ known_commitments known = array_commitments setup n a ->
  query_of_bytes query -> verify_table_answer setup (Trusted_TrustedCommitments known) query schema answer = Ok outcome ->
  match Answers.find_claim_break a n commit_to open_at (answer_proof answer) with
  | Some b => Breaks.is_break setup b
  | None => runs_exact a query schema (answer_shown answer) (outcome_runs outcome)
  end.
Proof.
  intros known query schema answer outcome K Q E.
  pose proof (accepted_runs_exact a a_well_formed a_of_bytes setup n made sized positive _ query schema answer outcome Q E) as H.
  rewrite <- (Answers.find_claim_break_same a setup n positive commit_to open_at commits opens) in H.
  destruct (Answers.find_claim_break a n commit_to open_at (answer_proof answer)) as [b|]; cbn [option_map] in H.
  - assert (G : Aardvark.Lemmas.Break.is_break setup (Breaks.image b)); [|destruct b; exact G].
    apply H. intros basis. exact (Aardvark.Spec.Answer.Verify.known_basis_true setup n a known (answer_proof answer) basis K).
  - apply H. intros basis. exact (Aardvark.Spec.Answer.Verify.known_basis_true setup n a known (answer_proof answer) basis K).
Qed.

(** ** Under a root *)

(** Digests have 32 bytes, and commitments an encoding that tells them apart: a matter of the curve. *)
Hypothesis digest_length : forall tag x, seq_length (tagged_hash tag x) = 32.
Variable encode : G1 -> ByteString.
Hypothesis encode_injective : forall x y, encode x = encode y -> x = y.

(** The state of which the root is, with the array's commitments encoded. *)
Variable state : HashedState.
Hypothesis state_fits : Roots.fits_state n state.
Hypothesis state_size : hashed_size state = array_size a.
Hypothesis state_commitments : hashed_commitments state = map encode (array_commitments setup n a).

Theorem rooted_scan_or_breaks : forall trusted query schema answer tie outcome,
  root_vector_size trusted = n -> root_digest trusted = state_root state ->
  proof_tie (answer_proof answer) = Some tie -> Answers.tie_decoded encode tie -> Answers.tie_fits tie ->
  query_of_bytes query -> verify_table_answer setup (Trusted_TrustedRoot trusted) query schema answer = Ok outcome ->
  match Aardvark.Spec.Answer.Verify.find_tie_collision state tie with
  | Some both => Roots.collision both
  | None =>
      match Answers.find_claim_break a n commit_to open_at (answer_proof answer) with
      | Some b => Breaks.is_break setup b
      | None => runs_exact a query schema (answer_shown answer) (outcome_runs outcome)
      end
  end.
Proof.
  intros trusted query schema answer tie outcome V D T B W Q E.
  pose proof (accepted_runs_exact a a_well_formed a_of_bytes setup n made sized positive _ query schema answer outcome Q E) as H.
  apply verify_table_answer_checked in E. cbv zeta in E. destruct E as (_ & _ & _ & (basis & EB & _) & _).
  pose proof (fun basis => Aardvark.Spec.Answer.Verify.root_basis_true setup n positive a digest_length encode encode_injective state
    state_fits state_size state_commitments trusted (answer_proof answer) tie basis V D T B W) as R.
  destruct (Aardvark.Spec.Answer.Verify.find_tie_collision state tie) as [both|]; [exact (R basis EB)|]. specialize (H R).
  rewrite <- (Answers.find_claim_break_same a setup n positive commit_to open_at commits opens) in H.
  destruct (Answers.find_claim_break a n commit_to open_at (answer_proof answer)) as [b|]; [|exact H]. destruct b; exact H.
Qed.

End Scans.
