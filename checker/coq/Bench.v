(* Games, sums and play, in as few definitions as they take, and proofs that the functions which compute say what the definitions mean.
   Facts of the bench (Facts.v, written by export.py) are theorems about these definitions. *)

Require Import List Bool Arith ZArith Ascii String Lia.
Import ListNotations.

Inductive player := Left | Right.

Definition other (p : player) : player := match p with Left => Right | Right => Left end.

(* A game is what Left can make of it, and what Right can. *)
Inductive game := Game : list game -> list game -> game.

Definition options (p : player) (g : game) : list game :=
  match g, p with Game l r, Left => l | Game l r, Right => r end.

(* Who wins: the player to move wins if some option is lost for the other, who then is to move. Who cannot move loses. *)
Inductive Wins : player -> game -> Prop :=
  | wins_by p g o : In o (options p g) -> Loses (other p) o -> Wins p g
with Loses : player -> game -> Prop :=
  | loses_all p g : (forall o, In o (options p g) -> Wins (other p) o) -> Loses p g.

(* The same as a function. *)
Fixpoint wins (p : player) (g : game) : bool :=
  match g with
  | Game l r =>
      match p with
      | Left => existsb (fun o => negb (wins Right o)) l
      | Right => existsb (fun o => negb (wins Left o)) r
      end
  end.

(* Induction over the options of a game. *)
Fixpoint game_induction (P : game -> Prop)
  (step : forall l r, Forall P l -> Forall P r -> P (Game l r)) (g : game) : P g :=
  match g with
  | Game l r =>
      let all := fix all (gs : list game) : Forall P gs :=
        match gs with
        | [] => Forall_nil P
        | x :: xs => Forall_cons x (game_induction P step x) (all xs)
        end in
      step l r (all l) (all r)
  end.

Lemma wins_is_right : forall g p, (wins p g = true -> Wins p g) /\ (wins p g = false -> Loses p g).
Proof.
  induction g as [l r Hl Hr] using game_induction.
  rewrite Forall_forall in Hl, Hr.
  intros [|]; simpl; split; intro H.
  - apply existsb_exists in H. destruct H as [o [Ho Hw]]. apply negb_true_iff in Hw.
    apply wins_by with (o := o); [exact Ho | apply (Hl o Ho), Hw].
  - apply loses_all. simpl. intros o Ho. apply (Hl o Ho).
    destruct (wins Right o) eqn:E; [reflexivity|].
    exfalso. assert (existsb (fun o => negb (wins Right o)) l = true) as T.
    { apply existsb_exists. exists o. rewrite E. auto. }
    rewrite T in H. discriminate.
  - apply existsb_exists in H. destruct H as [o [Ho Hw]]. apply negb_true_iff in Hw.
    apply wins_by with (o := o); [exact Ho | apply (Hr o Ho), Hw].
  - apply loses_all. simpl. intros o Ho. apply (Hr o Ho).
    destruct (wins Left o) eqn:E; [reflexivity|].
    exfalso. assert (existsb (fun o => negb (wins Left o)) r = true) as T.
    { apply existsb_exists. exists o. rewrite E. auto. }
    rewrite T in H. discriminate.
Qed.

(* Sums and negatives. *)
Fixpoint add (g : game) : game -> game :=
  fix add_g (h : game) : game :=
    match g, h with
    | Game gl gr, Game hl hr =>
        Game (map (fun x => add x h) gl ++ map add_g hl) (map (fun x => add x h) gr ++ map add_g hr)
    end.

Fixpoint neg (g : game) : game :=
  match g with Game l r => Game (map neg r) (map neg l) end.

(* G is at least H if Left, moving second, wins G - H; two games are equal if each is at least the other: whoever begins loses
   the difference. *)
Definition at_least (g h : game) : Prop := Loses Right (add g (neg h)).
Definition equal (g h : game) : Prop := Loses Left (add g (neg h)) /\ Loses Right (add g (neg h)).

Definition at_least_b (g h : game) : bool := negb (wins Right (add g (neg h))).
Definition equal_b (g h : game) : bool :=
  let d := add g (neg h) in negb (wins Left d) && negb (wins Right d).

Theorem at_least_by_computing : forall g h, at_least_b g h = true -> at_least g h.
Proof.
  intros g h H. apply negb_true_iff in H. apply wins_is_right, H.
Qed.

Theorem not_at_least_by_computing : forall g h, at_least_b g h = false -> Wins Right (add g (neg h)).
Proof.
  intros g h H. apply negb_false_iff in H. apply wins_is_right, H.
Qed.

Theorem equal_by_computing : forall g h, equal_b g h = true -> equal g h.
Proof.
  intros g h H. apply andb_true_iff in H. destruct H as [L R].
  apply negb_true_iff in L, R. split; apply wins_is_right; assumption.
Qed.

(* Numbers, as games: n is n free moves for Left. *)
Fixpoint nat_game (n : nat) : game :=
  match n with 0 => Game [] [] | S m => Game [nat_game m] [] end.

Definition int (z : Z) : game :=
  match z with
  | Z0 => Game [] []
  | Zpos p => nat_game (Pos.to_nat p)
  | Zneg p => neg (nat_game (Pos.to_nat p))
  end.

(* Heaps of Nim. *)
Fixpoint stars (n : nat) : list game :=
  match n with 0 => [] | S m => let s := stars m in Game s s :: s end.
Definition star (n : nat) : game := let s := stars n in Game s s.

(* Rules: what a player can make of a board. The game of a board follows the rules for as many moves as there is fuel; that this is
   enough is computed as well. *)
Section Rules.
  Variable board : Type.
  Variable moves : player -> board -> list board.

  Fixpoint tree (fuel : nat) (b : board) : game :=
    match fuel with
    | 0 => Game [] []
    | S n => Game (map (tree n) (moves Left b)) (map (tree n) (moves Right b))
    end.

  Fixpoint enough (fuel : nat) (b : board) : bool :=
    match fuel with
    | 0 => match moves Left b, moves Right b with [], [] => true | _, _ => false end
    | S n => forallb (enough n) (moves Left b) && forallb (enough n) (moves Right b)
    end.

  (* With enough fuel, more of it changes nothing. *)
  Lemma enough_is_enough : forall n b, enough n b = true -> tree (S n) b = tree n b.
  Proof.
    induction n as [|n IH]; intros b H.
    - simpl in H. simpl. destruct (moves Left b), (moves Right b); try discriminate. reflexivity.
    - simpl in H. apply andb_true_iff in H. destruct H as [L R].
      rewrite forallb_forall in L, R.
      change (tree (S (S n)) b) with (Game (map (tree (S n)) (moves Left b)) (map (tree (S n)) (moves Right b))).
      change (tree (S n) b) with (Game (map (tree n) (moves Left b)) (map (tree n) (moves Right b))).
      f_equal; apply map_ext_in; intros o Ho; apply IH; auto.
  Qed.
End Rules.

(* Boards are rows of letters. *)
Definition grid := list (list ascii).

Definition cell (b : grid) (r c : nat) : ascii := nth c (nth r b []) "#"%char.

Fixpoint put_in {A} (xs : list A) (n : nat) (x : A) : list A :=
  match xs, n with
  | [], _ => []
  | _ :: t, 0 => x :: t
  | y :: t, S m => y :: put_in t m x
  end.

Definition put (b : grid) (r c : nat) (x : ascii) : grid := put_in b r (put_in (nth r b []) c x).

Definition places (b : grid) : list (nat * nat) :=
  flat_map (fun r => map (fun c => (r, c)) (seq 0 (List.length (nth r b [])))) (seq 0 (List.length b)).

Definition is (b : grid) (r c : nat) (x : ascii) : bool := Ascii.eqb (cell b r c) x.

(* Domineering: Left fills two empty cells one above the other, Right two side by side. *)
Definition domineering (p : player) (b : grid) : list grid :=
  flat_map (fun '(r, c) =>
    let '(r2, c2) := match p with Left => (S r, c) | Right => (r, S c) end in
    if is b r c "." && is b r2 c2 "." then [put (put b r c "#") r2 c2 "#"] else [])%char (places b).

(* Clobber: a stone moves onto a neighbouring stone of the opponent, which is taken. *)
Definition neighbours (r c : nat) : list (nat * nat) :=
  [(S r, c); (r, S c)] ++ (match r with 0 => [] | S r' => [(r', c)] end) ++ (match c with 0 => [] | S c' => [(r, c')] end).

Definition clobber (p : player) (b : grid) : list grid :=
  let '(own, foe) := match p with Left => ("x", "o")%char | Right => ("o", "x")%char end in
  flat_map (fun '(r, c) =>
    if is b r c own then
      flat_map (fun '(r2, c2) => if is b r2 c2 foe then [put (put b r c "."%char) r2 c2 own] else []) (neighbours r c)
    else []) (places b).

(* Snort: a player colours an empty cell that touches no cell of the other's colour. Col: none of the own colour. *)
Definition colouring (next_to_own : bool) (p : player) (b : grid) : list grid :=
  let '(own, foe) := match p with Left => ("x", "o")%char | Right => ("o", "x")%char end in
  let wrong := if next_to_own then foe else own in
  flat_map (fun '(r, c) =>
    if is b r c "."%char && negb (existsb (fun '(r2, c2) => is b r2 c2 wrong) (neighbours r c))
    then [put b r c own] else []) (places b).
Definition snort := colouring true.
Definition col := colouring false.

Definition rows (text : list string) : grid := map list_ascii_of_string text.

(* What a fact about a board says: its game, followed to the end, is equal to a value. *)
Definition has_value (rules : player -> grid -> list grid) (fuel : nat) (text : list string) (value : game) : Prop :=
  enough grid rules fuel (rows text) = true /\ equal (tree grid rules fuel (rows text)) value.

Theorem value_by_computing : forall rules fuel text value,
  enough grid rules fuel (rows text) && equal_b (tree grid rules fuel (rows text)) value = true ->
  has_value rules fuel text value.
Proof.
  intros rules fuel text value H. apply andb_true_iff in H. destruct H as [E V].
  split; [exact E | apply equal_by_computing, V].
Qed.
