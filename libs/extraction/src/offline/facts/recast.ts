import { EMPTY, hasContent, isName, NEEDS_NAME, TIME_NOUNS, type Token, textOf, tokensOf } from './tokens.js';
import { verbOf } from './verbs.js';

/**
 * Other wordings of a clause that tells its fact in a roundabout way, the surest first. Each says no more than the
 * clause does.
 */
export const recasts = (clause: string): string[] => {
  const introduced = withoutPointing(clause);
  const shown = withoutShowing(clause);
  const said = [introduced, shown, shown === null ? null : withoutPointing(shown)];
  return [...said, ...tailsOf(introduced ?? clause)].filter((text) => text !== null);
};

/** "I finished this fantasy series" brings the series up: it is "a fantasy series" to a reader. */
const withoutPointing = (clause: string): string | null => {
  const tokens = tokensOf(clause);
  let isChanged = false;
  const words = tokens.flatMap((token, index): Token[] => {
    const plural = token.key === 'these';
    if (!(plural || token.key === 'this') || !bringsUp(tokens, index + 1)) return [token];
    isChanged = true;
    const next = tokens[index + 1]?.text ?? '';
    if (tokens[index - 1]?.key === 'all') return [];
    const isNamed = isName(tokens[index + 2] ?? { text: '', key: '' }, 1);
    const text = plural
      ? 'some'
      : /^(?:biz|business|studio|store|shop)$/.test(tokens[index + 1]?.key ?? '')
        ? 'my'
        : isNamed
          ? 'the'
          : /^[aeiou]/i.test(next)
            ? 'an'
            : 'a';
    return [{ text, key: text }];
  });
  return isChanged ? textOf(words) : null;
};

/** Is there a noun right behind, or behind what describes it? A bare "book" would say too little. */
const bringsUp = (tokens: readonly Token[], at: number): boolean => {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (first === undefined || TIME_NOUNS.has(first.key) || verbOf(first.key) !== null || /ed$|'s$/.test(first.key))
    return false;
  const isClosed = /[,.;!?]$/.test(first.text);
  if (hasContent(first) && !NEEDS_NAME.has(first.key))
    return (!/^(?:path|journey|trip|kind|sort|pic|photo|way)$/.test(first.key) && !isClosed) || /s$/.test(first.key);
  if (isClosed || second === undefined) return false;
  const isDescribed =
    /^(?:new|old|amazing|awesome|cool|great|little|big|small|beautiful|special|interesting|nice|lovely|super|tough|wonderful|fun|inspiring)$/.test(
      first.key,
    ) || NEEDS_NAME.has(first.key);
  return isDescribed && (hasContent(second) || (EMPTY.has(first.key) && hasContent(tokens[at + 2] ?? second)));
};

const SHOWING =
  /^(?:here(?:'s| is| are)|(?:this|that|it|these|those)(?:'s| is| was| are| were)) (?:from )?(?:(?:a|the|some) (?:pic|pics|picture|photo|photos|shot|snap|peek|look)s? (?:of|from|at) )?((?:a|an|my|our|some|one of my|the(?= [^,]* (?:I|we) made))\b[^,;!?–—]{3,60}?) (?:that |which )?(I|we) (?:just |recently |really |also )?(made|painted|took|bought|designed|baked|cooked|wrote|built|created|drew|found|got|adopted|played|like|love|enjoy|cherish|visited|did|sewed|planted)\b ?([^–—,;]*)/i;
/** "Here are some bowls of ice cream that I made last week" tells that I made some bowls of ice cream last week. */
const withoutShowing = (clause: string): string | null => {
  const match = SHOWING.exec(clause);
  if (match === null || /^(?:that|it)'s (?:why|what|how)/i.test(clause)) return null;
  const [, what = '', who = '', verb = '', rest = ''] = match;
  if (
    /^\w+ (?:\w+ )?(?:pic|pics|picture|photo|shot|snap|peek|look|reason|things?|part|game|show|place)\b/.test(what) ||
    /\b(?:with|of|for|about|it|them|there)[.!]*$/.test(rest.trim())
  )
    return null;
  return `${who} ${verb} ${what} ${rest}`.trim();
};

/** What stands behind "so I", "because I" or a dash is said as plainly as what stands before it. */
const tailsOf = (clause: string): string[] => {
  if (/\b(?:if|when|whenever|unless|would|could|might|wish)\b/i.test(clause)) return [];
  return [...clause.matchAll(/(?:,? so |,? (?:because|cause|'cause) |[,;:] | [-–—]+ )(?=(?:I|we) )/gi)].map((match) =>
    clause.slice(match.index + match[0].length),
  );
};

export const examples = [
  ['I just finished this fantasy series', 'I just finished a fantasy series'],
  ['I love these cute notes', 'I love some cute notes'],
  ['Here are some bowls of rice that I made yesterday', 'I made some bowls of rice yesterday'],
  ['That was from a match I just played', 'I played a match'],
  ['It was late, so I took a taxi', 'I took a taxi'],
] as const satisfies readonly (readonly [string, string])[];
