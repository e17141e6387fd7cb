import { isLocomo, locomoSessions, parseDate } from '../../tools/replay/locomo.mjs';

/**
 * @typedef {object} Question
 * @property {string} text
 * @property {string} answer
 * @property {string} category
 * @property {string[]} evidence ids of the turns that hold the answer
 *
 * @typedef {{ actorId: string, names?: string[], sessions: { sessionId: string, turns: { id: string, event: object }[] }[],
 *             questions: Question[], leftOut: number }} Conversation
 *   `leftOut`: number of further questions, which no turn answers
 */

/** LoCoMo's numbers. 5 asks for something that was never said. */
const LOCOMO_CATEGORIES = { 1: 'multi-hop', 2: 'temporal', 3: 'open-domain', 4: 'single-hop', 5: 'adversarial' };
export const NOT_COUNTED = 'adversarial';

/**
 * The conversations of a file in LoCoMo's or LongMemEval's format, with their questions. Questions that no turn answers
 * are left out.
 *
 * @param {any} data
 * @returns {Conversation[]}
 */
export const conversationsOf = (data) => {
  if (isLocomo(data)) return data.map(fromLocomo);
  if (Array.isArray(data) && data.every((entry) => Array.isArray(entry?.haystack_sessions)))
    return data.map(fromLongMemEval);
  throw new Error('Neither LoCoMo’s format (conversation.speaker_a) nor LongMemEval’s (haystack_sessions).');
};

const fromLocomo = (entry) => {
  const sessions = locomoSessions([entry]).map(({ sessionId, turns }) => ({
    sessionId,
    turns: turns.map((event) => ({ id: event.metadata?.diaId, event })),
  }));
  const known = new Set(sessions.flatMap(({ turns }) => turns.map(({ id }) => id)));
  const questions = entry.qa
    .map(({ question, answer, adversarial_answer: other, category, evidence }) => ({
      text: question,
      answer: String(answer ?? other ?? ''),
      category: LOCOMO_CATEGORIES[category] ?? String(category),
      evidence: evidenceOf(evidence).filter((id) => known.has(id)),
    }))
    .filter(({ evidence }) => evidence.length > 0);
  return {
    actorId: entry.sample_id ?? 'conversation',
    names: [entry.conversation.speaker_a, entry.conversation.speaker_b],
    sessions,
    questions,
    leftOut: entry.qa.length - questions.length,
  };
};

/** Some entries have several ids, or use `D30:05`. */
const evidenceOf = (evidence = []) => [
  ...new Set(
    evidence.flatMap((text) =>
      [...String(text).matchAll(/D(\d+):(\d+)/g)].map(([, s, t]) => `D${Number(s)}:${Number(t)}`),
    ),
  ),
];

const fromLongMemEval = (entry) => {
  const answers = new Set(entry.answer_session_ids ?? []);
  const evidence = [];
  const sessions = entry.haystack_sessions.map((turns, index) => {
    const sessionId = entry.haystack_session_ids?.[index] ?? `session-${index + 1}`;
    const marked = turns.some((turn) => turn.has_answer !== undefined);
    return {
      // The same session can occur twice in a haystack.
      sessionId: `${sessionId}#${index + 1}`,
      turns: turns.map((turn, at) => {
        const id = `${index}:${at}`;
        if (marked ? turn.has_answer === true : answers.has(sessionId)) evidence.push(id);
        const payload = { type: 'CONVERSATIONAL', role: turn.role, message: turn.content };
        return { id, event: { payload, eventTimestamp: dateOf(entry.haystack_dates?.[index]) } };
      }),
    };
  });
  const question = { text: entry.question, answer: String(entry.answer), category: entry.question_type, evidence };
  // The turns marked in such an entry are about the topic of the question, but do not answer it.
  const isAnswered = !String(entry.question_id).endsWith('_abs') && evidence.length > 0;
  return { actorId: entry.question_id, sessions, questions: isAnswered ? [question] : [], leftOut: isAnswered ? 0 : 1 };
};

/** `2023/05/20 (Sat) 02:21`, as RFC 3339. */
const dateOf = (text) => {
  if (text === undefined) return undefined;
  const [, year, month, day, hour = '00', minute = '00'] =
    /^(\d{4})\/(\d\d)\/(\d\d)(?:\D+(\d\d):(\d\d))?/.exec(text) ?? [];
  return year === undefined ? parseDate(text) : `${year}-${month}-${day}T${hour}:${minute}:00Z`;
};
