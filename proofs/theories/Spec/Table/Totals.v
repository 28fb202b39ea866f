(** The totals of an answer, as the verifier reads and bounds them, and the groups of runs that they are of.

    - [scalar_of_total_number]: the scalar of a total's 32 bytes is that of the number that they write;
    - [total_in_bounds_number]: a total within its bounds is at most n cap^p;
    - [group_totals_exact]: the groups are those of the runs' keys, ascending; each has the rows of its runs, and the sums of their
      commitments;
    - [claims_of_totals_map]: the claims of stated totals, one by one. *)
From Coq Require Import NArith List Bool Sorted Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.FoldedOpening Table.RunRecord
  Table.TableKey Table.Totals.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.Readers Safety.BoundsSafe Spec.Base.Bytes Lemmas.Field Spec.Base.Group
  Spec.Table.TableKey Spec.Table.KeyBox.
From Aardvark Require Lemmas.Sequences Lemmas.ChallengeSpace.
Import ListNotations.
Local Open Scope N_scope.

(** ** Numbers of many bytes *)

Lemma number_app : forall a b, number_of_bytes (a ++ b) = number_of_bytes a * 256 ^ seq_length b + number_of_bytes b.
Proof. intros. rewrite !number_of_bytes_fold, fold_left_app, number_fold_start. reflexivity. Qed.

Lemma number_zeros : forall n, number_of_bytes (seq_new n : list N) = 0.
Proof.
  intros. rewrite number_of_bytes_fold. unfold seq_new. induction (N.to_nat n) as [|m IH]; [reflexivity|]. cbn [repeat fold_left]. exact IH.
Qed.

Lemma number_below : forall s, of_bytes s -> number_of_bytes s < 256 ^ seq_length s.
Proof. exact ChallengeSpace.number_of_bytes_below. Qed.

Lemma skipn_front : forall (s : list N) m, (m < length s)%nat -> skipn m s = nth m s default :: skipn (S m) s.
Proof.
  induction s as [|x s IH]; intros m L; [inversion L|]. destruct m; [reflexivity|]. cbn [skipn nth]. apply IH. cbn in L. lia.
Qed.

(** The last bytes of a string. *)
Definition last_bytes (s : ByteString) (i : N) : ByteString := skipn (N.to_nat (seq_length s - i)) s.

Lemma bytes_multiplied_number : forall digits factor, of_bytes digits -> number_of_bytes digits * factor < 256 ^ seq_length digits ->
  of_bytes (bytes_multiplied digits factor) /\ seq_length (bytes_multiplied digits factor) = seq_length digits /\
  number_of_bytes (bytes_multiplied digits factor) = number_of_bytes digits * factor.
Proof.
  intros digits factor O small. unfold bytes_multiplied. set (product := fold_left _ _ _).
  assert (H : of_bytes (product_written product) /\ seq_length (product_written product) = seq_length digits /\
    number_of_bytes (product_written product) + product_carry product * 256 ^ seq_length digits
    = number_of_bytes (last_bytes digits (seq_length digits)) * factor).
  { apply (loop_invariant _ (fun i product => of_bytes (product_written product) /\ seq_length (product_written product) = i /\
      number_of_bytes (product_written product) + product_carry product * 256 ^ i = number_of_bytes (last_bytes digits i) * factor)).
    - lia.
    - cbn [product_written product_carry]. split; [constructor|]. split; [reflexivity|]. unfold last_bytes.
      rewrite N.sub_0_r. unfold seq_length. rewrite Nnat.Nat2N.id, skipn_all. reflexivity.
    - intros i [carry written] Hi (Ow & Lw & E). cbn [product_written product_carry] in *. unfold bytes_multiplied_step.
      rewrite (proj2 (N.ltb_lt i (seq_length digits))) by lia. cbv zeta. cbn [product_written product_carry].
      set (d := seq_at digits (seq_length digits - i - 1)).
      assert (T : last_bytes digits (i + 1) = d :: last_bytes digits i).
      { unfold last_bytes. rewrite skipn_front by (unfold seq_length in *; lia). f_equal.
        - unfold d, seq_at. f_equal. lia.
        - f_equal. lia. }
      unfold u128_of_u8, u128_of_u64, single_byte, u8_of_u128. cbn [app]. change (2 ^ 8) with 256. rewrite !N.mod_mod by lia.
      set (t := d * factor + carry). split; [constructor; [apply N.mod_lt; lia|exact Ow]|]. split; [rewrite seq_length_cons; lia|].
      rewrite T. assert (front : forall z s, number_of_bytes (z :: s) = z * 256 ^ seq_length s + number_of_bytes s).
      { intros z s. rewrite !number_of_bytes_fold. cbn [fold_left]. rewrite number_fold_start. reflexivity. }
      rewrite !front, Lw. assert (Lt : seq_length (last_bytes digits i) = i).
      { unfold last_bytes. unfold seq_length at 1. rewrite skipn_length. unfold seq_length in *. lia. }
      rewrite Lt, N.pow_add_r. change (256 ^ 1) with 256. pose proof (N.div_mod t 256 ltac:(lia)) as D.
      rewrite N.mul_add_distr_r, <- E. transitivity ((256 * (t / 256) + t mod 256) * 256 ^ i + number_of_bytes written); [ring|].
      rewrite <- D. unfold t. ring. }
  clearbody product. destruct H as (Ow & Lw & E). split; [exact Ow|]. split; [exact Lw|].
  unfold last_bytes in E. rewrite N.sub_diag in E. cbn [N.to_nat skipn] in E.
  destruct (N.eq_dec (product_carry product) 0) as [Z|P]; [rewrite Z in E; lia|]. nia.
Qed.

(** Rows and caps as tables have them: no product of these needs more than 32 bytes. *)
Lemma power_bounded : forall rows cap power, rows < 2 ^ 40 -> cap < 2 ^ 64 -> power <= 3 -> rows * cap ^ power < 2 ^ 232.
Proof.
  intros rows cap power R C P. assert (cap ^ power <= (2 ^ 64) ^ 3).
  { transitivity ((2 ^ 64) ^ power); [apply N.pow_le_mono_l; lia|apply N.pow_le_mono_r; [discriminate|exact P]]. }
  change (2 ^ 232) with (2 ^ 40 * (2 ^ 64) ^ 3). assert (0 < (2 ^ 64) ^ 3) by reflexivity. nia.
Qed.

Lemma greatest_total_number : forall rows cap power, rows < 2 ^ 40 -> cap < 2 ^ 64 -> power <= 3 ->
  of_bytes (greatest_total rows cap power) /\ seq_length (greatest_total rows cap power) = 32 /\
  number_of_bytes (greatest_total rows cap power) = rows * cap ^ power.
Proof.
  intros rows cap power R C. unfold greatest_total. induction power as [|power IH] using N.peano_ind; intros P.
  - cbn [range N.to_nat seq map fold_left PeanoNat.Nat.sub]. unfold u64_bytes, u128_of_usize.
    split; [apply of_bytes_app; split; [apply zeros_bytes|apply big_endian_bytes]|].
    split; [rewrite seq_length_app, seq_length_zeros, big_endian_length; reflexivity|].
    rewrite number_app, number_zeros, number_of_big_endian by (change (256 ^ 8) with (2 ^ 64); lia). cbn [N.pow]. lia.
  - rewrite <- N.add_1_r, range_snoc, fold_left_app by lia. cbn [fold_left]. destruct (IH ltac:(lia)) as (O & L & E).
    pose proof (power_bounded rows cap (power + 1) R C ltac:(lia)) as B. rewrite N.pow_add_r, N.pow_1_r, N.mul_assoc, <- E in B.
    unfold greatest_total_step. destruct (bytes_multiplied_number _ cap O) as (O' & L' & E').
    + rewrite L. change (256 ^ 32) with (2 ^ 256). eapply N.lt_trans; [exact B|reflexivity].
    + split; [exact O'|]. split; [etransitivity; [exact L'|exact L]|]. etransitivity; [exact E'|]. rewrite E, N.pow_add_r, N.pow_1_r. ring.
Qed.

Theorem total_in_bounds_number : forall total rows cap power, of_bytes total -> rows < 2 ^ 40 -> cap < 2 ^ 64 -> power <= 3 ->
  total_in_bounds total rows cap power = true -> seq_length total = 32 /\ number_of_bytes total <= rows * cap ^ power.
Proof.
  intros total rows cap power O R C P H. unfold total_in_bounds in H. apply andb_true_iff in H. destruct H as [L B].
  apply N.eqb_eq in L. split; [exact L|]. apply bytes_at_most_iff in B. destruct (greatest_total_number rows cap power R C P) as (Og & Lg & E).
  rewrite <- E. apply N.nlt_ge. intros G. apply B. unfold blt. rewrite bytes_less_is_lex. apply lex_of_numbers; (assumption || congruence).
Qed.

Section Totals.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

Theorem scalar_of_total_number : forall total, seq_length total = 32 -> scalar_of_total total = scalar_of_N (number_of_bytes total).
Proof.
  intros total L. destruct (split_at _ total 16 ltac:(lia)) as (a & b & -> & La). rewrite seq_length_app in L. unfold scalar_of_total, scalar_of_wide_bytes.
  cbv zeta. set (zeros := seq_new 16 : list N). assert (Lz : seq_length zeros = 16) by (unfold zeros; apply seq_length_zeros).
  assert (Lb : seq_length b = 16) by lia.
  pose proof (slice_front _ zeros (a ++ b)) as S1. pose proof (slice_middle _ zeros a b) as S2. pose proof (slice_back _ (zeros ++ a) b) as S3.
  rewrite seq_length_app, <- app_assoc, Lz, La, Lb in S3. rewrite Lz in S1. rewrite Lz, La in S2. change (16 + 16) with 32 in S3. rewrite S1, S2, S3.
  unfold zeros. rewrite number_zeros, number_app, Lb. change (256 ^ 16) with (18446744073709551616 * 18446744073709551616).
  rewrite scalar_of_N_add, !scalar_of_N_mul. unfold scalar_of_number. ring.
Qed.

(** ** Groups *)

Variables (widths columns : list N).

(** The group that a run belongs to, and its members among runs. *)
Definition group_of (run : BoxRun) : ByteString := group_key_of (place_columns (run_place run)) widths columns.
Definition members (of_group : ByteString) (runs : list BoxRun) : list BoxRun := filter (fun run => bytes_equal (group_of run) of_group) runs.

(** How many rows runs have by their records, and the sum of their commitments to sums of the powers [i + 1]. *)
Definition record_of (run : BoxRun) : RunRecord := head_record (run_head run).
Definition rows_recorded (runs : list BoxRun) : N := fold_right (fun run total => record_rows (record_of run) + total) 0 runs.
Definition sums_recorded (i : N) (runs : list BoxRun) : Scalar :=
  fold_right (fun run total => g1_exponent (held_element (seq_at (record_sums (record_of run)) i)) [+] total) (scalar_of_N 0) runs.

Definition group_exact (moments : N) (runs : list BoxRun) (group : GroupTotals) : Prop :=
  members (group_key group) runs <> [] /\ group_rows group = rows_recorded (members (group_key group) runs) /\
  seq_length (group_sums group) = moments /\
  forall i, i < moments -> g1_exponent (g1_at (group_sums group) i) = sums_recorded i (members (group_key group) runs).

Definition groups_exact (moments : N) (runs : list BoxRun) (groups : list GroupTotals) : Prop :=
  StronglySorted (fun g h => blt (group_key g) (group_key h)) groups /\ Forall (group_exact moments runs) groups /\
  forall run, In run runs -> exists group, In group groups /\ group_key group = group_of run.

Lemma rows_recorded_cons : forall r a, rows_recorded (r :: a) = record_rows (record_of r) + rows_recorded a.
Proof. reflexivity. Qed.

Lemma sums_recorded_cons : forall i r a, sums_recorded i (r :: a) = g1_exponent (held_element (seq_at (record_sums (record_of r)) i)) [+] sums_recorded i a.
Proof. reflexivity. Qed.

Lemma rows_recorded_app : forall a b, rows_recorded (a ++ b) = rows_recorded a + rows_recorded b.
Proof. induction a as [|r a IH]; intros b; [reflexivity|]. cbn [app]. rewrite !rows_recorded_cons, IH. lia. Qed.

Lemma sums_recorded_app : forall i a b, sums_recorded i (a ++ b) = sums_recorded i a [+] sums_recorded i b.
Proof.
  intros i. induction a as [|r a IH]; intros b.
  - cbn [app]. change (sums_recorded i []) with (scalar_of_N 0). ring.
  - cbn [app]. rewrite !sums_recorded_cons, IH. ring.
Qed.

Lemma members_last : forall k runs run, members k (runs ++ [run]) = members k runs ++ (if bytes_equal (group_of run) k then [run] else []).
Proof. intros. unfold members. rewrite filter_app. cbn [filter]. destruct (bytes_equal _ _); reflexivity. Qed.

Lemma sums_with_record_map : forall before record, sums_with_record before record
  = map (fun i => g1_add (g1_at before i) (held_element (seq_at (record_sums record) i))) (range 0 (seq_length (record_sums record))).
Proof.
  intros. unfold sums_with_record, sums_with_record_step.
  exact (Sequences.fold_range_append (fun i => g1_add (g1_at before i) (held_element (seq_at (record_sums record) i))) 0 _ []).
Qed.

Lemma fresh_member_group : forall moments runs run group, seq_length (record_sums (record_of run)) = moments ->
  (forall i, i < moments -> g1_exponent (g1_at (group_sums group) i) = sums_recorded i (members (group_key group) runs)) ->
  group_rows group = rows_recorded (members (group_key group) runs) -> group_key group = group_of run ->
  group_exact moments (runs ++ [run]) (group_with_run group run).
Proof.
  intros moments runs run group M S R K. unfold group_exact, group_with_run. cbn [group_key group_rows group_sums].
  rewrite members_last, K, bytes_equal_refl, rows_recorded_app, <- K, R. split; [intros E; now apply app_eq_nil in E as [_ E]|].
  split; [cbn [rows_recorded fold_right]; unfold record_of; lia|]. rewrite sums_with_record_map.
  fold (record_of run). rewrite M. split; [rewrite Sequences.seq_length_map; apply Sequences.seq_length_range|].
  intros i I. rewrite g1_at_map by exact I. rewrite sums_recorded_app, <- S by exact I. cbn [sums_recorded fold_right]. group_exponents. ring.
Qed.

Lemma other_group : forall moments runs run group, group_key group <> group_of run -> group_exact moments runs group ->
  group_exact moments (runs ++ [run]) group.
Proof.
  intros moments runs run group D. unfold group_exact. rewrite members_last.
  destruct (bytes_equal (group_of run) (group_key group)) eqn:E; [apply bytes_equal_iff in E; congruence|]. now rewrite app_nil_r.
Qed.

Lemma no_members : forall k runs, (forall run, In run runs -> group_of run <> k) -> members k runs = [].
Proof.
  intros k runs D. unfold members. induction runs as [|r runs IH]; [reflexivity|]. cbn [filter].
  destruct (bytes_equal (group_of r) k) eqn:E; [apply bytes_equal_iff in E; destruct (D r (or_introl eq_refl) E)|]. apply IH.
  intros run I. apply D. now right.
Qed.

(** Where a key stands among groups in ascending order. *)
Lemma groups_split : forall groups k, StronglySorted (fun g h => blt (group_key g) (group_key h)) groups ->
  exists before after, groups = before ++ after /\ groups_below groups k = seq_length before /\
    (forall g, In g before -> blt (group_key g) k) /\ (forall g, In g after -> ~ blt (group_key g) k).
Proof.
  intros groups k S. unfold groups_below. rewrite (loop_over_elements _ _ _ (fun count group => groups_below_step count group k)).
  enough (G : forall start, exists before after, groups = before ++ after /\
    fold_left (fun count group => groups_below_step count group k) groups start = start + seq_length before /\
    (forall g, In g before -> blt (group_key g) k) /\ (forall g, In g after -> ~ blt (group_key g) k)) by apply (G 0).
  induction S as [|g groups S IH A]; intros start; [exists [], []; repeat split; [rewrite seq_length_nil; cbn; lia| |]; intros ? []|].
  rewrite Forall_forall in A. cbn [fold_left]. unfold groups_below_step at 2. destruct (bytes_less (group_key g) k) eqn:B.
  - destruct (IH (start + 1)) as (before & after & -> & E & P & Q). exists (g :: before), after. rewrite E, seq_length_cons.
    split; [reflexivity|]. split; [lia|]. split; [|exact Q]. intros h [<-|H]; [exact B|auto].
  - apply bytes_less_false in B. exists [], (g :: groups). split; [reflexivity|].
    assert (above : forall h, In h (g :: groups) -> ~ blt (group_key h) k).
    { intros h [<-|H] C; [exact (B C)|]. apply B. eapply blt_transitive; [apply A; exact H|exact C]. }
    split; [|split; [intros ? []|exact above]]. rewrite seq_length_nil, N.add_0_r.
    assert (zero : forall l count, (forall h, In h l -> ~ blt (group_key h) k) -> fold_left (fun count group => groups_below_step count group k) l count = count).
    { induction l as [|h l IHl]; intros count H; [reflexivity|]. cbn [fold_left]. unfold groups_below_step at 2.
      replace (bytes_less (group_key h) k) with false by (symmetry; apply bytes_less_false, H; left; reflexivity).
      apply IHl. intros h' I. apply H. now right. }
    apply zero. intros h H. apply above. now right.
Qed.

Theorem group_totals_exact : forall moments runs, Forall (fun run => seq_length (record_sums (record_of run)) = moments) runs ->
  groups_exact moments runs (group_totals runs widths columns).
Proof.
  intros moments runs M. unfold group_totals. rewrite (loop_over_elements _ _ _ (fun found run => group_totals_step found widths columns run)).
  induction runs as [|run runs IH] using rev_ind.
  { cbn [fold_left]. split; [constructor|]. split; [constructor|]. intros run []. }
  apply Forall_app in M. destruct M as [M Mr]. inversion Mr as [|? ? Mrun _]; subst. specialize (IH M). rewrite fold_left_app. cbn [fold_left].
  set (found := fold_left _ runs []) in *. clearbody found. destruct IH as (S & G & C). unfold group_totals_step. fold (group_of run).
  set (k := group_of run) in *. destruct (groups_split found k S) as (before & after & -> & P & B & A). unfold groups_with_run.
  rewrite P, slice_front. rewrite Forall_forall in G.
  assert (old : forall l, (forall g, In g l -> In g (before ++ after)) -> (forall g, In g l -> group_key g <> k) ->
    Forall (group_exact (seq_length (record_sums (record_of run))) (runs ++ [run])) l).
  { intros l I D. apply Forall_forall. intros g Ig. apply other_group; [now apply D|]. apply G, I, Ig. }
  assert (below : forall g, In g before -> group_key g <> k) by (intros g I; apply blt_not_equal; auto).
  assert (Sb : forall g after', (forall h, In h after' -> In h after) -> StronglySorted (fun g h => blt (group_key g) (group_key h)) after' ->
    group_key g = k -> (forall h, In h after' -> blt k (group_key h)) ->
    StronglySorted (fun g h => blt (group_key g) (group_key h)) (before ++ g :: after')).
  { intros g after' I Sa K H. clear - S B I Sa K H. induction before as [|b before IHb]; cbn [app].
    - constructor; [exact Sa|]. apply Forall_forall. intros h Hh. rewrite K. auto.
    - cbn in S. inversion S as [|? ? S' F']; subst. rewrite Forall_forall in F'. constructor.
      + apply IHb; [exact S'|]. intros h Hh. apply B. now right.
      + apply Forall_forall. intros h Hh. apply in_app_iff in Hh. destruct Hh as [Hh|[<-|Hh]].
        * apply F', in_app_iff. now left.
        * rewrite K. apply B. now left.
        * apply F', in_app_iff. right. auto. }
  assert (Sa : StronglySorted (fun g h => blt (group_key g) (group_key h)) after).
  { clear - S. induction before as [|b before IHb]; [exact S|]. cbn in S. inversion S. auto. }
  set (fresh := {| group_key := k; group_rows := 0; group_sums := [] |}).
  assert (new : (forall g, In g after -> group_key g <> k) -> group_exact (seq_length (record_sums (record_of run))) (runs ++ [run]) (group_with_run fresh run)).
  { intros D. assert (none : members k runs = []).
    { apply no_members. intros r I E. destruct (C r I) as (g & Ig & Kg). apply in_app_iff in Ig. destruct Ig as [Ig|Ig].
      - apply (below g Ig). congruence.
      - apply (D g Ig). congruence. }
    apply fresh_member_group; [reflexivity| | |reflexivity]; cbn [fresh group_key group_sums group_rows]; rewrite none; [|reflexivity].
    intros i _. rewrite g1_at_beyond by (unfold seq_length; cbn; lia). reflexivity. }
  assert (kept : forall g after', (forall h, In h before -> In h (before ++ g :: after')) ) by (intros; apply in_app_iff; now left).
  rewrite seq_length_app. destruct after as [|g after].
  - rewrite seq_length_nil, N.add_0_r, N.ltb_irrefl. split; [apply Sb; [intros ? []|constructor|reflexivity|intros ? []]|]. split.
    + apply Forall_app. split; [apply old; [intros h I; apply in_app_iff; now left|exact below]|]. constructor; [|constructor]. apply new. intros ? [].
    + intros r I. apply in_app_iff in I. destruct I as [I|[<-|[]]]; [|exists (group_with_run fresh run); split; [apply in_app_iff; right; now left|reflexivity]].
      destruct (C r I) as (h & Ih & Kh). rewrite app_nil_r in Ih. exists h. split; [apply in_app_iff; now left|exact Kh].
  - rewrite (proj2 (N.ltb_lt _ _)) by (rewrite seq_length_cons; lia).
    assert (here : seq_at (before ++ g :: after) (seq_length before) = g). { rewrite seq_at_app, N.ltb_irrefl, N.sub_diag. reflexivity. }
    rewrite here. inversion Sa as [|? ? Sa' Fa]; subst. rewrite Forall_forall in Fa. destruct (bytes_equal (group_key g) k) eqn:E.
    + apply bytes_equal_iff in E. rewrite seq_length_cons.
      replace (seq_slice (before ++ g :: after) (seq_length before + 1) (seq_length before + (seq_length after + 1) - seq_length before - 1)) with after.
      2:{ replace (seq_length before + (seq_length after + 1) - seq_length before - 1) with (seq_length after) by lia.
          change (before ++ g :: after) with (before ++ [g] ++ after). rewrite app_assoc. rewrite <- (seq_length_last _ before g). symmetry. apply slice_back. }
      assert (above : forall h, In h after -> blt k (group_key h)) by (intros h I; rewrite <- E; auto).
      cbn [app]. split; [apply Sb; [intros h I; now right|exact Sa'|exact E|exact above]|]. split.
      * apply Forall_app. split; [apply old; [intros h I; apply in_app_iff; now left|exact below]|]. constructor.
        -- destruct (G g) as (_ & R & _ & Sg); [apply in_app_iff; right; now left|].
           exact (fresh_member_group _ runs run g eq_refl Sg R E).
        -- apply old; [intros h I; apply in_app_iff; right; now right|]. intros h I Eh. apply (blt_irreflexive k). rewrite <- Eh at 2. auto.
      * intros r I. apply in_app_iff in I. destruct I as [I|[<-|[]]].
        -- destruct (C r I) as (h & Ih & Kh). apply in_app_iff in Ih. destruct Ih as [Ih|[<-|Ih]].
           ++ exists h. split; [apply in_app_iff; now left|exact Kh].
           ++ exists (group_with_run g run). split; [apply in_app_iff; right; now left|exact Kh].
           ++ exists h. split; [apply in_app_iff; right; now right|exact Kh].
        -- exists (group_with_run g run). split; [apply in_app_iff; right; now left|exact E].
    + apply bytes_equal_false in E.
      assert (above : forall h, In h (g :: after) -> blt k (group_key h)).
      { assert (first : blt k (group_key g)).
        { destruct (not_blt _ _ (A g (or_introl eq_refl))) as [X|X]; [congruence|exact X]. }
        intros h [<-|I]; [exact first|]. eapply blt_transitive; [exact first|auto]. }
      replace (seq_slice (before ++ g :: after) (seq_length before) (seq_length before + seq_length (g :: after) - seq_length before)) with (g :: after).
      2:{ replace (seq_length before + seq_length (g :: after) - seq_length before) with (seq_length (g :: after)) by lia. symmetry. apply slice_back. }
      cbn [app]. split; [apply Sb; [auto|exact Sa|reflexivity|exact above]|]. split.
      * apply Forall_app. split; [apply old; [intros h I; apply in_app_iff; now left|exact below]|]. constructor.
        -- apply new. intros h I Eh. apply (blt_irreflexive k). rewrite <- Eh at 2. auto.
        -- apply old; [intros h I; apply in_app_iff; now right|]. intros h I Eh. apply (blt_irreflexive k). rewrite <- Eh at 2. auto.
      * intros r I. apply in_app_iff in I. destruct I as [I|[<-|[]]].
        -- destruct (C r I) as (h & Ih & Kh). exists h. split; [|exact Kh]. apply in_app_iff in Ih. apply in_app_iff. destruct Ih; [now left|right; now right].
        -- exists (group_with_run fresh run). split; [apply in_app_iff; right; now left|reflexivity].
Qed.

(** ** Claims *)

(** The places of totals: number of the group, number of the power, group by group. *)
Definition total_places (stated : list (list ByteString)) : list (N * N) :=
  flat_map (fun j => map (fun i => (j, i)) (range 0 (seq_length (seq_at stated j)))) (range 0 (seq_length stated)).

(** (C_p, 1, S_p) of a place. *)
Definition total_claim (stated : list (list ByteString)) (groups : list GroupTotals) (place : N * N) : FoldedClaim :=
  {| folded_commitment := g1_at (group_sums (seq_at groups (fst place))) (snd place);
     folded_point := scalar_one;
     folded_value := scalar_of_total (seq_at (seq_at stated (fst place)) (snd place)) |}.

Theorem claims_of_totals_map : forall stated groups, seq_length stated <= seq_length groups ->
  claims_of_totals stated groups = map (total_claim stated groups) (total_places stated).
Proof.
  intros stated groups L. unfold claims_of_totals, total_places.
  assert (flat : forall (f : N -> list (N * N)) l, map (total_claim stated groups) (flat_map f l) = flat_map (fun x => map (total_claim stated groups) (f x)) l).
  { intros f l. induction l as [|x l IH]; [reflexivity|]. cbn [flat_map]. now rewrite map_app, IH. }
  rewrite flat, <- (app_nil_l (flat_map _ _)), <- Sequences.fold_append_list. apply fold_left_same. intros claimed j J. apply in_range in J.
  unfold claims_of_totals_step. rewrite (proj2 (N.ltb_lt j (seq_length groups))) by lia. unfold claims_of_group, claims_of_group_step.
  rewrite (Sequences.fold_range_append (fun i => {| folded_commitment := g1_at (group_sums (seq_at groups j)) i; folded_point := scalar_one;
    folded_value := scalar_of_total (seq_at (seq_at stated j) i) |})). f_equal. rewrite map_map. reflexivity.
Qed.

Lemma total_places_in : forall stated j i, In (j, i) (total_places stated) <-> j < seq_length stated /\ i < seq_length (seq_at stated j).
Proof.
  intros stated j i. unfold total_places. rewrite in_flat_map. split.
  - intros (j' & J & I). apply in_map_iff in I. destruct I as (i' & E & I). injection E as -> ->. apply in_range in J, I. lia.
  - intros (J & I). exists j. split; [apply in_range; lia|]. apply in_map_iff. exists i. split; [reflexivity|]. apply in_range. lia.
Qed.

(** ** What is checked of totals *)

Lemma fold_each : forall (P : N -> Prop) (step : bool -> N -> bool) l start, (forall b i, step b i = true -> b = true /\ P i) ->
  fold_left step l start = true -> start = true /\ forall i, In i l -> P i.
Proof.
  intros P step l start H. revert start. induction l as [|x l IH]; intros start E; [split; [exact E|intros ? []]|]. cbn [fold_left] in E.
  apply IH in E. destruct E as [E all]. apply H in E. destruct E as [E X]. split; [exact E|]. intros i [<-|I]; auto.
Qed.

Theorem totals_legal_each : forall stated groups cap powers, totals_legal stated groups cap powers = true ->
  seq_length stated <= seq_length groups /\ (1 <= powers -> seq_length stated = seq_length groups) /\ forall j, j < seq_length stated ->
    seq_length (seq_at stated j) = powers /\ powers <= seq_length (group_sums (seq_at groups j)) /\
    forall i, i < powers -> total_in_bounds (seq_at (seq_at stated j) i) (group_rows (seq_at groups j)) cap (i + 1) = true.
Proof.
  intros stated groups cap powers H. unfold totals_legal in H. cbv zeta in H. destruct (N.ltb_spec powers 1) as [Z|P].
  - apply N.eqb_eq in H. split; [lia|]. split; [lia|]. intros j J. lia.
  - apply (fold_each (fun j => totals_of_group_legal (seq_at stated j) (seq_at groups j) cap powers = true)) in H.
    + destruct H as [L all]. apply N.eqb_eq in L. split; [lia|]. split; [intros _; exact L|]. intros j J.
      specialize (all j ltac:(apply in_range; lia)). unfold totals_of_group_legal in all.
      apply (fold_each (fun i => total_in_bounds (seq_at (seq_at stated j) i) (group_rows (seq_at groups j)) cap (i + 1) = true)) in all.
      * destruct all as [both each]. apply andb_true_iff in both. destruct both as [B1 B2]. apply N.eqb_eq in B1. apply N.leb_le in B2.
        split; [exact B1|]. split; [exact B2|]. intros i I. apply each, in_range. lia.
      * intros b i E. unfold totals_of_group_legal_step in E. now apply andb_true_iff in E.
    + intros b i E. unfold totals_legal_step in E. destruct (i <? seq_length stated); [|discriminate]. now apply andb_true_iff in E.
Qed.

Lemma members_fewer : forall k runs, rows_recorded (members k runs) <= rows_recorded runs.
Proof.
  intros k runs. induction runs as [|r runs IH]; [cbn; lia|]. unfold members in *. cbn [filter]. destruct (bytes_equal _ _); rewrite ?rows_recorded_cons; lia.
Qed.

End Totals.
