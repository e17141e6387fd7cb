import { termsOf } from '@turnkeeper/search';

const SATURATION = 0.9;
const LENGTH_PENALTY = 0.4;
const MOST = 50;

const textOf = ({ payload, metadata }) => [payload.message, metadata?.imageCaption].filter(Boolean).join(' ');

/** BM25 over single turns, all words of the question, Snowball stems without stop words. */
export const bm25 = ({ sessions }) => {
  const turns = sessions.flatMap((session) =>
    session.turns.map(({ id, event }) => {
      const terms = termsOf(`${event.metadata?.speaker ?? ''} ${textOf(event)}`, 'en');
      return { id, terms, length: [...terms.values()].reduce((sum, count) => sum + count, 0) };
    }),
  );
  const usual = turns.reduce((sum, { length }) => sum + length, 0) / turns.length;
  const holding = new Map();
  for (const { terms } of turns) for (const term of terms.keys()) holding.set(term, (holding.get(term) ?? 0) + 1);
  return (question) => {
    const wanted = [...termsOf(question, 'en').keys()];
    const weight = (term) => {
      const held = holding.get(term) ?? 0;
      return Math.log(1 + (turns.length - held + 0.5) / (held + 0.5));
    };
    return turns
      .map(({ id, terms, length }) => {
        const longer = SATURATION * (1 - LENGTH_PENALTY + (LENGTH_PENALTY * length) / usual);
        const score = wanted.reduce((sum, term) => {
          const count = terms.get(term) ?? 0;
          return sum + (weight(term) * count) / (count + longer);
        }, 0);
        return { id, score };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, MOST)
      .map(({ id }) => [id]);
  };
};

/** Postgres' own ranking: any word of the question, `ts_rank` over single turns. */
export const tsRank = async (database, { sessions }) => {
  const turns = sessions.flatMap((session) => session.turns);
  const texts = turns.map(({ event }) => `${event.metadata?.speaker ?? ''} ${textOf(event)}`);
  await database.query('create temporary table if not exists bench_turns (place integer, words tsvector)');
  await database.query('truncate bench_turns');
  await database.query(
    `insert into bench_turns select place, to_tsvector('english', text)
     from unnest($1::text[]) with ordinality as t (text, place)`,
    [texts],
  );
  return async (question) => {
    const { rows } = await database.query(
      `with query as (
         select to_tsquery('english', string_agg(quote_literal(lexeme), ' | ')) as words
         from unnest(to_tsvector('english', $1))
       )
       select place from bench_turns, query where bench_turns.words @@ query.words
       order by ts_rank(bench_turns.words, query.words) desc, place limit ${MOST}`,
      [question],
    );
    return rows.map(({ place }) => [turns[place - 1].id]);
  };
};
