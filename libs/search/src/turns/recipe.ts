/** The ranking weights: round numbers, tuned by hand. `docs/quality.md` states the effect of each. */
export interface TurnRecipe {
  /** Weight of the words of a turn and its neighbours. */
  readonly context: number;
  /** Weight of a turn's own words. */
  readonly own: number;
  /** Weight of its session's words. */
  readonly session: number;
  /** Weight of the previous turn's own words, if that turn is a question. */
  readonly answers: number;
  /** Bonus for a turn from a day that the question names. */
  readonly date: number;
  /** Bonus for a turn that states a time, if the question asks for one. */
  readonly when: number;
  /** Bonus for proper nouns and quotes. */
  readonly names: number;
  /** Bonus for the first turns of a session. */
  readonly opening: number;
  /** Adjustment for a turn that ends with a question. */
  readonly asks: number;
  /** Weight of the semantic similarity of a turn and its neighbours to the question, if there are vectors. */
  readonly meaning: number;
  /** Factor for turns of the one speaker that the question names. */
  readonly speaker: number;
  /** Weights of neighbouring turns by distance, starting with the farthest one before; the turn's own is 1. */
  readonly neighbours: readonly number[];
  /** Term count beyond which repetitions hardly add to the score. */
  readonly saturation: number;
  /** The same, within a session. */
  readonly sessionSaturation: number;
  /** How much a turn's length reduces the score of its own words, 0–1. */
  readonly lengthPenalty: number;
  /** The same, for a session. */
  readonly sessionLengthPenalty: number;
}

export const RECIPE: TurnRecipe = {
  context: 0.6,
  own: 0.3,
  session: 0.6,
  answers: 0.4,
  date: 0.16,
  when: 0.15,
  names: 0.04,
  opening: 0.02,
  asks: -0.04,
  meaning: 0.4,
  speaker: 1.4,
  neighbours: [0.1, 0.2, 0.35, 0.6, 1, 0.4, 0.25, 0.15, 0.1],
  saturation: 0.9,
  sessionSaturation: 1.2,
  lengthPenalty: 0.4,
  sessionLengthPenalty: 0.75,
};

/** Distance up to which a turn's words count for its neighbours. */
export const reachOf = ({ neighbours }: Pick<TurnRecipe, 'neighbours'>): number => (neighbours.length - 1) / 2;

/** Number of turns at the start of a session that count as its opening. */
export const OPENING_TURNS = 2;
