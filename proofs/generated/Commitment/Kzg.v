(* Translated from spec/src/commitment/kzg.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** KZG on roots of unity.

    A vector m of N scalars is the polynomial p with p(ω^i) = m_i, where ω = 7^((r-1)/N), indices in
    natural order. With the trapdoor τ, the Lagrange polynomials L_i of the domain, and A(X) =
    X^N - 1, the public parameters are [L_i(τ)]_1, a_i = [A(τ) / (τ - ω^i)]_1,
    u_i = [(L_i(τ) - 1) / (τ - ω^i)]_1, and the key [τ]_2. Then:

    - the commitment is [p(τ)]_1 = Σ m_i [L_i(τ)]_1;
    - the opening at i is [(p(τ) - m_i) / (τ - ω^i)]_1, which is m_i u_i + Σ_{j≠i} m_j f_{i-j}
      (a_j - a_i), with f_k = 1 / (N (1 - ω^k)), so that f_{i-j} = c_j / (ω^j - ω^i) for
      c_j = 1/A'(ω^j) = ω^j / N;
    - it is accepted when e(C - m_i g1 + ω^i π, g2) = e(π, [τ]_2).

    Only [`kzg_setup`] and what it calls are given τ. Source: docs/design.md, section 3. *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Scalar Base.Group Commitment.Opening.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** The public parameters for vectors of one size. *)
Record KzgSetup : Type := {
  (** N, the number of elements of a vector: a power of two of at most 4096. *)
  kzg_size : usize;
  (** [τ]_2, the verification key; τ must not be an N-th root of unity. *)
  kzg_key : G2;
  (** ω^k. *)
  kzg_domain : Seq Scalar;
  (** f_k = 1 / (N (1 - ω^k)), and 0 for k = 0. *)
  kzg_factors : Seq Scalar;
  (** [L_k(τ)]_1. *)
  kzg_lagrange : Seq G1;
  (** a_k = [A(τ) / (τ - ω^k)]_1. *)
  kzg_vanishing_quotients : Seq G1;
  (** u_k = [(L_k(τ) - 1) / (τ - ω^k)]_1. *)
  kzg_lagrange_quotients : Seq G1;
}.

#[global] Instance Default_KzgSetup : Default KzgSetup := {| kzg_size := default; kzg_key := default; kzg_domain := default; kzg_factors := default; kzg_lagrange := default; kzg_vanishing_quotients := default; kzg_lagrange_quotients := default |}.

(** One step of [`kzg_domain_of`]. *)
Definition kzg_domain_of_step (domain : Seq Scalar) (omega : Scalar) (k : usize) : Seq Scalar :=
  domain ++ [scalar_power omega k].

(** The domain: the powers of ω. *)
Definition kzg_domain_of (n : usize) : Seq Scalar :=
  let omega := root_of_unity n in
  fold_left (fun domain k => kzg_domain_of_step domain omega k) (range 0 n) [].

(** One step of [`kzg_inverses_of`]. *)
Definition kzg_inverses_of_step (inverses : Seq Scalar) (tau omega_k : Scalar) : Seq Scalar :=
  inverses ++ [scalar_inverse (tau [-] omega_k)].

(** The inverses of τ - ω^k. *)
Definition kzg_inverses_of (domain : Seq Scalar) (tau : Scalar) : Seq Scalar :=
  fold_left
    (fun inverses k => kzg_inverses_of_step inverses tau (seq_at domain k))
    (range 0 (seq_length domain))
    [].

(** The scalar N, for division by the number of elements. *)
Definition kzg_size_scalar (n : usize) : Scalar :=
  scalar_of_number (u128_of_usize n).

(** A(τ) = τ^N - 1. *)
Definition kzg_vanishing (tau : Scalar) (n : usize) : Scalar :=
  scalar_power tau n [-] scalar_one.

(** One step of [`kzg_lagrange_of`]: L_k(τ) = ω^k A(τ) / (N (τ - ω^k)), with `scale` = A(τ) / N. *)
Definition kzg_lagrange_of_step (lagrange : Seq Scalar) (scale omega_k inverse_k : Scalar) : Seq Scalar :=
  lagrange ++ [omega_k [*] scale [*] inverse_k].

(** The Lagrange polynomials at τ. *)
Definition kzg_lagrange_of (domain inverses : Seq Scalar) (tau : Scalar) : Seq Scalar :=
  let scale :=
    kzg_vanishing tau (seq_length domain) [*] scalar_inverse (kzg_size_scalar (seq_length domain))
  in
  fold_left
    (fun lagrange k => kzg_lagrange_of_step lagrange scale (seq_at domain k) (scalar_at inverses k))
    (range 0 (seq_length domain))
    [].

(** One step of [`kzg_factors_of`]. *)
Definition kzg_factors_of_step
    (factors : Seq Scalar)
    (size_scalar omega_k : Scalar)
    (k : usize) : Seq Scalar :=
  if k =? 0 then
    factors ++ [scalar_zero]
  else
    factors ++ [scalar_inverse (size_scalar [*] (scalar_one [-] omega_k))].

(** The factors f_k of a domain. *)
Definition kzg_factors_of (domain : Seq Scalar) : Seq Scalar :=
  let size_scalar := kzg_size_scalar (seq_length domain) in
  fold_left
    (fun factors k => kzg_factors_of_step factors size_scalar (seq_at domain k) k)
    (range 0 (seq_length domain))
    [].

(** One step of [`kzg_vanishing_quotients_of`]. *)
Definition kzg_vanishing_quotients_of_step
    (quotients : Seq Scalar)
    (vanishing inverse_k : Scalar) : Seq Scalar :=
  quotients ++ [vanishing [*] inverse_k].

(** A(τ) / (τ - ω^k), with `vanishing` = A(τ). *)
Definition kzg_vanishing_quotients_of (inverses : Seq Scalar) (vanishing : Scalar) : Seq Scalar :=
  fold_left
    (fun quotients k => kzg_vanishing_quotients_of_step quotients vanishing (seq_at inverses k))
    (range 0 (seq_length inverses))
    [].

(** One step of [`kzg_lagrange_quotients_of`]. *)
Definition kzg_lagrange_quotients_of_step
    (quotients : Seq Scalar)
    (lagrange_k inverse_k : Scalar) : Seq Scalar :=
  quotients ++ [(lagrange_k [-] scalar_one) [*] inverse_k].

(** (L_k(τ) - 1) / (τ - ω^k). *)
Definition kzg_lagrange_quotients_of (lagrange inverses : Seq Scalar) : Seq Scalar :=
  fold_left
    (fun quotients k => kzg_lagrange_quotients_of_step quotients (seq_at lagrange k) (scalar_at inverses k))
    (range 0 (seq_length lagrange))
    [].

(** The parameters for vectors of `n` elements, with the trapdoor `tau`, of which nothing but group
    elements is kept. *)
Definition kzg_setup (n : usize) (tau : Scalar) : KzgSetup :=
  let domain := kzg_domain_of n in
  let inverses := kzg_inverses_of domain tau in
  let lagrange := kzg_lagrange_of domain inverses tau in
  {| kzg_size := n;
    kzg_key := g2_multiple tau;
    kzg_factors := kzg_factors_of domain;
    kzg_domain := domain;
    kzg_lagrange := g1_multiples lagrange;
    kzg_vanishing_quotients := g1_multiples (kzg_vanishing_quotients_of inverses (kzg_vanishing tau n));
    kzg_lagrange_quotients := g1_multiples (kzg_lagrange_quotients_of lagrange inverses) |}.

(** The commitment to a vector; elements that it lacks are 0. *)
Definition kzg_commit (setup : KzgSetup) (vector : Seq Scalar) : G1 :=
  g1_combination setup.(kzg_lagrange) vector.

(** C - m_i g1 + ω^i π, the side of a claim's equation that is paired with the generator. *)
Definition kzg_left_side (setup : KzgSetup) (commitment : G1) (i : usize) (m : Scalar) (opening : G1) : G1 :=
  g1_add (g1_subtract commitment (g1_multiple m)) (g1_scale (scalar_at setup.(kzg_domain) i) opening).

(** Whether the opening shows that the vector under the commitment has the scalar `m` at index `i`. *)
Definition kzg_verify (setup : KzgSetup) (commitment : G1) (i : usize) (m : Scalar) (opening : G1) : bool :=
  (i <? setup.(kzg_size)) &&
  pairings_equal (kzg_left_side setup commitment i m opening) opening setup.(kzg_key).

(** The commitment after element `j` of the vector grew by `delta`. *)
Definition kzg_update_commitment (setup : KzgSetup) (commitment : G1) (j : usize) (delta : Scalar) : G1 :=
  g1_add commitment (g1_scale delta (g1_at setup.(kzg_lagrange) j)).

(** f_{i-j}, for `i` and `j` below N. *)
Definition kzg_factor (setup : KzgSetup) (i j : usize) : Scalar :=
  if i <? j then
    scalar_at setup.(kzg_factors) (i + setup.(kzg_size) - j)
  else
    scalar_at setup.(kzg_factors) (i - j).

(** The opening at index `i` after element `j` of the vector grew by `delta`. *)
Definition kzg_update_opening (setup : KzgSetup) (opening : G1) (i j : usize) (delta : Scalar) : G1 :=
  if i =? j then
    g1_add opening (g1_scale delta (g1_at setup.(kzg_lagrange_quotients) i))
  else
    let difference :=
      g1_subtract (g1_at setup.(kzg_vanishing_quotients) j) (g1_at setup.(kzg_vanishing_quotients) i)
    in
    g1_add opening (g1_scale (delta [*] kzg_factor setup i j) difference).

(** One step of [`kzg_open`]: element `j` is taken into the opening at `i`. *)
Definition kzg_open_step (opening : G1) (setup : KzgSetup) (vector : Seq Scalar) (i j : usize) : G1 :=
  kzg_update_opening setup opening i j (scalar_at vector j).

(** The opening of a vector at index `i`: what that of the empty vector, the identity, becomes as
    the elements are taken in. *)
Definition kzg_open (setup : KzgSetup) (vector : Seq Scalar) (i : usize) : G1 :=
  fold_left (fun opening j => kzg_open_step opening setup vector i j) (range 0 setup.(kzg_size)) g1_identity.

(** One step of [`kzg_open_all`]. *)
Definition kzg_open_all_step
    (openings : Seq G1)
    (setup : KzgSetup)
    (vector : Seq Scalar)
    (i : usize) : Seq G1 :=
  openings ++ [kzg_open setup vector i].

(** The openings of a vector at all indices. *)
Definition kzg_open_all (setup : KzgSetup) (vector : Seq Scalar) : Seq G1 :=
  fold_left (fun openings i => kzg_open_all_step openings setup vector i) (range 0 setup.(kzg_size)) [].

(** One step of [`kzg_verify_batch`]. *)
Definition kzg_verify_batch_step
    (sums : PairingSum)
    (setup : KzgSetup)
    (claim : BatchClaim)
    (rho : Scalar) : PairingSum :=
  let left' :=
    kzg_left_side
      setup
      claim.(batch_commitment)
      claim.(batch_index)
      claim.(batch_scalar)
      claim.(batch_opening)
  in
  {| sum_left := g1_add sums.(sum_left) (g1_scale rho left');
    sum_right := g1_add sums.(sum_right) (g1_scale rho claim.(batch_opening)) |}.

(** The batch equation under the coefficients ρ_j:
    e(Σ ρ_j (C_j - m_j g1 + ω^{i_j} π_j), g2) = e(Σ ρ_j π_j, [τ]_2). *)
Definition kzg_verify_batch (setup : KzgSetup) (batch : Seq BatchClaim) (coefficients : Seq Scalar) : bool :=
  let sums :=
    fold_left
      (fun sums j => kzg_verify_batch_step sums setup (seq_at batch j) (scalar_at coefficients j))
      (range 0 (seq_length batch))
      empty_sum
  in
  pairings_equal sums.(sum_left) sums.(sum_right) setup.(kzg_key).

(** One step of [`kzg_index_sum`]. *)
Definition kzg_index_sum_step (total : G1) (claim : BatchClaim) (rho : Scalar) (i : usize) : G1 :=
  if claim.(batch_index) =? i then
    g1_add total (g1_scale rho (g1_subtract claim.(batch_commitment) (g1_multiple claim.(batch_scalar))))
  else
    total.

(** Σ ρ_j (C_j - m_j g1) over the claims at index `i`. *)
Definition kzg_index_sum (batch : Seq BatchClaim) (coefficients : Seq Scalar) (i : usize) : G1 :=
  fold_left
    (fun total j => kzg_index_sum_step total (seq_at batch j) (scalar_at coefficients j) i)
    (range 0 (seq_length batch))
    g1_identity.

(** The side of a point's equation that is paired with the generator: the sum over the claims at its
    index, and ω^i times the point. *)
Definition kzg_point_left_side
    (setup : KzgSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (point : AggregatedOpening) : G1 :=
  g1_add
    (kzg_index_sum batch coefficients point.(aggregated_index))
    (g1_scale (scalar_at setup.(kzg_domain) point.(aggregated_index)) point.(aggregated_point)).

(** One step of [`kzg_verify_aggregated`]. *)
Definition kzg_verify_aggregated_step
    (sums : PairingSum)
    (setup : KzgSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (point : AggregatedOpening)
    (gamma : Scalar) : PairingSum :=
  let left' := kzg_point_left_side setup batch coefficients point in
  {| sum_left := g1_add sums.(sum_left) (g1_scale gamma left');
    sum_right := g1_add sums.(sum_right) (g1_scale gamma point.(aggregated_point)) |}.

(** The aggregation equation: `coefficients` are the ρ_j of the first challenge, a claim each;
    `combiners` the γ of the second, drawn after the points were fixed, a point each. *)
Definition kzg_verify_aggregated
    (setup : KzgSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (points : Seq AggregatedOpening)
    (combiners : Seq Scalar) : bool :=
  let sums :=
    fold_left
      (fun sums k =>
        kzg_verify_aggregated_step sums setup batch coefficients (seq_at points k) (scalar_at combiners k))
      (range 0 (seq_length points))
      empty_sum
  in
  aggregation_fits batch points setup.(kzg_size) &&
  pairings_equal sums.(sum_left) sums.(sum_right) setup.(kzg_key).

End Specification.
