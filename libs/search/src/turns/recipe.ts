/** The recipe's constants: round, set by hand. `docs/quality.md` says what each is worth. */
export interface TurnRecipe {
  /** Part of the words of a turn and its neighbours. */
  readonly context: number;
  /** Part of a turn's own words. */
  readonly own: number;
  /** Part of the words of its session. */
  readonly session: number;
  /** Part of the previous turn's own words, when that turn asks something. */
  readonly answers: number;
  /** A turn from a day that the question names. */
  readonly date: number;
  /** A turn that says when, for a question that asks when. */
  readonly when: number;
  /** A turn with proper nouns or quotes. */
  readonly names: number;
  /** The first turns of a session. */
  readonly opening: number;
  /** A turn that ends with a question. */
  readonly asks: number;
  /** Likeness of a turn and its neighbours to the question in meaning, where there are vectors. */
  readonly meaning: number;
  /** The turn of the one speaker whom the question names: a factor. */
  readonly speaker: number;
  /** Weights of a turn's neighbours by their distance, beginning with the farthest before it; its own is 1. */
  readonly neighbours: readonly number[];
  /** A word's worth stops to grow at about this count. */
  readonly saturation: number;
  /** The same within a session. */
  readonly sessionSaturation: number;
  /** How much a turn's length counts against its own words, 0-1. */
  readonly lengthPenalty: number;
  /** The same for a session. */
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

/** Turns at the beginning of a session that count as its opening. */
export const OPENING_TURNS = 2;
