import { subSpan, type Span } from './spans.js';

/** Opening words without content; left out of the fact and of its quote. */
const INTERJECTION = [
  'hey( there)?',
  'hi( there)?',
  'hello',
  'wow',
  'whoa',
  'woah',
  'yeah',
  'yep',
  'yup',
  'yes',
  'yea',
  'no',
  'nope',
  'nah',
  'oh',
  'aw+',
  'ah+',
  'ha(ha)*',
  'lol',
  'ok(ay)?',
  'well',
  'sure( thing)?',
  'right',
  'exactly',
  'totally',
  'definitely',
  'absolutely',
  'actually',
  'anyway',
  'by the way',
  'btw',
  'plus',
  'also',
  'and',
  'but',
  'so',
  'then',
  'thanks( so much| a lot| again| a bunch)?',
  'thank you( so much| again)?',
  'cool',
  'nice',
  'great',
  'awesome',
  'good',
  'sounds (good|great|cool|fun)',
  'of course',
  'no (problem|worries)',
  'congrats',
  'honestly',
  'i mean',
  'you know',
  'for sure',
  'as for me',
  'speaking of (which|that)',
  'guess what',
  'to be honest',
  'um+',
  'uh+',
  'hm+',
  'like',
  'true',
  'agreed',
  'in fact',
  'in my case',
  'for me',
  'on another note',
  'on a different note',
  'long story short',
  'not really',
  'not yet',
  'not much',
  'nothing much',
  '(good|bad|big|great|sad|exciting|fun|other) news',
  'to be fair',
  'on the (bright|plus|other) side',
  'on the other hand',
  'speaking of [\\p{L} ]{3,30}',
  'same here',
  'that said',
  'in other news',
  'on top of that',
  'believe it or not',
  'truth be told',
  'as it happens',
  'fortunately',
  'unfortunately',
  'luckily',
].join('|');
/** These have meaning if no comma follows ("so happy", "good friends", "like my dog"). */
const OPENER = new RegExp(
  String.raw`^(?:${INTERJECTION})(?:\s*[,!:.…]+\s*|\s+[-–—]+\s*|\s*--+\s*)|^(?:and|but|so(?! far)|plus|also|actually|yeah|yep|yup|well|oh|wow|hey|hi|hello)\s+`,
  'iu',
);
/** Speech recognition omits the comma: "no I never drink". */
const BEFORE_I =
  /^(?:yes|no|ok|okay|um|uh|hi|hello|sure|thanks|for me)\s+(?=(?:(?:yes|no|ok|okay|um|uh|hi|hello|hey|but|and|so)\s+){0,2}(?:i|i['’]?m|i['’]?ve|my|we)\b)/i;
/** "Since we last talked, …", "I wanted to let you know that …", "Remember that …". */
const LEAD_IN = new RegExp(
  [
    String.raw`^(?:as )?(?:it )?turns out(?: that)?,? `,
    String.raw`^(?:(?:you|you['’]ll|you will) (?:won['’]t|never|not) believe (?:it|this)|believe it or not|guess what|i['’]m not joking|true story|big news|good news|great news|i (?:have|['’]ve got) (?:some )?(?:big |great |good |exciting )?news(?: as well| too)?)\s*[,:!.–—-]+\s*`,
    String.raw`^(?:ever )?since (?:we|our)(?: last)? (?:spoke|talked|chatted|chat|conversation|talk|met)\w*(?: last)?\s*,?\s*`,
    String.raw`^(?:i )?(?:just )?(?:wanted|want|wanna) (?:to )?(?:let (?:you|ya|u) know|tell (?:you|ya|u))(?: that| about)?\s+`,
    String.raw`^(?:please )?(?:remember|note|keep in mind|don['’]t forget|be aware|for the record)(?: that|,)? (?=(?:i|my|we|our)\b)`,
  ].join('|'),
  'i',
);

/** Whether this word addresses `name`. `Mel` and `Melly` match Melanie. */
export const addresses = (word: string, name: string): boolean => {
  const short = word.toLowerCase().replace(/(?:l?y|ie)$/, '');
  return short.length >= 2 && name.toLowerCase().startsWith(short.slice(0, 3)) && word.length <= name.length + 2;
};

/** Removes interjections and the listener's name from the start of a sentence. */
export const withoutOpeners = (sentence: Span, listener: string): Span => {
  let rest = sentence;
  for (;;) {
    const opener =
      OPENER.exec(rest.text) ?? BEFORE_I.exec(rest.text) ?? LEAD_IN.exec(rest.text) ?? vocative(rest.text, listener);
    if (opener === null || opener[0].length === 0) return rest;
    const shorter = subSpan(rest, opener[0].length, rest.text.length);
    if (shorter.text === '') return shorter;
    rest = shorter;
  }
};

const vocative = (text: string, listener: string): RegExpExecArray | null => {
  const match = /^(\p{Lu}[\p{L}]+)(?:\s*[,!:]+\s*|\s+[-–—]+\s*)/u.exec(text);
  return match?.[1] !== undefined && addresses(match[1], listener) ? match : null;
};
