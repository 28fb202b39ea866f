(* Translated from spec/src/commitment/libert_yung.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Libert–Yung, the paper's vector commitment, in the exponent.

    The public powers are α^i for i in 1..=2N except N + 1. With i counted from 1 (index p of a
    vector is i = p + 1):

    - the commitment is Σ m_i α^i;
    - the opening at i is Σ_{j≠i} m_j α^{N+1-i+j};
    - it is accepted when (C - m_i α^i) α^{N+1-i} = π, which is e(C - m_i [α^i]_1,
      [α^{N+1-i}]_2) = e(π, g2).

    Source: docs/design.md, section 3. *)
From AardvarkSpec Require Export Prelude Base.Scalar Commitment.Opening.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** The public parameters for vectors of one size. *)
Record LibertYungSetup : Type := {
  (** N, the number of elements of a vector. *)
  libert_yung_size : usize;
  (** α^i at index i, up to 2N; 0 stands at the indices 0 and N + 1, whose powers are not public. *)
  libert_yung_powers : Seq Scalar;
}.

#[global] Instance Default_LibertYungSetup : Default LibertYungSetup := {| libert_yung_size := default; libert_yung_powers := default |}.

(** One step of [`libert_yung_setup`]. *)
Definition libert_yung_setup_step (powers : Seq Scalar) (alpha : Scalar) (n i : usize) : Seq Scalar :=
  if (i =? 0) || (i =? n + 1) then powers ++ [scalar_zero] else powers ++ [scalar_power alpha i].

(** The parameters for vectors of `n` elements, with the trapdoor `alpha`. *)
Definition libert_yung_setup (n : usize) (alpha : Scalar) : LibertYungSetup :=
  let powers :=
    fold_left (fun powers i => libert_yung_setup_step powers alpha n i) (range 0 (2 * n + 1)) []
  in
  {| libert_yung_size := n; libert_yung_powers := powers |}.

(** α^i, where it is public, and 0 elsewhere. *)
Definition libert_yung_power (setup : LibertYungSetup) (i : usize) : Scalar :=
  scalar_at setup.(libert_yung_powers) i.

(** α^{N+1-i+j} for the indices `p` = i - 1 and `q` = j - 1: what element `q` contributes to the
    opening at `p`. It is 0 for p = q. *)
Definition libert_yung_cross_power (setup : LibertYungSetup) (p q : usize) : Scalar :=
  let n := setup.(libert_yung_size) in
  if p <? n then libert_yung_power setup (n - p + q + 1) else scalar_zero.

(** α^{N+1-i}, the exponent in G2 that index `p` = i - 1 is verified against. *)
Definition libert_yung_dual_power (setup : LibertYungSetup) (p : usize) : Scalar :=
  let n := setup.(libert_yung_size) in
  if p <? n then libert_yung_power setup (n - p) else scalar_zero.

(** One step of [`libert_yung_commit`]. *)
Definition libert_yung_commit_step
    (total : Scalar)
    (setup : LibertYungSetup)
    (vector : Seq Scalar)
    (q : usize) : Scalar :=
  total [+] scalar_at vector q [*] libert_yung_power setup (q + 1).

(** The commitment to a vector; elements that it lacks are 0. *)
Definition libert_yung_commit (setup : LibertYungSetup) (vector : Seq Scalar) : Scalar :=
  fold_left
    (fun total q => libert_yung_commit_step total setup vector q)
    (range 0 setup.(libert_yung_size))
    scalar_zero.

(** One step of [`libert_yung_open`]. *)
Definition libert_yung_open_step
    (total : Scalar)
    (setup : LibertYungSetup)
    (vector : Seq Scalar)
    (p q : usize) : Scalar :=
  if p =? q then total else total [+] scalar_at vector q [*] libert_yung_cross_power setup p q.

(** The opening of a vector at index `p`. *)
Definition libert_yung_open (setup : LibertYungSetup) (vector : Seq Scalar) (p : usize) : Scalar :=
  fold_left
    (fun total q => libert_yung_open_step total setup vector p q)
    (range 0 setup.(libert_yung_size))
    scalar_zero.

(** One step of [`libert_yung_open_all`]. *)
Definition libert_yung_open_all_step
    (openings : Seq Scalar)
    (setup : LibertYungSetup)
    (vector : Seq Scalar)
    (p : usize) : Seq Scalar :=
  openings ++ [libert_yung_open setup vector p].

(** The openings of a vector at all indices. *)
Definition libert_yung_open_all (setup : LibertYungSetup) (vector : Seq Scalar) : Seq Scalar :=
  fold_left
    (fun openings p => libert_yung_open_all_step openings setup vector p)
    (range 0 setup.(libert_yung_size))
    [].

(** What the opening at index `p` to the scalar `m` must equal: (C - m α^i) α^{N+1-i}. *)
Definition libert_yung_expected
    (setup : LibertYungSetup)
    (commitment : Scalar)
    (p : usize)
    (m : Scalar) : Scalar :=
  (commitment [-] m [*] libert_yung_power setup (p + 1)) [*] libert_yung_dual_power setup p.

(** Whether the opening shows that the vector under the commitment has the scalar `m` at index `p`. *)
Definition libert_yung_verify
    (setup : LibertYungSetup)
    (commitment : Scalar)
    (p : usize)
    (m opening : Scalar) : bool :=
  (p <? setup.(libert_yung_size)) && (libert_yung_expected setup commitment p m [=?] opening).

(** The commitment after element `q` of the vector grew by `delta`. *)
Definition libert_yung_update_commitment
    (setup : LibertYungSetup)
    (commitment : Scalar)
    (q : usize)
    (delta : Scalar) : Scalar :=
  commitment [+] delta [*] libert_yung_power setup (q + 1).

(** The opening at index `p` after element `q` of the vector grew by `delta`: the same when p = q. *)
Definition libert_yung_update_opening
    (setup : LibertYungSetup)
    (opening : Scalar)
    (p q : usize)
    (delta : Scalar) : Scalar :=
  if p =? q then opening else opening [+] delta [*] libert_yung_cross_power setup p q.

(** One step of [`libert_yung_verify_batch`]. *)
Definition libert_yung_verify_batch_step
    (sums : PairingSum)
    (setup : LibertYungSetup)
    (claim : BatchClaim)
    (rho : Scalar) : PairingSum :=
  let expected :=
    libert_yung_expected setup claim.(batch_commitment) claim.(batch_index) claim.(batch_scalar)
  in
  {| sum_left := sums.(sum_left) [+] rho [*] claim.(batch_opening);
    sum_right := sums.(sum_right) [+] rho [*] expected |}.

(** The batch equation under the coefficients ρ_j:
    Π_i e(Σ_{j at i} ρ_j (C_j - m_j [α^i]_1), [α^{N+1-i}]_2) = e(Σ ρ_j π_j, g2). *)
Definition libert_yung_verify_batch
    (setup : LibertYungSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar) : bool :=
  let sums :=
    fold_left
      (fun sums j => libert_yung_verify_batch_step sums setup (seq_at batch j) (scalar_at coefficients j))
      (range 0 (seq_length batch))
      empty_sum
  in
  sums.(sum_left) [=?] sums.(sum_right).

(** One step of [`libert_yung_index_sum`]. *)
Definition libert_yung_index_sum_step
    (total : Scalar)
    (setup : LibertYungSetup)
    (claim : BatchClaim)
    (rho : Scalar)
    (p : usize) : Scalar :=
  if claim.(batch_index) =? p then
    total [+] rho [*] libert_yung_expected setup claim.(batch_commitment) p claim.(batch_scalar)
  else
    total.

(** Σ ρ_j (C_j - m_j α^i) α^{N+1-i} over the claims at index `p` = i - 1. *)
Definition libert_yung_index_sum
    (setup : LibertYungSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (p : usize) : Scalar :=
  fold_left
    (fun total j => libert_yung_index_sum_step total setup (seq_at batch j) (scalar_at coefficients j) p)
    (range 0 (seq_length batch))
    scalar_zero.

(** One step of [`libert_yung_verify_aggregated`]. *)
Definition libert_yung_verify_aggregated_step
    (sums : PairingSum)
    (setup : LibertYungSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (point : AggregatedOpening)
    (gamma : Scalar) : PairingSum :=
  let expected := libert_yung_index_sum setup batch coefficients point.(aggregated_index) in
  {| sum_left := sums.(sum_left) [+] gamma [*] point.(aggregated_point);
    sum_right := sums.(sum_right) [+] gamma [*] expected |}.

(** The aggregation equation: `coefficients` are the ρ_j of the first challenge, a claim each;
    `combiners` the γ of the second, drawn after the points were fixed, a point each. *)
Definition libert_yung_verify_aggregated
    (setup : LibertYungSetup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (points : Seq AggregatedOpening)
    (combiners : Seq Scalar) : bool :=
  let sums :=
    fold_left
      (fun sums k =>
        libert_yung_verify_aggregated_step
          sums
          setup
          batch
          coefficients
          (seq_at points k)
          (scalar_at combiners k))
      (range 0 (seq_length points))
      empty_sum
  in
  aggregation_fits batch points setup.(libert_yung_size) && (sums.(sum_left) [=?] sums.(sum_right)).

End Specification.
