(** Theorems for auditors: the two commitment schemes, batches, and aggregation.

    To understand a statement of this file you need this file and the generated definitions, nothing else. The proofs are
    a few lines each, from the theories that they name. Group elements are those of Base/Group.v: the theorems say nothing of
    curves, and [g1_multiple (scalar_inv (tau [-] w^i))], say, is the group element [1/(tau - w^i)]_1, which nobody is known to
    be able to compute from the public parameters.

    For KZG and for Libert-Yung each:
    - [.._open_correct], [.._open_all_correct]: an honest opening is accepted, and all openings at once are those at each index.
    - [.._update_commitment_correct], [.._update_opening_correct]: an update gives what a new commitment, or opening, would be.
    - [kzg_commit_is_public], [kzg_open_is_public]: commitments and openings are sums of public powers of tau, with
      coefficients that do not depend on tau; those of Libert-Yung are computed from its parameters, which hold no trapdoor.
    - [.._position_binding]: two accepted openings of one position to different scalars give the missing power, by a formula.

    For both at once:
    - [batch_verify_complete], [batch_verify_one_value], [batch_verify_sound]: a batch of accepted claims passes; with all
      other coefficients fixed at most one value of a false claim's coefficient lets the batch pass; so of the choices of
      n coefficients from s values, at most s^(n-1) of s^n do.
    - [aggregate_verify_complete], [aggregate_verify_sound]: the same for aggregation with its two challenges, against a
      prover who chooses the points after the first;
    - [accepted_aggregation_decided], [counted_challenges_few]: which challenges these are, as a predicate that a program can
      decide ([challenges_counted]): where it is false, points that pass with a false claim give the missing power. *)
From Coq Require Import Arith NArith List Bool Ring_theory.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Commitment.Opening Commitment.Kzg
  Commitment.LibertYung Commitment.Scheme.
From Aardvark Require Lemmas.Field Spec.Base.Scalar Spec.Commitment.Kzg Spec.Commitment.LibertYung
  Spec.Commitment.Scheme Lemmas.Batch Lemmas.BatchVerification Spec.Commitment.Aggregation Lemmas.Polynomials
  Lemmas.KzgPolynomial Lemmas.PublicParameters.
Import ListNotations.
Local Open Scope N_scope.

(** ** Definitions *)

(** The scalars are a field whose equality is decided, and numbers are sums of ones in it. *)
Definition field_laws (F : ScalarOperations) : Prop :=
  ring_theory (scalar_of_N 0) (scalar_of_N 1) scalar_add scalar_mul scalar_sub (fun x => scalar_of_N 0 [-] x) eq /\
  scalar_of_N 1 <> scalar_of_N 0 /\
  (forall x, x <> scalar_of_N 0 -> scalar_inv x [*] x = scalar_of_N 1) /\
  (forall a b, (a [=?] b) = true <-> a = b) /\
  (forall m n, scalar_of_N (m + n) = scalar_of_N m [+] scalar_of_N n).

(** [w] has order [n]. *)
Definition primitive_root {F : ScalarOperations} (w : Scalar) (n : N) : Prop :=
  scalar_pow w n = scalar_of_N 1 /\ forall k, 0 < k < n -> scalar_pow w k <> scalar_of_N 1.

Lemma lawful_instance {F : ScalarOperations} : field_laws F -> Aardvark.Lemmas.Field.LawfulScalars F.
Proof. intros (R & O & I & E & A). constructor; assumption. Qed.

Section Commitments.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** What is assumed of the scalars: they are a field, and the given root of unity has order 4096. Both hold of the numbers
    modulo r (ModularScalars.v). *)
Hypothesis laws : field_laws F.
Hypothesis root : primitive_root root_of_unity_4096 4096.

#[local] Instance lawful : Aardvark.Lemmas.Field.LawfulScalars F := lawful_instance laws.
#[local] Instance rooted : Aardvark.Lemmas.Field.PrimitiveRoot scalar_given := root.

(** Vector sizes and trapdoors of KZG: [n] divides 4096, and [tau] is not in the domain. *)
Definition kzg_legal (n : N) (tau : Scalar) : Prop :=
  0 < n /\ 4096 mod n = 0 /\ scalar_pow tau n <> scalar_of_N 1.

(** The vectors differ by [delta] at [j], of their first [n] elements; elements beyond a vector's end are 0. *)
Definition differ_at (n : N) (vector vector' : list Scalar) (j : N) (delta : Scalar) : Prop :=
  forall k, k < n -> scalar_at vector' k = if k =? j then scalar_at vector k [+] delta else scalar_at vector k.

(** A multiple of the difference of two openings, the one accepted for [m], the other for [m']. *)
Definition extract (m m' : Scalar) (opening opening' : G1) : G1 :=
  g1_scale (scalar_inv (m' [-] m)) (g1_subtract opening opening').

(** ** KZG *)

Section Kzg.

Variables (n : N) (tau : Scalar).
Hypothesis legal : kzg_legal n tau.

Lemma kzg_made : Aardvark.Spec.Commitment.Scheme.well_made (Setup_Kzg (kzg_setup n tau)).
Proof. exists n, tau. split; [reflexivity | exact legal]. Qed.

(** The opening of a vector at an index is accepted, for the vector's element there. *)
Theorem kzg_open_correct : forall vector i, i < n ->
  kzg_verify (kzg_setup n tau) (kzg_commit (kzg_setup n tau) vector) i (scalar_at vector i)
    (kzg_open (kzg_setup n tau) vector i) = true.
Proof. intros vector i L. exact (Aardvark.Spec.Commitment.Scheme.open_correct (Setup_Kzg (kzg_setup n tau)) vector i kzg_made L). Qed.

(** All openings at once are those at each index. *)
Theorem kzg_open_all_correct : forall vector i, i < n ->
  g1_at (kzg_open_all (kzg_setup n tau) vector) i = kzg_open (kzg_setup n tau) vector i.
Proof. intros vector i L. exact (Aardvark.Spec.Commitment.Scheme.open_all_correct (Setup_Kzg (kzg_setup n tau)) vector i kzg_made L). Qed.

(** A commitment updated by a change is the commitment to the changed vector. *)
Theorem kzg_update_commitment_correct : forall vector vector' j delta,
  j < n -> differ_at n vector vector' j delta ->
  kzg_update_commitment (kzg_setup n tau) (kzg_commit (kzg_setup n tau) vector) j delta =
  kzg_commit (kzg_setup n tau) vector'.
Proof.
  intros vector vector' j delta L.
  exact (Aardvark.Spec.Commitment.Scheme.update_commitment_correct (Setup_Kzg (kzg_setup n tau)) vector vector' j delta kzg_made L).
Qed.

(** An opening updated by a change, at its own or another index, is the opening of the changed vector. *)
Theorem kzg_update_opening_correct : forall vector vector' i j delta,
  i < n -> j < n -> differ_at n vector vector' j delta ->
  kzg_update_opening (kzg_setup n tau) (kzg_open (kzg_setup n tau) vector i) i j delta =
  kzg_open (kzg_setup n tau) vector' i.
Proof.
  intros vector vector' i j delta Li Lj.
  exact (Aardvark.Spec.Commitment.Scheme.update_opening_correct (Setup_Kzg (kzg_setup n tau)) vector vector' i j delta kzg_made Li Lj).
Qed.

(** Two accepted openings of any commitment at one index to different scalars give 1 / (tau - w^i). *)
Theorem kzg_position_binding : forall commitment i m m' opening opening',
  kzg_verify (kzg_setup n tau) commitment i m opening = true ->
  kzg_verify (kzg_setup n tau) commitment i m' opening' = true ->
  m <> m' ->
  tau [-] scalar_pow (root_of_unity n) i <> scalar_of_N 0 /\
  extract m m' opening opening' = g1_multiple (scalar_inv (tau [-] scalar_pow (root_of_unity n) i)).
Proof.
  intros commitment i m m' opening opening' V V' D. split; [exact (Aardvark.Spec.Commitment.Kzg.tau_outside legal i)|].
  rewrite <- (Aardvark.Spec.Commitment.Scheme.kzg_missing_power n tau i).
  - exact (Aardvark.Spec.Commitment.Scheme.position_binding (Setup_Kzg (kzg_setup n tau)) commitment i m m' opening opening' kzg_made V V' D).
  - unfold kzg_verify in V. apply andb_prop in V. exact (proj1 (N.ltb_lt i n) (proj1 V)).
Qed.

End Kzg.

(** The sum of public points times known scalars: a multi-scalar multiplication. *)
Fixpoint combination (scalars : list Scalar) (points : list G1) : G1 :=
  match scalars, points with
  | c :: scalars', p :: points' => g1_add (g1_scale c p) (combination scalars' points')
  | _, _ => g1_identity
  end.

(** The powers of tau from the 0th to the (n-1)-th, in G1. *)
Definition public_powers (n : N) (tau : Scalar) : list G1 := map (fun k => g1_multiple (scalar_pow tau k)) (range 0 n).

(** The commitment to a vector is a sum of the powers tau^0 .. tau^(n-1) with coefficients that are the same for all tau. *)
Theorem kzg_commit_is_public : forall n vector, exists coefficients, length coefficients = N.to_nat n /\
  forall tau, kzg_legal n tau ->
  kzg_commit (kzg_setup n tau) vector = combination coefficients (public_powers n tau).
Proof.
  intros n vector. exists (Aardvark.Lemmas.KzgPolynomial.kzg_polynomial n vector).
  split; [apply Aardvark.Lemmas.Polynomials.interpolation_length|]. intros tau legal. symmetry.
  exact (Aardvark.Lemmas.PublicParameters.public_commit_correct (Setup_Kzg (kzg_setup n tau)) vector (kzg_made n tau legal)).
Qed.

(** So is the opening at each index. *)
Theorem kzg_open_is_public : forall n vector i, i < n -> exists coefficients, length coefficients = pred (N.to_nat n) /\
  forall tau, kzg_legal n tau ->
  kzg_open (kzg_setup n tau) vector i = combination coefficients (public_powers n tau).
Proof.
  intros n vector i L.
  exists (Aardvark.Lemmas.Polynomials.quotient (Aardvark.Lemmas.KzgPolynomial.kzg_polynomial n vector) (scalar_pow (root_of_unity n) i)).
  split; [rewrite Aardvark.Lemmas.Polynomials.quotient_length; f_equal; apply Aardvark.Lemmas.Polynomials.interpolation_length|].
  intros tau legal. symmetry.
  exact (Aardvark.Lemmas.PublicParameters.public_open_correct (Setup_Kzg (kzg_setup n tau)) vector i (kzg_made n tau legal) L).
Qed.

(** ** Libert-Yung: any size, any trapdoor *)

Section LibertYung.

Variables (n : N) (alpha : Scalar).

Lemma libert_yung_made : Aardvark.Spec.Commitment.Scheme.well_made (Setup_LibertYung (libert_yung_setup n alpha)).
Proof. exists n, alpha. reflexivity. Qed.

(** The opening of a vector at an index is accepted, for the vector's element there. *)
Theorem libert_yung_open_correct : forall vector i, i < n ->
  libert_yung_verify (libert_yung_setup n alpha) (libert_yung_commit (libert_yung_setup n alpha) vector) i
    (scalar_at vector i) (libert_yung_open (libert_yung_setup n alpha) vector i) = true.
Proof.
  intros vector i L.
  exact (Aardvark.Spec.Commitment.Scheme.open_correct (Setup_LibertYung (libert_yung_setup n alpha)) vector i libert_yung_made L).
Qed.

(** All openings at once are those at each index. *)
Theorem libert_yung_open_all_correct : forall vector i, i < n ->
  g1_at (libert_yung_open_all (libert_yung_setup n alpha) vector) i =
  libert_yung_open (libert_yung_setup n alpha) vector i.
Proof.
  intros vector i L.
  exact (Aardvark.Spec.Commitment.Scheme.open_all_correct (Setup_LibertYung (libert_yung_setup n alpha)) vector i libert_yung_made L).
Qed.

(** A commitment updated by a change is the commitment to the changed vector. *)
Theorem libert_yung_update_commitment_correct : forall vector vector' j delta,
  j < n -> differ_at n vector vector' j delta ->
  libert_yung_update_commitment (libert_yung_setup n alpha) (libert_yung_commit (libert_yung_setup n alpha) vector) j delta =
  libert_yung_commit (libert_yung_setup n alpha) vector'.
Proof.
  intros vector vector' j delta L. exact (Aardvark.Spec.Commitment.Scheme.update_commitment_correct
    (Setup_LibertYung (libert_yung_setup n alpha)) vector vector' j delta libert_yung_made L).
Qed.

(** An opening updated by a change, at its own or another index, is the opening of the changed vector. *)
Theorem libert_yung_update_opening_correct : forall vector vector' i j delta,
  i < n -> j < n -> differ_at n vector vector' j delta ->
  libert_yung_update_opening (libert_yung_setup n alpha) (libert_yung_open (libert_yung_setup n alpha) vector i) i j delta =
  libert_yung_open (libert_yung_setup n alpha) vector' i.
Proof.
  intros vector vector' i j delta Li Lj. exact (Aardvark.Spec.Commitment.Scheme.update_opening_correct
    (Setup_LibertYung (libert_yung_setup n alpha)) vector vector' i j delta libert_yung_made Li Lj).
Qed.

(** Two accepted openings of any commitment at one index to different scalars give alpha^(n+1), the power that is not
    public. *)
Theorem libert_yung_position_binding : forall commitment i m m' opening opening',
  libert_yung_verify (libert_yung_setup n alpha) commitment i m opening = true ->
  libert_yung_verify (libert_yung_setup n alpha) commitment i m' opening' = true ->
  m <> m' ->
  extract m m' opening opening' = g1_multiple (scalar_pow alpha (n + 1)).
Proof.
  intros commitment i m m' opening opening' V V' D. apply Aardvark.Spec.Base.Group.g1_ext.
  exact (Aardvark.Spec.Commitment.LibertYung.position_binding commitment i m m' opening opening' V V' D).
Qed.

End LibertYung.

(** ** Batches, for both schemes *)

(** The setups in question. *)
Definition well_made (setup : Setup) : Prop :=
  match setup with
  | Setup_Kzg kzg => exists n tau, kzg = kzg_setup n tau /\ kzg_legal n tau
  | Setup_LibertYung libert_yung => exists n alpha, libert_yung = libert_yung_setup n alpha
  end.

(** Whether a claim's own opening is accepted. *)
Definition claim_accepted (setup : Setup) (claim : BatchClaim) : bool :=
  verify_point setup claim.(batch_commitment) claim.(batch_index) claim.(batch_scalar) claim.(batch_opening).

(** All choices of [n] coefficients from the list [s]. *)
Fixpoint choices {A : Type} (s : list A) (n : nat) : list (list A) :=
  match n with
  | O => [[]]
  | S n => flat_map (fun c => map (cons c) (choices s n)) s
  end.

(** A batch of accepted claims passes, whatever the coefficients. *)
Theorem batch_verify_complete : forall setup batch coefficients,
  (forall j, j < seq_length batch -> claim_accepted setup (seq_at batch j) = true) ->
  verify_batch setup batch coefficients = true.
Proof. exact Aardvark.Lemmas.BatchVerification.batch_verify_complete. Qed.

(** Two passing choices of coefficients that differ at most in that of a false claim are the same. *)
Theorem batch_verify_one_value : forall setup batch coefficients coefficients' j,
  j < seq_length batch -> batch_index (seq_at batch j) < setup_vector_size setup ->
  claim_accepted setup (seq_at batch j) = false ->
  (forall k, k < seq_length batch -> k <> j -> scalar_at coefficients k = scalar_at coefficients' k) ->
  verify_batch setup batch coefficients = true -> verify_batch setup batch coefficients' = true ->
  scalar_at coefficients j = scalar_at coefficients' j.
Proof. exact Aardvark.Lemmas.BatchVerification.batch_verify_one_value. Qed.

(** With a false claim, at most |s|^(n-1) of the |s|^n choices of coefficients from distinct values pass. *)
Theorem batch_verify_sound : forall setup batch (s : list Scalar) j,
  NoDup s -> j < seq_length batch -> batch_index (seq_at batch j) < setup_vector_size setup ->
  claim_accepted setup (seq_at batch j) = false ->
  (length (filter (verify_batch setup batch) (choices s (length batch))) <= (length s ^ (length batch - 1))%nat)%nat.
Proof. exact Aardvark.Lemmas.BatchVerification.batch_verify_sound. Qed.

(** ** Aggregation, for both schemes *)

(** Accepted claims about the commitments and the indices of a batch: what the vectors really contain. *)
Definition honest_for (setup : Setup) (batch honest : list BatchClaim) : Prop :=
  seq_length honest = seq_length batch /\
  forall j, j < seq_length batch ->
    (seq_at honest j).(batch_commitment) = (seq_at batch j).(batch_commitment) /\
    (seq_at honest j).(batch_index) = (seq_at batch j).(batch_index) /\
    claim_accepted setup (seq_at honest j) = true.

(** f 0 + .. + f (n-1) *)
Definition sum (f : N -> Scalar) (n : N) : Scalar := fold_left (fun total i => total [+] f i) (range 0 n) (scalar_of_N 0).

(** How far the claims at an index are from the honest ones, under the coefficients. *)
Definition scalar_gap (batch honest : list BatchClaim) (coefficients : list Scalar) (i : N) : Scalar :=
  sum (fun j => if (seq_at batch j).(batch_index) =? i
    then scalar_at coefficients j [*] ((seq_at honest j).(batch_scalar) [-] (seq_at batch j).(batch_scalar))
    else scalar_of_N 0) (seq_length batch).

(** What a prover's point for index [i], should there be one, and the honest openings give: the multiple of their difference
    that would be the missing power. *)
Definition aggregated_break (batch honest : list BatchClaim) (coefficients : list Scalar)
    (points : list AggregatedOpening) (i : N) : option G1 :=
  option_map
    (fun point => g1_scale (scalar_inv (scalar_gap batch honest coefficients point.(aggregated_index)))
      (g1_subtract point.(aggregated_point) (aggregated_opening honest coefficients point.(aggregated_index))))
    (find (fun point => point.(aggregated_index) =? i) points).

(** The power of the trapdoor that is not public: 1 / (tau - w^i), or alpha^(N+1). *)
Definition missing_power (setup : Setup) (i : N) : G1 :=
  match setup with
  | Setup_Kzg kzg => g1_multiple (scalar_inv (g2_exponent (kzg_key kzg) [-] scalar_at (kzg_domain kzg) i))
  | Setup_LibertYung libert_yung =>
      g1_multiple (scalar_pow (g1_exponent (libert_yung_power libert_yung 1)) (libert_yung_size libert_yung + 1))
  end.

Definition is_missing_power (setup : Setup) (i : N) (extracted : option G1) : bool :=
  match extracted with
  | Some power => g1_equal power (missing_power setup i)
  | None => false
  end.

(** Points made of accepted openings, an index each, pass, whatever the coefficients. *)
Theorem aggregate_verify_complete : forall setup batch coefficients points combiners,
  well_made setup ->
  (forall j, j < seq_length batch -> claim_accepted setup (seq_at batch j) = true) ->
  aggregation_fits batch points (setup_vector_size setup) = true ->
  (forall k, k < seq_length points -> aggregated_index (seq_at points k) < setup_vector_size setup /\
    aggregated_point (seq_at points k) = aggregated_opening batch coefficients (aggregated_index (seq_at points k))) ->
  verify_aggregated setup batch coefficients points combiners = true.
Proof. exact Aardvark.Spec.Commitment.Aggregation.aggregate_verify_complete. Qed.

(** With a false claim, and a prover who chooses at most [count] points after the first challenge: few pairs of challenges
    let it pass without giving the missing power away. The first part are coefficients under which false claims cancel,
    the second combiners under which false points do. *)
Theorem aggregate_verify_sound : forall setup batch honest j (s t : list Scalar) (count : nat)
    (prover : list Scalar -> list AggregatedOpening),
  let i := batch_index (seq_at batch j) in
  let n := length batch in
  well_made setup -> honest_for setup batch honest -> NoDup s -> NoDup t ->
  j < seq_length batch -> i < setup_vector_size setup ->
  batch_scalar (seq_at batch j) <> batch_scalar (seq_at honest j) ->
  (forall coefficients, (length (prover coefficients) <= count)%nat) ->
  (length (filter (fun '(coefficients, combiners) =>
      let points := prover coefficients in
      verify_aggregated setup batch coefficients points combiners
      && negb (is_missing_power setup i (aggregated_break batch honest coefficients points i)))
    (list_prod (choices s n) (choices t count)))
  <= length s ^ (n - 1) * length t ^ count + length s ^ n * length t ^ (count - 1))%nat.
Proof. exact Aardvark.Spec.Commitment.Aggregation.aggregate_verify_sound. Qed.

(** Whether a point satisfies the equation of its index alone. *)
Definition point_accepted (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar)
    (point : AggregatedOpening) : bool :=
  let i := point.(aggregated_index) in
  match setup with
  | Setup_Kzg kzg =>
      pairings_equal (kzg_point_left_side kzg batch coefficients point) point.(aggregated_point) kzg.(kzg_key)
  | Setup_LibertYung libert_yung =>
      gt_equal (libert_yung_index_sum libert_yung batch coefficients i)
        (pairing point.(aggregated_point) g2_generator)
  end.

(** The first part: coefficients under which the false claims at the index cancel. They speak of the claims only, which are
    fixed before the first challenge. *)
Definition first_counted (batch honest : list BatchClaim) (coefficients : list Scalar) (i : N) : bool :=
  scalar_gap batch honest coefficients i [=?] scalar_of_N 0.

(** The second: combiners that save the points, which are fixed before the second challenge, although the one at the index
    misses its equation. *)
Definition second_counted (setup : Setup) (batch : list BatchClaim) (coefficients : list Scalar)
    (points : list AggregatedOpening) (combiners : list Scalar) (i : N) : bool :=
  match find (fun point => point.(aggregated_index) =? i) points with
  | Some point =>
      negb (point_accepted setup batch coefficients point) && verify_aggregated setup batch coefficients points combiners
  | None => false
  end.

Definition challenges_counted (setup : Setup) (batch honest : list BatchClaim) (coefficients : list Scalar)
    (points : list AggregatedOpening) (combiners : list Scalar) (i : N) : bool :=
  first_counted batch honest coefficients i || second_counted setup batch coefficients points combiners i.

(** Points that pass with claims about honest vectors give the missing power at the index of any claim of theirs, or the
    challenges are among the counted. *)
Theorem accepted_aggregation_decided : forall setup batch honest coefficients points combiners j,
  let i := batch_index (seq_at batch j) in
  well_made setup -> honest_for setup batch honest -> j < seq_length batch -> i < setup_vector_size setup ->
  verify_aggregated setup batch coefficients points combiners = true ->
  is_missing_power setup i (aggregated_break batch honest coefficients points i) = true \/
  challenges_counted setup batch honest coefficients points combiners i = true.
Proof. exact Aardvark.Spec.Commitment.Aggregation.accepted_aggregation_decided. Qed.

(** With a false claim few pairs of challenges are counted, whatever a prover makes of the first: as many as
    [aggregate_verify_sound] says, for the same reasons. *)
Theorem counted_challenges_few : forall setup batch honest j (s t : list Scalar) (count : nat)
    (prover : list Scalar -> list AggregatedOpening),
  let i := batch_index (seq_at batch j) in
  let n := length batch in
  NoDup s -> NoDup t -> j < seq_length batch -> batch_scalar (seq_at batch j) <> batch_scalar (seq_at honest j) ->
  (forall coefficients, (length (prover coefficients) <= count)%nat) ->
  (length (filter (fun '(coefficients, combiners) =>
      challenges_counted setup batch honest coefficients (prover coefficients) combiners i)
    (list_prod (choices s n) (choices t count)))
  <= length s ^ (n - 1) * length t ^ count + length s ^ n * length t ^ (count - 1))%nat.
Proof. exact Aardvark.Spec.Commitment.Aggregation.counted_challenges_few. Qed.

End Commitments.
