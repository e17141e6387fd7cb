import type { Candidate, WindowMessage } from '@turnkeeper/domain';
import { type Cast, castOf } from './person/cast.js';
import { isBareAnswer, openQuestion } from './rules/answers.js';
import { carriesFacts } from './rules/speakable.js';
import { leansOnBefore, mentionsSpeaker } from './rules/subject.js';
import { smallTalkIn } from './rules/small-talk.js';
import { type Statement, statementsOf } from './statements.js';
import type { Judge } from './strategies.js';
import { answeredFact, ownFact, reportedFact } from './wording.js';

/** Longest stretch of a message that one fact may quote, in characters. */
const MAX_QUOTE_LENGTH = 400;

/** Every fact that the rules find in the messages, oldest first. `context` helps to understand them, and may hold the question to a bare answer. */
export const findFacts = (
  messages: readonly WindowMessage[],
  context: readonly WindowMessage[],
  judge: Judge,
): Candidate[] => {
  const conversation = [...context, ...messages];
  return messages.flatMap((message, index) => {
    if (!carriesFacts(message)) return [];
    const cast = castOf(message, conversation);
    const statements = statementsOf(message, cast);
    const answer = answerIn(statements[0], message, messages[index - 1] ?? context.at(-1), cast, judge);
    return [...(answer === null ? [] : [answer]), ...toldIn(statements, message, cast, judge)];
  });
};

const toldIn = (statements: readonly Statement[], message: WindowMessage, cast: Cast, judge: Judge): Candidate[] => {
  const facts: Candidate[] = [];
  for (let index = 0; index < statements.length; index += 1) {
    const statement = statements[index] as Statement;
    const verdict = judge(statement.plain, message);
    if (verdict === null) continue;
    const group = verdict === 'own' ? withFollowers(statements, index) : [statement];
    index += group.length - 1;
    const said = { clauses: group.map(({ plain }) => plain), before: statement.before, at: message.at };
    facts.push({
      text: verdict === 'own' ? ownFact(said, cast) : reportedFact(said, cast),
      sources: [{ eventId: message.eventId, quote: quoteOf(group, message) }],
    });
  }
  return facts;
};

/** A statement with those right behind it that lean on it: "I paint. It calms me." is one fact. */
const withFollowers = (statements: readonly Statement[], from: number): Statement[] => {
  const first = statements[from] as Statement;
  const group = [first];
  for (const next of statements.slice(from + 1)) {
    const fits = next.span.end - first.span.start <= MAX_QUOTE_LENGTH && next.index === (group.at(-1)?.index ?? 0) + 1;
    if (!fits || !leansOnBefore(next.plain) || !mentionsSpeaker(next.plain) || smallTalkIn(next.plain) !== null) break;
    group.push(next);
  }
  return group;
};

const quoteOf = (group: readonly Statement[], message: WindowMessage): string =>
  message.content.slice(group[0]?.span.start, group.at(-1)?.span.end);

/** A bare answer to the question right before it. The question is cited too, for the fact repeats its words. */
const answerIn = (
  first: Statement | undefined,
  message: WindowMessage,
  previous: WindowMessage | undefined,
  cast: Cast,
  judge: Judge,
): Candidate | null => {
  const question = openQuestion(previous);
  if (first === undefined || previous === undefined || question === null || previous.role === message.role) return null;
  if (!isBareAnswer(first.plain, cast.listener)) return null;
  // Judged as if the speaker had said it in full.
  if (judge(`My answer to ${question.text} is ${first.plain}`, message) === null) return null;
  return {
    text: answeredFact(question.text, first.plain, message.at, cast),
    sources: [
      { eventId: message.eventId, quote: first.span.text },
      { eventId: previous.eventId, quote: question.text },
    ],
  };
};
