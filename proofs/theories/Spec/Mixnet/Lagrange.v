(** Decryption by any t servers: their shares of an element, each times its Lagrange coefficient, add up to what the key
    would make of it.

    - [share_of_polynomial]: a server's share is the value of the dealt polynomial at the server's point.
    - [share_weight_at]: the Lagrange coefficient is the value at 0 of a product [weight_at], which is 1 at the server's own
      point and 0 at the others'.
    - [lagrange_correct]: the combination of the shares of enough servers. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.Sharing.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials
  Lemmas.PolynomialRoots Lemmas.ColumnCount Spec.Mixnet.Permutation.
Import ListNotations.
Local Open Scope N_scope.

Section Lagrange.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

(** Distinct servers with distinct points. *)
Definition distinct_servers (servers : list N) : Prop :=
  NoDup servers /\
  forall a b, In a servers -> In b servers -> share_point a = share_point b -> a = b.

Lemma share_of_prefix (f : list Scalar) (server : N) (m : nat) :
  (m <= length f)%nat ->
  fold_left (fun total a => share_of_step total f server a) (range 0 (N.of_nat m)) (scalar_of_N 0)
  = polynomial_at (skipn (length f - m) f) (share_point server).
Proof.
  induction m as [| m IH]; intros L.
  - rewrite Nat.sub_0_r, skipn_all. reflexivity.
  - rewrite Nat2N.inj_succ, <- N.add_1_r, range_last, fold_left_app by lia. simpl fold_left. rewrite IH by lia.
    unfold share_of_step.
    assert (exists x rest, skipn (length f - S m) f = x :: rest /\ rest = skipn (length f - m) f
      /\ scalar_at f (seq_length f - 1 - N.of_nat m) = x) as (x & rest & E & R & A).
    { assert (length f - S m < length f)%nat as B by lia.
      pose proof (firstn_skipn (length f - S m) f) as FS.
      destruct (skipn (length f - S m) f) as [| x rest] eqn:E.
      { pose proof (skipn_length (length f - S m) f) as SL. rewrite E in SL. simpl in SL. lia. }
      exists x, rest. split; [reflexivity |]. split.
      - replace (length f - m)%nat with (1 + (length f - S m))%nat by lia.
        assert (forall (A : Type) (a b : nat) (s : list A), skipn (a + b) s = skipn a (skipn b s)) as SS.
        { intros A0 a b s. revert s. induction b as [| b IHb]; intros s; [now rewrite Nat.add_0_r |].
          rewrite Nat.add_succ_r. destruct s as [| y s]; [now rewrite !skipn_nil |]. simpl. apply IHb. }
        rewrite SS, E. reflexivity.
      - rewrite scalar_at_in by (unfold seq_length; lia). unfold seq_at.
        replace (N.to_nat (seq_length f - 1 - N.of_nat m)) with (length f - S m)%nat by (unfold seq_length; lia).
        transitivity (nth (length f - S m) (firstn (length f - S m) f ++ x :: rest) default);
          [now rewrite FS |].
        rewrite app_nth2 by (rewrite firstn_length; lia).
        rewrite firstn_length, Nat.min_l, Nat.sub_diag by lia. reflexivity. }
    rewrite E, A, R. simpl. ring.
Qed.

Lemma share_of_polynomial (f : list Scalar) (server : N) : share_of f server = polynomial_at f (share_point server).
Proof.
  unfold share_of. cbv zeta. pose proof (share_of_prefix f server (length f) (le_n _)) as E.
  rewrite Nat.sub_diag in E. exact E.
Qed.

(** * Weights *)

Fixpoint weight_at (servers : list N) (server : N) (x : Scalar) : Scalar :=
  match servers with
  | [] => scalar_of_N 1
  | other :: rest =>
      (if other =? server then scalar_of_N 1
       else (share_point other [-] x) [*] scalar_inv (share_point other [-] share_point server))
      [*] weight_at rest server x
  end.

Lemma share_weight_at (servers : list N) (server : N) : share_weight servers server = weight_at servers server (scalar_of_N 0).
Proof.
  unfold share_weight, share_weight_step. rewrite (fold_range_elements (fun weight other =>
    if other =? server then weight
    else weight [*] share_point other [*] scalar_inverse (share_point other [-] share_point server))).
  enough (forall p, fold_left (fun weight other => if other =? server then weight
    else weight [*] share_point other [*] scalar_inverse (share_point other [-] share_point server)) servers p
    = p [*] weight_at servers server (scalar_of_N 0)) as E by (rewrite E; unfold scalar_one; ring).
  induction servers as [| other rest IH]; intros p; simpl; [ring |]. rewrite IH. unfold scalar_inverse.
  destruct (other =? server); ring.
Qed.

Lemma weight_at_own (servers : list N) (server : N) :
  (forall a, In a servers -> share_point a = share_point server -> a = server) ->
  weight_at servers server (share_point server) = scalar_of_N 1.
Proof.
  induction servers as [| other rest IH]; intros D; simpl; [reflexivity |].
  rewrite IH by (intros a I; apply D; now right). destruct (N.eqb_spec other server) as [-> | N]; [ring |].
  field. apply scalar_sub_nonzero. intros E. apply N. apply D; [now left | exact E].
Qed.

Lemma weight_at_other (servers : list N) (server other : N) :
  In other servers -> other <> server -> weight_at servers server (share_point other) = scalar_of_N 0.
Proof.
  induction servers as [| first rest IH]; intros I N; simpl; [contradiction |].
  destruct I as [-> | I].
  - destruct (N.eqb_spec other server); [contradiction | ring].
  - rewrite IH by assumption. ring.
Qed.

Lemma weight_poly (servers : list N) (server : N) :
  is_poly (S (length (filter (fun other => negb (other =? server)) servers))) (weight_at servers server).
Proof.
  induction servers as [| other rest IH]; simpl; [apply poly_constant |].
  destruct (other =? server); simpl.
  - apply (poly_ext _ (weight_at rest server)); [intros x; ring | exact IH].
  - apply (poly_ext _ (fun x => ((scalar_of_N 0 [-] scalar_of_N 1) [*] scalar_inv (share_point other [-] share_point server))
      [*] ((x [-] share_point other) [*] weight_at rest server x))); [intros x; ring |].
    apply poly_scale. now apply poly_linear.
Qed.

Lemma weight_poly_short (servers : list N) (server : N) :
  In server servers -> is_poly (length servers) (weight_at servers server).
Proof.
  intros I. apply (poly_more (S (length (filter (fun other => negb (other =? server)) servers)))); [| apply weight_poly].
  induction servers as [| other rest IH]; [contradiction |]. simpl. destruct (N.eqb_spec other server) as [-> | N]; simpl.
  - apply le_n_S. clear. induction rest as [| o rest IH]; simpl; [lia |]. destruct (negb (o =? server)); simpl; lia.
  - destruct I as [E | I]; [contradiction |]. specialize (IH I). lia.
Qed.

(** * The combination *)

Lemma sum_elements {A : Type} `{Default A} (h : A -> Scalar) (s : list A) :
  sum (fun i => h (seq_at s i)) (seq_length s) = list_total (map h s).
Proof.
  unfold sum. rewrite (fold_range_elements (fun total a => total [+] h a)).
  enough (forall t, fold_left (fun total a => total [+] h a) s t = t [+] list_total (map h s)) as E by (rewrite E; ring).
  induction s as [| a s IH]; intros t; simpl; [ring |]. rewrite IH. ring.
Qed.

Lemma list_total_ext {A : Type} (f g : A -> Scalar) (s : list A) :
  (forall a, In a s -> f a = g a) -> list_total (map f s) = list_total (map g s).
Proof.
  induction s as [| a s IH]; intros E; simpl; [reflexivity |]. rewrite (E a) by now left.
  f_equal. apply IH. intros b I. apply E. now right.
Qed.

Lemma list_total_one (s : list N) (m : N) (f : N -> Scalar) :
  NoDup s -> In m s -> (forall a, In a s -> a <> m -> f a = scalar_of_N 0) -> list_total (map f s) = f m.
Proof.
  induction s as [| a s IH]; intros D I Z; [contradiction |]. inversion D as [| ? ? N D']; subst. simpl.
  destruct (N.eq_dec a m) as [-> | NE].
  - rewrite (list_total_ext f (fun _ => scalar_of_N 0)).
    + enough (list_total (map (fun _ : BinNums.N => scalar_of_N 0) s) = scalar_of_N 0) as -> by ring.
      clear - lawful. induction s as [| a s IH]; simpl; [reflexivity | rewrite IH; ring].
    + intros a Ia. apply Z; [now right |]. intros ->. contradiction.
  - rewrite (Z a (or_introl eq_refl) NE). rewrite IH; [ring | exact D' | now destruct I |].
    intros b Ib. apply Z. now right.
Qed.

Lemma list_total_poly (servers : list N) (c : N -> Scalar) (w : N -> Scalar -> Scalar) (m : nat) :
  (forall a, In a servers -> is_poly m (w a)) -> is_poly m (fun x => list_total (map (fun a => c a [*] w a x) servers)).
Proof.
  induction servers as [| a servers IH]; intros P; simpl.
  - exists []. split; [simpl; lia | reflexivity].
  - apply poly_add; [apply poly_scale, P; now left |]. apply IH. intros b I. apply P. now right.
Qed.

Lemma lagrange_at_zero (f : list Scalar) (servers : list N) :
  distinct_servers servers -> (length f <= length servers)%nat ->
  list_total (map (fun k => share_of f k [*] share_weight servers k) servers) = scalar_at f 0.
Proof.
  intros (D & Inj) L.
  set (interpolated := fun x => list_total (map (fun k => share_of f k [*] weight_at servers k x) servers)).
  assert (is_poly (length servers) (fun x => polynomial_at f x [-] interpolated x)) as (p & Lp & P).
  { apply poly_sub; [now apply poly_of |]. apply list_total_poly. intros a I. now apply weight_poly_short. }
  assert (forall m, In m servers -> polynomial_at p (share_point m) = scalar_of_N 0) as Roots.
  { intros m I. rewrite P. unfold interpolated. rewrite (list_total_one servers m _ D I).
    - rewrite weight_at_own by (intros a Ia E; now apply Inj). rewrite <- share_of_polynomial. ring.
    - intros a Ia N. rewrite weight_at_other by (try assumption; congruence). ring. }
  assert (polynomial_at p (scalar_of_N 0) = scalar_of_N 0) as Zero.
  { destruct (scalar_eq_dec (polynomial_at p (scalar_of_N 0)) (scalar_of_N 0)) as [Z | Z]; [exact Z | exfalso].
    assert (NoDup (map share_point servers)) as DP by (apply nodup_map_in; assumption).
    pose proof (few_roots p (map share_point servers) (scalar_of_N 0) DP Z) as Few.
    rewrite filter_all, map_length in Few.
    - destruct p as [| c p]; [now apply Z | simpl in *; lia].
    - intros x I. apply in_map_iff in I as (m & <- & I). apply scalar_eqb_iff. now apply Roots. }
  rewrite P in Zero. apply (proj1 (scalar_sub_zero _ _)) in Zero. unfold interpolated in Zero.
  rewrite (list_total_ext _ (fun k => share_of f k [*] weight_at servers k (scalar_of_N 0)))
    by (intros a _; now rewrite share_weight_at).
  rewrite <- Zero. destruct f as [| c f]; [reflexivity |]. simpl. rewrite scalar_at_in, seq_at_zero by (rewrite seq_length_cons; lia).
  ring.
Qed.

Theorem lagrange_correct (coefficients : list Scalar) (servers : list N) (element : G1) :
  distinct_servers servers -> (length coefficients <= length servers)%nat ->
  share_combine servers (map (fun k => g1_scale (share_of coefficients k) element) servers)
  = g1_scale (scalar_at coefficients 0) element.
Proof.
  intros D L. apply g1_ext. group_exponents. rewrite <- (lagrange_at_zero coefficients servers D L).
  set (shares := map _ servers).
  assert (share_combine servers shares = g1_total (fun i => g1_scale (share_weight servers (seq_at servers i)) (g1_at shares i))
    (seq_length servers)) as -> by reflexivity.
  rewrite g1_total_exponent. rewrite (sum_ext _ (fun i => g1_exponent element [*]
    (fun k => share_of coefficients k [*] share_weight servers k) (seq_at servers i))).
  - rewrite sum_scale, (sum_elements (fun k => share_of coefficients k [*] share_weight servers k)). ring.
  - intros i Li. unfold shares. rewrite g1_at_in by (rewrite seq_length_map; exact Li). unfold seq_at at 2.
    rewrite (nth_indep _ _ (g1_scale (share_of coefficients default) element))
      by (rewrite map_length; unfold seq_length in Li; lia).
    rewrite (map_nth (fun k => g1_scale (share_of coefficients k) element)). group_exponents.
    fold (seq_at servers i). ring.
Qed.

End Lagrange.
