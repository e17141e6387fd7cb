import { holdsSecret, withoutEnd } from '@turnkeeper/domain';
import { hasRelativeDate } from '../dates/relative.js';
import { danglingIn } from '../facts/dangling.js';
import { isMood } from '../facts/hollow.js';
import { hasContent, isName, isNumber, TIME_NOUNS, type Token, tokensOf } from '../facts/tokens.js';
import { verbOf } from '../facts/verbs.js';
import { isCode } from '../gates/code.js';
import { languageOf } from '../gates/language.js';
import { holdsQuotedSpeech, isForeignLine } from '../gates/quoted.js';
import { unrealIn } from '../gates/unreal.js';
import { withoutOpeners } from '../text/openers.js';
import { isQuestion, sentencesOf } from '../text/sentences.js';
import type { Span } from '../text/spans.js';

const LONGEST_QUOTE = 280;
/** A sentence with fewer words of content is mostly small talk. */
const LEAST_CONTENT = 3;
/** Sentences of a message that are considered. */
const MOST_SENTENCES = 20;

/**
 * The part of a message to quote if the rules found no fact in it: the sentence with most content in which the speaker
 * tells what happened to them or names a person, a number or a date. If it refers to the sentence before, both are
 * quoted.
 *
 * @returns null if the message has no such sentence
 */
export const worthQuoting = (content: string, listener: string): Span | null => {
  const sentences = sentencesOf(content).slice(0, MOST_SENTENCES);
  const [best] = sentences
    .map((whole, index) => {
      const sentence = withoutOpeners(whole, listener);
      return { sentence, before: sentences[index - 1], content: contentOf(sentence.text, listener) };
    })
    .filter(
      ({ sentence, content: words }) => words >= LEAST_CONTENT && isTold(sentence.text) && isTelling(sentence.text),
    )
    .toSorted((one, other) => other.content - one.content);
  return best === undefined ? null : standing(best.sentence, best.before, content, listener);
};

const standing = (sentence: Span, before: Span | undefined, content: string, listener: string): Span | null => {
  if (danglingIn(tokensOf(sentence.text)) === null) return sentence;
  const lead = before === undefined ? null : withoutOpeners(before, listener);
  if (lead === null || lead.text === '' || !isTold(lead.text)) return null;
  const both = { text: content.slice(lead.start, sentence.end), start: lead.start, end: sentence.end };
  // A full stop ends what a pronoun can refer to; for this check, the sentences are one.
  const joined = `${withoutEnd(lead.text, /[.!\s]/)}, ${sentence.text}`;
  return both.text.length <= LONGEST_QUOTE && danglingIn(tokensOf(joined)) === null ? both : null;
};

/** A statement by the speaker in English: no question, advice, thanks, fiction, code, quotation or secret. */
const isTold = (text: string): boolean =>
  text.length <= LONGEST_QUOTE &&
  !isQuestion(text) &&
  !NOT_TOLD.test(text) &&
  !OPINION.test(text) &&
  unrealIn(text) === null &&
  !isMood(text) &&
  !isCode(text) &&
  !isForeignLine(text) &&
  !holdsQuotedSpeech(text) &&
  languageOf(text) === 'en' &&
  !holdsSecret(text);

/** What is said to the listener, about something in view, or with a condition. */
const NOT_TOLD =
  /\b(?:you|your|yours|yourself|y['’]?all|u)\b|\byou['’]|\b(?:let['’]?s|if|thanks?|thank|here['’]?s|here (?:is|are)|congrats|kidding|joking|lol)\b|^(?:check|look at|take a look|see|sounds|looks|gotta|keep|just (?:keep|remember)|remember|please|can['’]t wait)\b/i;
/** Moods, agreement and opinions, which are common to everyone. */
const OPINION =
  /^(?:(?:and|but|so|also|just|really|especially) )*(?:I|we)(?:['’]m| am|['’]re| are| was| were| have|['’]ve)? (?:(?:just|also|really|totally|so|\d+%|completely|definitely|always|still|both|all|truly|super|very) )*(?:agree|appreciate|hope|hoping|wish|believe|bet|guess|imagine|can imagine|understand|feel|felt|realize|realise|realized|realised|know|think|thought|glad|proud|sorry|happy|grateful|thankful|excited|sure|determined)\b|\b(?:is|are|it['’]s|that['’]s) (?:so |super |really |very )*(?:important|key|crucial|vital|essential|the key)\b|\bmeans? (?:a lot|so much|the world|everything)\b/i;

/** The speaker says what happened to them, or something with a name, a number or a date. */
const isTelling = (text: string): boolean => {
  const tokens = tokensOf(text);
  const involved = tokens.some(({ key }) => SELF.test(key));
  if (happened(tokens)) return involved || tokens.some(({ key }) => /^(?:me|us)$/.test(key));
  // "Call me at four" tells nothing.
  return involved && (isDated(text) || tokens.some(isSpecific));
};
const SELF = /^(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'd|we'll|my|our)$/;
const isDated = (text: string): boolean => hasRelativeDate(text) || /\b(?:last|recently)\b/i.test(text);
const isSpecific = (token: Token, at: number): boolean => isNumber(token.key) || isName(token, at);

const happened = (tokens: readonly Token[]): boolean =>
  tokens.some(
    ({ key }, at) => SUBJECT.test(tokens[at - 1]?.key ?? '') && (verbOf(key)?.form === 'past' || PAST.test(key)),
  );
const SUBJECT = /^(?:i|i've|we|we've|it|that|which|who|and|she|he|they)$/;
const PAST = /^(?:\w{3,}ed|was|were|been|had|got)$/;

const contentOf = (text: string, listener: string): number =>
  text.length > LONGEST_QUOTE
    ? 0
    : tokensOf(text).filter(
        (token) => hasContent(token) && !TIME_NOUNS.has(token.key) && token.key !== listener.toLowerCase(),
      ).length;

/** The listener is Nora. */
export const examples = {
  quoted: [
    ['Fixing the gate took my brother and me all of Saturday!', null],
    ['Wow. The ferry to Hydra that we took was two hours late.', 'The ferry to Hydra that we took was two hours late.'],
    [
      'Nora, losing the bakery after ten years was a shock for our street.',
      'losing the bakery after ten years was a shock for our street.',
    ],
    [
      'The old mill by my house burned down. It had stood since 1840 and fed our village!',
      'The old mill by my house burned down. It had stood since 1840 and fed our village!',
    ],
  ],
  left: [
    'Did the ferry to Hydra that we took have a late start?',
    'I totally agree that the old mill was lovely, we learned a lot.',
    "I'm so proud of how far we came with the choir last year.",
    'Losing a bakery after ten years is key to knowing what we wanted.',
    "Here's a picture of the mill we painted last week.",
    'It took my brother and me all of Saturday to paint!',
    'If the ferry had come, we would have seen Hydra last week.',
    'Thanks for the mill you painted for us last week.',
    'The PIN that we used for my old card was 4921.',
    'My boss said "I sold the mill to my brother last week".',
    'We did it!',
    'Ring me at half past four on Friday.',
  ],
} as const satisfies {
  readonly quoted: readonly (readonly [content: string, quote: string | null])[];
  readonly left: readonly string[];
};
