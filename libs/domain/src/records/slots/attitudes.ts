import { firstClause, normal, slot, type Slot, type SlotRule } from './slot-text.js';

const ADVERBS =
  '(?:really |still |absolutely |also |just |always |actually |truly |definitely |totally |now |only |both |especially |particularly |completely ){0,4}';
const RESERVED = '(?:kind of |kinda |sort of |sorta |somewhat |quite )';

const attitude = (who: string, what: string, value: string): Slot | null => {
  const object = normal(firstClause(what))
    .replace(/^to (?=\p{L})/u, '')
    .replace(/ (?:very much|so much|lot|more|most|too|lately|days)$/, '');
  // "Ana is considering cities like Oslo" and "Ana shared their love for chess" state no attitude.
  if (/\b(?:is|are|was|were|been|had)\b|\b(?:their|his|her|my)$/i.test(who)) return null;
  if (/^(?:for|them|it|him|her)\b/.test(object)) return null;
  return object === '' || object.split(' ').length > 5 ? null : slot(who, `attitude to ${object}`, value);
};

export const ATTITUDES: readonly SlotRule[] = [
  [
    new RegExp(String.raw`^(.{1,60}?) ${ADVERBS}(?:does not|doesn't|do not|don't) (?:really )?mind (.{1,250})$`, 'i'),
    (who = '', what = '') => attitude(who, what, 'does not mind'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) ${ADVERBS}(?:does not|doesn't|do not|don't|no longer|not) (?:really )?(?:like|love|enjoy|prefer|care for)s? (.{1,200}?)(?: any ?more)?$`,
      'i',
    ),
    (who = '', what = '') => attitude(who, what, 'dislikes'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) ${ADVERBS}(?:dislikes?|hates?|detests?|loathes?|cannot stand|can't stand|is sick of|is tired of) (.{1,250})$`,
      'i',
    ),
    (who = '', what = '') => attitude(who, what, 'dislikes'),
  ],
  [
    new RegExp(String.raw`^(.{1,60}?) ${ADVERBS}${RESERVED}(?:likes?|enjoys?|loves?) (.{1,250})$`, 'i'),
    (who = '', what = '') => attitude(who, what, 'likes mildly'),
  ],
  [
    new RegExp(String.raw`^(.{1,60}?) ${ADVERBS}(?:likes?|loves?|enjoys?|adores?) (.{1,250})$`, 'i'),
    (who = '', what = '') => attitude(who, what, 'likes'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) is ${ADVERBS}(?:(?:an? )?(?:huge |big )?fan of|fond of|keen on|obsessed with|passionate about|crazy about) (.{1,250})$`,
      'i',
    ),
    (who = '', what = '') => attitude(who, what, 'likes'),
  ],
];
