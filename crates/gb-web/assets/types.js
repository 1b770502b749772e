// @ts-check
/**
 * What the server sends. docs/api.md describes it in words.
 *
 * @typedef {"Left" | "Right"} Side
 * @typedef {{spot: string, shape: "square" | "disc" | "line", at: number[], letter: string, paint: "empty" | "hole" | "left" | "right" | "both"}} Item
 * @typedef {{width: number, height: number, look: "cells" | "checkered" | "lines" | "ground" | "tiles", items: Item[]}} Scene
 * @typedef {{text: string, gesture: string[]}} Move
 * @typedef {{id: number, parent: number | null, label: string, player: Side | null, comment: boolean, value: string | null}} Node
 * @typedef {{name: string, title: string, rules: string, alphabet: [string, string][], example: string, impartial: boolean, loopy: boolean}} Game
 * @typedef {{session: string, game: Game, position: string, to_play: Side, points: number | null, ended: string | null, scene: Scene,
 *   moves: Move[], more_moves: boolean, tree: Node[], at: number, comment: string, marks: [string, string][], text?: string, last?: string[], summands?: Summand[],
 *   derived?: {alike: string, parts: string, ends: string, warnings: string[]}}} View
 * @typedef {Pick<View, "game" | "position" | "scene" | "summands">} Posed
 * @typedef {{game: string, title: string, text: string, look: Scene["look"], x: number, width: number, height: number, column: number, options: [string[], string[]]}} Summand
 * @typedef {{text: string, gesture: string[], part: number | null, to: string | null, facts: Facts | null, score: string | null, winner?: Side | "Draw", sensible: boolean, wins: boolean}} Option
 * @typedef {{position: string, facts: Facts | null, options: [Option[], Option[]]}} Explored
 * @typedef {{player: string, to_play: Side, move: string, gesture: string[], share: number | null, proven: boolean, nodes: number, seconds: number}} Estimate
 * @typedef {{value: string, outcome: string | null, mean: string | null, temperature: string | null}} Facts
 * @typedef {{name: string, position: string, cells: string[], facts: Facts | null, note: string, thermograph: string | null}} Part
 * @typedef {{text: string, gesture: string[], reason: string}} GoodMove
 * @typedef {{verdict: string, stopped: string | null, parts: Part[], sum: Part | null, title: string, moves: [GoodMove[], GoodMove[]], report: string | null,
 *   labels: {spot: string, text: string, player: Side}[], options?: [Option[], Option[]], estimate?: Estimate | null, together?: string | null}} Shown
 * @typedef {{id: string, title: string, theme: string, source: string, position: string, goal: "win" | "draw" | "tempi", note: string, game: string,
 *   learner: Side, task: string}} Exercise
 * @typedef {"white" | "draw" | "black" | null} Ending
 * @typedef {{text: string, grade: "good" | "mistake" | "seems-good" | "seems-mistake" | "unknown", before: Ending, after: Ending, better: string[],
 *   values: {chunk: string, before: string, leaves: string, best: [string, string] | null, lost: string | null} | null, sentences: string[],
 *   reply: {text: string, why: string} | null, line: string[]}} Judgement
 * @typedef {View & {judgement: Judgement, standing: {solved: boolean, text: string} | null}} Lesson
 * @typedef {{move: number, player: "black" | "white", point: string, temperature: string | null, score: string | null, bounds: [string, string] | null, loss: string | null,
 *   kind: string, better: string[], exact: boolean, may_be_hotter: boolean}} Followed
 * @typedef {{part: string, value: string, exact: boolean, mean: string | null, temperature: string | null}} DepthPart
 * @typedef {{value: string, left: OptionTree[], right: OptionTree[], more: boolean}} OptionTree
 * @typedef {{expression: string, variable?: string, value: string | boolean | null | (string | null)[], typeset?: string | null, outcome?: string | null, mean?: string | null,
 *   temperature?: string | null, left_stop?: string | null, right_stop?: string | null, thermograph: string | null, tree: OptionTree | null, board?: Posed}} Calculated
 */
export {};
