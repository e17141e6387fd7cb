// Metrics of the records extracted from a conversation.
import { statementsIn } from '@turnkeeper/domain';

/** Words that imply a date. A record that quotes a message with one of them should have a date. */
const TIME_WORD =
  /\b(?:yesterday|today|tomorrow|tonight|last night|(?:last|next|this|past) (?:week|weekend|month|year|summer|winter|spring|fall|autumn|(?:mon|tues|wednes|thurs|fri|satur|sun)[a-z]{0,4})|(?:days?|weeks?|months?|years?) (?:ago|back)|over the weekend|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in (?:january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d)|since (?:19|20)\d\d)\b/i;
/** A record that begins or ends with one of these, or says "I", has an unresolved reference. */
const UNNAMED = /^(?:it|they|he|she|this|that|these|those)\b|\b(?:it|them|that|there|one)\W*$|\b(?:I|me|my)\b/i;

/** @param {readonly import('@turnkeeper/domain').RecordSource[]} sources */
const statementsOf = (sources) => statementsIn(sources);

/** @param {Awaited<ReturnType<typeof import('./read-conversation.mjs').readConversation>>} read */
export const measuresOf = (conversation, read, strategyType = 'SEMANTIC') => {
  const messages = conversation.sessions.flat();
  const byId = new Map(messages.map((message) => [message.eventId, message]));
  const inScope = (id) => byId.has(id) && (strategyType === 'SEMANTIC' || byId.get(id).role === 'user');
  const wanted = [...conversation.listed.keys()].filter(inScope);
  const cited = new Set(read.records.flatMap(({ sources }) => statementsOf(sources).map(({ eventId }) => eventId)));
  const covered = wanted.filter((turn) => cited.has(turn));
  const timed = read.records.filter(({ sources }) => TIME_WORD.test(byId.get(sources[0].eventId)?.content ?? ''));
  return {
    turns: messages.length,
    wanted,
    covered,
    byLength: longestTurns(messages, cited.size).filter((id) => wanted.includes(id)),
    records: read.records,
    extra: read.records.filter(
      ({ sources }) => !statementsOf(sources).some(({ eventId }) => conversation.listed.has(eventId)),
    ),
    unnamed: read.records.filter(({ text }) => UNNAMED.test(text)),
    timed,
    dated: timed.filter(({ eventTime }) => (eventTime ?? null) !== null),
    superseded: read.superseded,
    refused: Object.values(read.refused).reduce((sum, n) => sum + n, 0),
    skipped: read.skipped,
    failed: read.failed,
    tokens: read.inputTokens + read.outputTokens,
  };
};

/** Ids of the longest turns, as many as the records cite: the baseline of keeping whole turns. */
const longestTurns = (messages, count) =>
  messages
    .toSorted((one, other) => other.content.length - one.content.length)
    .slice(0, count)
    .map(({ eventId }) => eventId);

const percent = (part, whole) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
const share = (part, whole) => `${part} (${percent(part, whole)})`;

export const HEADER = [
  'conversation',
  'extractor',
  'strategy',
  'turns',
  'listed',
  'covered',
  'as many longest turns',
  'records',
  'extra',
  'unnamed',
  'dated',
  'superseded',
  'refused',
  'failed windows',
  'tokens',
];

export const cellsOf = (id, extractor, strategyType, m) => [
  ...[id, extractor, strategyType, m.turns, m.wanted.length],
  ...[share(m.covered.length, m.wanted.length), percent(m.byLength.length, m.wanted.length), m.records.length],
  ...[share(m.extra.length, m.records.length), share(m.unnamed.length, m.records.length)],
  ...[share(m.dated.length, m.timed.length), m.superseded.length, m.refused, m.failed, m.tokens],
];
