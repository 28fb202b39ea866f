(* Translated from spec/src/commitment/kzg.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** KZG on roots of unity, in the exponent.

    A vector m of N scalars is the polynomial p with p(ω^i) = m_i, where ω = 7^((r-1)/N), indices in
    natural order. With the trapdoor τ and the Lagrange polynomials L_i of the domain:

    - the commitment is p(τ) = Σ m_i L_i(τ);
    - the opening at i is (p(τ) - m_i) / (τ - ω^i);
    - it is accepted when C - m_i + ω^i π = π τ, which is e(C - m_i g1 + ω^i π, g2) = e(π, [τ]_2).

    The formulas for updates use public points only: with A(X) = X^N - 1, a_k = A(τ)/(τ - ω^k),
    c_j = 1/A'(ω^j) = ω^j / N and u_i = (L_i(τ) - 1)/(τ - ω^i). Source: docs/design.md, section 3. *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Scalar Commitment.Opening.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** The public parameters for vectors of one size, and the trapdoor that made them. *)
Record KzgSetup : Type := {
  (** N, the number of elements of a vector: a power of two of at most 4096. *)
  kzg_size : usize;
  (** τ, the exponent of the one power in G2; it must not be an N-th root of unity. *)
  kzg_tau : Scalar;
  (** ω^k. *)
  kzg_domain : Seq Scalar;
  (** 1 / (τ - ω^k). *)
  kzg_inverses : Seq Scalar;
  (** L_k(τ). *)
  kzg_lagrange : Seq Scalar;
}.

#[global] Instance Default_KzgSetup : Default KzgSetup := {| kzg_size := default; kzg_tau := default; kzg_domain := default; kzg_inverses := default; kzg_lagrange := default |}.

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

(** The parameters for vectors of `n` elements, with the trapdoor `tau`. *)
Definition kzg_setup (n : usize) (tau : Scalar) : KzgSetup :=
  let domain := kzg_domain_of n in
  let inverses := kzg_inverses_of domain tau in
  let lagrange := kzg_lagrange_of domain inverses tau in
  {| kzg_size := n;
    kzg_tau := tau;
    kzg_domain := domain;
    kzg_inverses := inverses;
    kzg_lagrange := lagrange |}.

(** The commitment to a vector; elements that it lacks are 0. *)
Definition kzg_commit (setup : KzgSetup) (vector : Seq Scalar) : Scalar :=
  inner_product setup.(kzg_lagrange) vector.

(** The opening of index `i` to the scalar `m`, of a vector whose commitment is known. *)
Definition kzg_open_commitment (setup : KzgSetup) (commitment : Scalar) (i : usize) (m : Scalar) : Scalar :=
  (commitment [-] m) [*] scalar_at setup.(kzg_inverses) i.

(** The opening of a vector at index `i`. *)
Definition kzg_open (setup : KzgSetup) (vector : Seq Scalar) (i : usize) : Scalar :=
  kzg_open_commitment setup (kzg_commit setup vector) i (scalar_at vector i).

(** One step of [`kzg_open_all`]. *)
Definition kzg_open_all_step
    (openings : Seq Scalar)
    (setup : KzgSetup)
    (vector : Seq Scalar)
    (commitment : Scalar)
    (i : usize) : Seq Scalar :=
  openings ++ [kzg_open_commitment setup commitment i (scalar_at vector i)].

(** The openings of a vector at all indices. *)
Definition kzg_open_all (setup : KzgSetup) (vector : Seq Scalar) : Seq Scalar :=
  let commitment := kzg_commit setup vector in
  fold_left
    (fun openings i => kzg_open_all_step openings setup vector commitment i)
    (range 0 setup.(kzg_size))
    [].

(** Whether the opening shows that the vector under the commitment has the scalar `m` at index `i`. *)
Definition kzg_verify (setup : KzgSetup) (commitment : Scalar) (i : usize) (m opening : Scalar) : bool :=
  (i <? setup.(kzg_size)) &&
  (commitment [-] m [+] scalar_at setup.(kzg_domain) i [*] opening [=?] opening [*] setup.(kzg_tau)).

(** The commitment after element `j` of the vector grew by `delta`. *)
Definition kzg_update_commitment
    (setup : KzgSetup)
    (commitment : Scalar)
    (j : usize)
    (delta : Scalar) : Scalar :=
  commitment [+] delta [*] scalar_at setup.(kzg_lagrange) j.

(** a_k = A(τ) / (τ - ω^k). *)
Definition kzg_a (setup : KzgSetup) (k : usize) : Scalar :=
  kzg_vanishing setup.(kzg_tau) setup.(kzg_size) [*] scalar_at setup.(kzg_inverses) k.

(** c_j = 1 / A'(ω^j) = ω^j / N. *)
Definition kzg_c (setup : KzgSetup) (j : usize) : Scalar :=
  scalar_at setup.(kzg_domain) j [*] scalar_inverse (kzg_size_scalar setup.(kzg_size)).

(** u_i = (L_i(τ) - 1) / (τ - ω^i). *)
Definition kzg_u (setup : KzgSetup) (i : usize) : Scalar :=
  (scalar_at setup.(kzg_lagrange) i [-] scalar_one) [*] scalar_at setup.(kzg_inverses) i.

(** The opening at index `i` after element `j` of the vector grew by `delta`. *)
Definition kzg_update_opening (setup : KzgSetup) (opening : Scalar) (i j : usize) (delta : Scalar) : Scalar :=
  if i =? j then
    opening [+] delta [*] kzg_u setup i
  else
    let distance := scalar_at setup.(kzg_domain) j [-] scalar_at setup.(kzg_domain) i in
    let factor := delta [*] kzg_c setup j [*] scalar_inverse distance in
    opening [+] factor [*] (kzg_a setup j [-] kzg_a setup i).

(** One step of [`kzg_verify_batch`]. *)
Definition kzg_verify_batch_step
    (sums : PairingSum)
    (setup : KzgSetup)
    (claim : BatchClaim)
    (rho : Scalar) : PairingSum :=
  let omega_i := scalar_at setup.(kzg_domain) claim.(batch_index) in
  let left' := claim.(batch_commitment) [-] claim.(batch_scalar) [+] omega_i [*] claim.(batch_opening) in
  {| sum_left := sums.(sum_left) [+] rho [*] left';
    sum_right := sums.(sum_right) [+] rho [*] claim.(batch_opening) |}.

(** The batch equation under the coefficients ρ_j:
    e(Σ ρ_j (C_j - m_j g1 + ω^{i_j} π_j), g2) = e(Σ ρ_j π_j, [τ]_2). *)
Definition kzg_verify_batch (setup : KzgSetup) (batch : Seq BatchClaim) (coefficients : Seq Scalar) : bool :=
  let sums :=
    fold_left
      (fun sums j => kzg_verify_batch_step sums setup (seq_at batch j) (scalar_at coefficients j))
      (range 0 (seq_length batch))
      empty_sum
  in
  sums.(sum_left) [=?] sums.(sum_right) [*] setup.(kzg_tau).

(** One step of [`kzg_index_sum`]. *)
Definition kzg_index_sum_step (total : Scalar) (claim : BatchClaim) (rho : Scalar) (i : usize) : Scalar :=
  if claim.(batch_index) =? i then
    total [+] rho [*] (claim.(batch_commitment) [-] claim.(batch_scalar))
  else
    total.

(** Σ ρ_j (C_j - m_j) over the claims at index `i`. *)
Definition kzg_index_sum (batch : Seq BatchClaim) (coefficients : Seq Scalar) (i : usize) : Scalar :=
  fold_left
    (fun total j => kzg_index_sum_step total (seq_at batch j) (scalar_at coefficients j) i)
    (range 0 (seq_length batch))
    scalar_zero.

(** One step of [`kzg_verify_aggregated`]. *)
Definition kzg_verify_aggregated_step
    (sums : PairingSum)
    (setup : KzgSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (point : AggregatedOpening)
    (gamma : Scalar) : PairingSum :=
  let omega_i := scalar_at setup.(kzg_domain) point.(aggregated_index) in
  let left' :=
    kzg_index_sum batch coefficients point.(aggregated_index) [+] omega_i [*] point.(aggregated_point)
  in
  {| sum_left := sums.(sum_left) [+] gamma [*] left';
    sum_right := sums.(sum_right) [+] gamma [*] point.(aggregated_point) |}.

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
  (sums.(sum_left) [=?] sums.(sum_right) [*] setup.(kzg_tau)).

End Specification.
