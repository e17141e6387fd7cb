// Turns of a conversation, for searches in this process.
import { calibrated, turnCalibration } from '@turnkeeper/search';

/** The messages of a conversation as a `TurnCorpus` takes them, and the ids of its turns. */
export const turnsOf = ({ sessions }) => {
  const ids = new Map();
  const messages = sessions.flatMap(({ turns }, session) =>
    turns.map(({ id, event }, place) => {
      ids.set(`${session + 1} ${place + 1}`, id);
      const { role, message: content } = event.payload;
      /** @type {import('@turnkeeper/domain').MessageAppended} */
      const message = { payloadType: 'CONVERSATIONAL', role, content, metadata: event.metadata };
      return { session: session + 1, place: place + 1, at: event.eventTimestamp, message };
    }),
  );
  return { messages, idOf: ({ session, place }) => ids.get(`${session} ${place}`) };
};

/**
 * The first ten turns of a ranking with their scores, as in a search.
 *
 * @type {(idOf: (turn: any) => string, ranking: any, weight?: number, comparedMeaning?: boolean) => { ids: string[], score: number }[]}
 */
export const scoredTurns = (idOf, ranking, weight = ranking.weight, comparedMeaning = false) => {
  const best = ranking.ranked[0]?.raw ?? 0;
  return ranking.ranked.slice(0, 10).map((turn) => ({
    ids: [idOf(turn)],
    score: calibrated(turn.raw, weight, best, turnCalibration(comparedMeaning, ranking.size.turns)),
  }));
};
