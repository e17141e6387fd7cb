import {
  type Candidate,
  type EventTime,
  holdsSecret,
  MAX_FACTS_PER_WINDOW,
  statementsIn,
  type WindowMessage,
} from '@turnkeeper/domain';
import { answerClause } from './answers/answer-clause.js';
import { openQuestion } from './answers/open-question.js';
import { CORRECTION_REACH, type Correction, corrected, correctionIn } from './corrections/correction.js';
import { eventTimeOf } from './dates/event-time.js';
import { tenseOf } from './dates/resolve.js';
import { presentSceneOf, sceneOf } from './dates/scene.js';
import { Exchange } from './exchange/exchange.js';
import { isInjection } from './gates/injection.js';
import { languageOf } from './gates/language.js';
import { isForeignLine } from './gates/quoted.js';
import { type Quotation, quotationsIn } from './quotes/quotations.js';
import { type Cast, castOf, nameOf, namesIn } from './person/cast.js';
import { circleOf, People } from './reference/circle.js';
import { goesOnAboutPerson } from './reference/name-pronoun.js';
import { carriesFacts, isAssistant, isUnknownRole } from './rules/speakable.js';
import { factIn, type Told } from './facts/fact.js';
import { codeIn, type CodeState } from './gates/code-lines.js';
import { countSkipped, type SkipReason, type Skipped } from './skipped.js';
import { nameRecommended } from './reference/name-recommended.js';
import { nameWork } from './reference/name-work.js';
import { type Statement, statementsOf } from './statements.js';
import type { Judge } from './strategies.js';
import { wordCount } from './text/clauses.js';
import { lastSentencesOf, sentencesOf } from './text/sentences.js';
import { type Span, subSpan } from './text/spans.js';
import { vietnameseTime } from './vietnamese/dates.js';
import { vietnameseFact } from './vietnamese/rules.js';
import { quotedFact, writtenFact } from './wording.js';

/** A fact before it is final: a later sentence may still correct or retract it. */
interface Draft {
  readonly told: Told;
  readonly message: WindowMessage;
  readonly cast: Cast;
  readonly sources: Candidate['sources'];
  /** Text that the date is searched in. */
  readonly dated: string;
}

export interface Found {
  readonly facts: readonly Candidate[];
  /** Facts stated before the window, whose exchange goes on in it. */
  readonly continued: readonly Candidate[];
  readonly skipped: Skipped;
}

/**
 * All facts that the rules find in the messages, oldest first. `context` is used for understanding only: it may contain
 * the question before a short answer, or the statement that a correction refers to. What the messages add to a fact of
 * the context is context of its record.
 */
export const findFacts = (
  messages: readonly WindowMessage[],
  context: readonly WindowMessage[],
  judge: Judge,
): Found => {
  const conversation = [...context, ...messages];
  const window = new Set(messages.map(({ eventId }) => eventId));
  const skips: SkipReason[] = [];
  const circle = circleOf(
    conversation.filter(carriesFacts).map(({ content }) => content),
    conversation.map(nameOf),
  );
  const code: CodeState = { fenced: false };
  const others = new Set([...namesIn(conversation), ...circle.keys()]);
  let drafts: Draft[] = [];
  conversation.forEach((message, index) => {
    const skip = (reason: SkipReason): void => {
      if (window.has(message.eventId)) skips.push(reason);
    };
    if (isUnknownRole(message.role)) return skip('role');
    if (!carriesFacts(message)) return;
    if (isInjection(message.content)) return skip('instructions');
    const cast = { ...castOf(message, conversation), others };
    const previous = conversation[index - 1];
    const people = new People(circle, message, previous, conversation[index - 2]);
    drafts = readMessage({ message, previous, cast, code, drafts, skip, people });
  });
  const exchange = new Exchange(conversation);
  const isInWindow = ({ sources }: Pick<Candidate, 'sources'>): boolean =>
    sources.some(({ eventId }) => window.has(eventId));
  const [stated, before] = partition(
    drafts.filter((draft) => judge(draft.told, draft.message)),
    isInWindow,
  );
  const candidatesOf = (some: readonly Draft[]): Candidate[] =>
    some.slice(0, MAX_FACTS_PER_WINDOW).map((draft) => withContext(candidateOf(draft, drafts), draft, exchange));
  const facts = candidatesOf(stated);
  const continued = candidatesOf(before).filter(isInWindow);
  const quotes = quotationsIn(messages, conversation, [...facts, ...continued])
    .map(draftOf)
    .filter((draft) => judge(draft.told, draft.message))
    .map((draft) => withContext(candidateOf(draft, []), draft, exchange));
  return { facts: [...facts, ...quotes].slice(0, MAX_FACTS_PER_WINDOW), continued, skipped: countSkipped(skips) };
};

const partition = <T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] => [
  items.filter(isFirst),
  items.filter((item) => !isFirst(item)),
];

const draftOf = ({ message, cast, quote }: Quotation): Draft => ({
  ...{ message, cast, dated: quote, sources: [{ eventId: message.eventId, quote }] },
  told: { kind: 'quoted', text: quotedFact(quote, message.at, cast) },
});

interface Reading {
  readonly message: WindowMessage;
  readonly previous: WindowMessage | undefined;
  readonly cast: Cast;
  readonly code: CodeState;
  readonly drafts: readonly Draft[];
  readonly skip: (reason: SkipReason) => void;
  readonly people: People;
}

const readMessage = ({ message, previous, cast, code, drafts: before, skip, people }: Reading): Draft[] => {
  let drafts = [...before];
  const isCodeAt = codeIn(message.content, code);
  const question = previous === undefined || previous.role === message.role ? null : openQuestion(previous);
  const asked = question === null || previous === undefined ? null : askedBefore(previous, question);
  let spoken: string | null = null;
  let first = true;
  for (const sentence of sentencesOf(message.content)) {
    // Further facts would be discarded, so reading on is pointless.
    if (drafts.length - before.length >= MAX_FACTS_PER_WINDOW) break;
    if (isCodeAt(sentence)) {
      skip('code');
      continue;
    }
    if (isForeignLine(sentence.text)) {
      skip('quoted');
      continue;
    }
    const language = languageOf(sentence.text);
    if (language === 'other') {
      skip('language');
      continue;
    }
    const source = (quote: string) => ({ eventId: message.eventId, quote });
    if (language === 'vi') {
      const text = isAssistant(message.role) ? null : vietnameseFact(sentence.text, cast.speaker, message.at);
      if (text === null) skip('language');
      else
        drafts.push({
          told: { kind: 'written', text },
          message,
          cast,
          sources: [source(sentence.text)],
          dated: sentence.text,
        });
      continue;
    }
    const correction = correctionIn(sentence.text);
    if (correction !== null) {
      drafts = applied(correction, drafts, message, sentence.text);
      if (correction.kind === 'replace') continue;
    }
    const rest = correction === null ? sentence : afterRetraction(sentence, correction.restAt);
    const statements = statementsOf(rest, message, cast);
    const open = first ? (question?.text ?? null) : null;
    const byWhole = open === null ? null : answerClause(open, sentence.text);
    const answered = byWhole ?? (open === null ? null : answerIn(statements[0], open));
    let others = statements;
    first = first && THANKS.test(sentence.text);
    if (answered !== null) {
      const told = factIn({ plain: answered, lastClause: null, question: null, cast, role: message.role, before: '' });
      if (told !== null && !holdsSecret(answered)) {
        drafts.push({
          told,
          message,
          cast,
          sources: [
            source(sentence.text),
            { eventId: (previous as WindowMessage).eventId, quote: question?.text ?? '', context: true },
          ],
          dated: answered,
        });
        if (byWhole !== null) continue;
        others = statements.slice(1);
      }
    }
    for (const statement of others) {
      if (holdsSecret(statement.plain)) {
        skip('secret');
        continue;
      }
      const spokenAs = (plain: string) => ({
        ...{ plain, lastClause: spoken, question: question?.text ?? null, asked, cast, role: message.role },
        before: statement.before,
        // Most clauses have no such pronoun, and the text before is long.
        mentioned: people.around(statement.before),
        after: message.content.slice(statement.span.end, statement.span.end + AFTER),
      });
      const told = factIn(spokenAs(statement.plain));
      const meant = told === null ? meantBy(statement, message, previous, drafts) : null;
      const meantTold = meant === null ? null : factIn(spokenAs(meant.plain));
      // "Thanks, Ana!" leaves the name, which is not a sentence before.
      if (wordCount(statement.plain) > 1 && !goesOnAboutPerson(statement.plain)) spoken = statement.plain;
      const person = told?.kind === 'own' ? told.person?.source : undefined;
      const sources = [source(statement.span.text), ...(person === undefined ? [] : [person])];
      if (told !== null) drafts.push({ told, message, cast, sources, dated: statement.plain });
      else if (meant !== null && meantTold !== null)
        drafts.push({
          told: meantTold,
          message,
          cast,
          sources: [...sources, ...meant.context],
          dated: statement.plain,
        });
    }
  }
  return drafts;
};

/** A sentence before the answer. */
const THANKS = /^(?:thanks|thank you|hey|hi|hello|aw+|wow|oh)\b[^,.!?]{0,20}(?:, \p{Lu}\p{L}+)?[.!]+$/iu;

/** The last sentences of a message before its question, in which the question's "it" may be named. */
const askedBefore = ({ content }: WindowMessage, question: Span): string | null =>
  lastSentencesOf(content.slice(0, question.start), 1)[0] ?? null;

/** Characters after a clause that may say that the speaker took part. */
const AFTER = 80;

/** What "it" means, if a message before names it: the speaker's last facts, or what the other one recommended. */
const meantBy = (
  { plain, before }: Statement,
  message: WindowMessage,
  previous: WindowMessage | undefined,
  drafts: readonly Draft[],
): { readonly plain: string; readonly context: Candidate['sources'] } | null => {
  const own = recentOf(drafts, message, WORK_REACH);
  const factsOf = (draft: Draft) => (draft.told.kind === 'own' ? [draft.told.plain] : []);
  const work = nameWork(plain, own.flatMap(factsOf), before);
  if (work !== null) {
    const named = own.findLast((draft) => nameWork(plain, factsOf(draft)) !== null);
    return { plain: work, context: (named?.sources ?? []).map((cited) => ({ ...cited, context: true })) };
  }
  if (previous === undefined || previous.role === message.role) return null;
  const recommended = nameRecommended(plain, previous.content, before);
  if (recommended === null) return null;
  const quote = sentencesOf(previous.content).find(({ text }) => /["“]/.test(text))?.text ?? previous.content;
  return { plain: recommended, context: [{ eventId: previous.eventId, quote, context: true }] };
};
/** A work is still meant after a few messages about it. */
const WORK_REACH = 6;

/** The drafts of the speaker's own messages, not further back than `reach` messages. Drafts are in the messages' order. */
const recentOf = (drafts: readonly Draft[], { role, sequence }: WindowMessage, reach: number): readonly Draft[] =>
  drafts
    .slice(drafts.findLastIndex((draft) => sequence - draft.message.sequence > reach) + 1)
    .filter((draft) => draft.message.role === role);

/** "Scratch that, I live in Linz" continues after the comma. */
const afterRetraction = (sentence: Span, restAt: number): Span => {
  const gap = /^[\s,;:.!–—-]*/.exec(sentence.text.slice(restAt))?.[0].length ?? 0;
  return subSpan(sentence, restAt + gap, sentence.text.length);
};

/** The first clause of a message, read as an answer to the preceding question. */
const answerIn = (clause: Statement | undefined, question: string): string | null =>
  clause === undefined ? null : answerClause(question, clause.span.text);

/** Corrects or retracts the last fact of the same speaker. Only a recent statement can be meant. */
const applied = (
  correction: Correction,
  drafts: readonly Draft[],
  message: WindowMessage,
  sentence: string,
): Draft[] => {
  const meant = recentOf(drafts, message, CORRECTION_REACH).at(-1);
  if (meant === undefined) return [...drafts];
  const others = drafts.filter((draft) => draft !== meant);
  if (correction.kind === 'retract') return others;
  if ('text' in meant.told) return [...drafts];
  const plain = corrected(meant.told.plain, correction.value);
  if (plain === null) return [...drafts];
  const sources = [{ eventId: message.eventId, quote: sentence }, ...meant.sources];
  return [...others, { ...meant, message, told: { ...meant.told, plain }, sources, dated: plain }];
};

const candidateOf = (draft: Draft, drafts: readonly Draft[]): Candidate => {
  const { told, message, cast, sources } = draft;
  const eventTime = told.kind === 'written' ? vietnameseTime(draft.dated, message.at) : timeOf(draft, drafts);
  const text = 'text' in told ? told.text : writtenFact(told, message.at, cast);
  return { text, sources, ...(eventTime === null ? {} : { eventTime }) };
};

const timeOf = (draft: Draft, drafts: readonly Draft[]): EventTime | null => {
  const { told, message } = draft;
  const reworded = 'text' in told ? '' : told.plain;
  return (
    // What lasts is not dated by a later part of its clause: "I have been rowing since May, and last week I won".
    (LASTING.test(reworded) ? null : eventTimeOf(draft.dated, message.at)) ??
    eventTimeOf(reworded, message.at) ??
    inherited(draft, drafts)
  );
};

/** Adds the exchange around the fact, except messages that it cites already. */
const withContext = (candidate: Candidate, { sources, cast }: Draft, exchange: Exchange): Candidate => {
  const cited = new Set(sources.map(({ eventId }) => eventId));
  const stated = statementsIn(sources).map(({ eventId }) => eventId);
  const context = exchange
    .contextOf(candidate.text, stated, [cast.speaker, cast.listener])
    .filter(({ eventId }) => !cited.has(eventId));
  return { ...candidate, sources: [...sources, ...context] };
};

/** A continuing activity is not over, and an insight took longer, even if a past day is named. */
const LASTING =
  /\b(?:have|has|had) (?:\w+ )?been\b|\bused to\b|\b(?:have|['’]ve) (?:learned|learnt|realized|realised)\b/i;

/** A day named in one clause of a message applies to the past events in its other clauses. */
const inherited = (draft: Draft, drafts: readonly Draft[]): EventTime | null => {
  if (draft.told.kind !== 'own') return null;
  const present = presentSceneOf(draft.dated, draft.told.before, draft.message.at);
  if (present !== null || !draft.told.happens || LASTING.test(draft.dated)) return present;
  const siblings = drafts.filter(
    ({ message, told }) => message.eventId === draft.message.eventId && told.kind === 'own' && told.happens,
  );
  const at = siblings.indexOf(draft);
  const tense = tenseOf(draft.dated);
  const scene = tense === 'past' ? sceneOf(draft.told.before, draft.message.at) : null;
  if (scene !== null) return scene;
  // The nearest dated clause before it, else the next one. "I am expanding my studio" is ongoing: only a day named
  // before it applies to it as well.
  const goesOn = tense === 'future' && !/\b(?:will|going to|plan|hope|want)\b/i.test(draft.dated);
  const near = [...siblings.slice(0, at).reverse(), ...(goesOn ? [] : siblings.slice(at + 1, at + 2))];
  for (const { dated, message } of near) {
    const time = eventTimeOf(dated, message.at);
    if (time !== null && tenseOf(dated) === tense) return time;
  }
  return null;
};
