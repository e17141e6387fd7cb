import { slot, type Slot, type SlotRule } from './slot-text.js';

const UNIT = '(?:kgs?|kilos?|kilograms?|kilogrammes?|pounds?|lbs?|stone)';
const WEIGHT = String.raw`(\d{2,3}(?:[.,]\d{1,2})?) ?(${UNIT})(?= now$| again$| these days$| at the moment$|$|[,;])`;
const ABOUT =
  '(?:now |only |still |already |about |around |roughly |almost |just |currently |exactly |down to |up to |back to ){0,3}';
/** A parcel or a suitcase is another one next time. */
const PERSON =
  /^(?:(?!(?:The|This|That|It|An?|They|Their|Its) ?)\p{Lu}[\p{L}’'-]*(?: \p{Lu}[\p{L}’'-]*)?|.{1,40}(?:['’]s|s['’]) (?:\p{L}+ )?(?:son|daughter|baby|child|kid|wife|husband|partner|boyfriend|girlfriend|mother|father|mum|mom|dad|brother|sister|grandson|granddaughter|dog|cat|puppy|kitten|horse|rabbit))$/u;

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^k/i, 'kg'],
  [/^(?:p|l)/i, 'lb'],
  [/^s/i, 'stone'],
];
const weight = (who: string, number: string, unit: string): Slot | null =>
  PERSON.test(who)
    ? slot(who, 'weight', `${number} ${UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? ''}`)
    : null;

/** What a person weighs: one number at a time. */
export const MEASURES: readonly SlotRule[] = [
  [new RegExp(String.raw`^(.{1,60}?) (?:now |currently |only |still )?weighs ${ABOUT}${WEIGHT}`, 'iu'), weight],
  [new RegExp(String.raw`^(.{1,60}?)(?:'s|’s|s') (?:current |new )?weight is ${ABOUT}${WEIGHT}`, 'iu'), weight],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:is|has got|got|has gone|went|has dropped|dropped|has slimmed|slimmed) (?:now |already |currently |finally )?(?:down |up |back )?(?:from [\d.,]+ ?(?:${UNIT} )?)?(?:down |up |back )?to ${ABOUT}${WEIGHT}`,
      'iu',
    ),
    weight,
  ],
];
