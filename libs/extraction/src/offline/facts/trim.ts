import type { Clause } from './clause.js';
import { danglingIn } from './dangling.js';
import { breaksAfter, EMPTY, hasContent, TIME_NOUNS, type Token } from './tokens.js';
import { verbOf } from './verbs.js';

const JOINS =
  /^(?:and|but|so|because|cause|which|while|when|whenever|where|since|as|though|although|until|till|if|or|who|even|plus|especially|like|such|it's|that's|to|for)$/;
/** First words of a part that only comments or refers to something absent. */
const HEAD_OF_COMMENT =
  /^(?:it|it's|it'd|it'll|its|that|that's|thats|that'd|that'll|things|this|these|those|they|they're|there|there's|he|he's|she|she's|you|your|you're|which|what|who|how|hope|hopefully|can't|wow|let|if|felt|feels|made|makes|was|is|really|so|such|super|very|totally|pretty|definitely|super|talk|thanks|thank|haha|lol|yay|please|right|maybe|though|everyone|nothing|life)$/;
const JUDGEMENT =
  /^(?:fun|great|awesome|amazing|incredible|wonderful|fantastic|rewarding|exciting|inspiring|beautiful|perfect|nice|cool|crazy|tough|hard|scary|stressful|relaxing|therapeutic|freeing|awful|terrible|good|bad|happy|proud|glad|excited|grateful|thankful|blast)$/;

/**
 * Cuts the words after the verb at the first part that only comments ("- it was amazing"), addresses the listener, or
 * depends on a word without a referent.
 *
 * @param knowsListener "you" is a specific person, as in an agent's message to its user
 */
export const trimmed = (clause: Clause, knowsListener: boolean): Token[] => {
  const { tokens, objectAt } = clause;
  const hangs = (upTo: number): boolean => danglingIn(withoutListener(tokens.slice(0, upTo), knowsListener)) !== null;
  let end = objectAt;
  while (end < tokens.length) {
    const next = endOfPart(tokens, end);
    const part = tokens.slice(end, next);
    if (end > objectAt && isComment(part)) break;
    if (end > objectAt && hangs(next)) {
      // "at the rink where my dad played": the next part says which one.
      const further = /^(?:where|who|that|which)$/.test(tokens[next]?.key ?? '') ? endOfPart(tokens, next) : next;
      if (further === next || hangs(further)) break;
      end = further;
      continue;
    }
    end = next;
  }
  const kept = tokens.slice(0, end);
  // "the program I applied for", "what I am thankful for": nothing was cut behind the preposition.
  const isStranded =
    end === tokens.length &&
    /^(?:to|for|of|with)$/.test(kept.at(-1)?.key ?? '') &&
    (verbOf(kept.at(-2)?.key ?? '') !== null ||
      kept.slice(objectAt).some(({ key }) => /^(?:what|who|whom|which)$/.test(key)));
  while (
    !isStranded &&
    kept.length > objectAt &&
    /^(?:and|but|so|because|which|while|when|where|as|or|to|for|-+|–|—|the|a|an|my|of|with|who|that|plus|though|since|like|lol|haha|too|even|just|only|especially|mostly|mainly|being|not)$/.test(
      kept.at(-1)?.key || kept.at(-1)?.text || '-',
    )
  )
    kept.pop();
  return withoutBrokenEnd(kept, objectAt);
};

/** "…, the effects are": also removes the fragment of another statement that the cut leaves. */
const withoutBrokenEnd = (kept: Token[], objectAt: number): Token[] => {
  if (
    !/^(?:is|are|was|were|has|have|brings|makes|gives|will|want|wants|wanted|decided|tried)$/.test(
      kept.at(-1)?.key ?? '',
    )
  )
    return kept;
  const seam = kept.findLastIndex(
    (token, index) =>
      index > objectAt && (breaksAfter(kept[index - 1]) || JOINS.test(token.key) || token.text.startsWith("'cause")),
  );
  return seam < 0 ? kept : kept.slice(0, seam);
};

export const withoutListener = (tokens: readonly Token[], knowsListener: boolean): readonly Token[] =>
  knowsListener ? tokens.filter(({ key }) => !/^(?:you|your)$/.test(key)) : tokens;

const endOfPart = (tokens: readonly Token[], from: number): number => {
  for (let index = from + 1; index < tokens.length; index += 1) {
    if (
      breaksAfter(tokens[index - 1]) ||
      /^[-–—]+$/.test(tokens[index]?.text ?? '') ||
      JOINS.test(tokens[index]?.key ?? '')
    )
      return index;
  }
  return tokens.length;
};

const isComment = (part: readonly Token[]): boolean => {
  const words = part.filter(({ key }) => key !== '');
  const dashed = /^[-–—]+$/.test(part[0]?.text ?? '');
  const [first, second] = /^(?:and|but|so|because|cause|as|since|plus|or|even)$/.test(words[0]?.key ?? '')
    ? words.slice(1)
    : words;
  if (first === undefined) return false;
  // "My dad does judo and last week he beat me": another statement, with its own date.
  const time = words.findIndex(
    ({ key }) => !/^(?:and|but|so|last|this|next|yesterday|today|now|then)$/.test(key) && !TIME_NOUNS.has(key),
  );
  if (time > 1 && /^(?:he|she|they|it)$/.test(words[time]?.key ?? '')) return true;
  if (/^(?:if|which|who|so)$/.test(words[0]?.key ?? '')) return true;
  if (/^(?:take a (?:look|peek)|check (?:it|this|them|out))\b/.test(words.map(({ key }) => key).join(' '))) return true;
  // "I hosted a dinner to celebrate": what, stands elsewhere.
  if (words.length === 2 && first.key === 'to' && second?.key === 'celebrate') return true;
  if (HEAD_OF_COMMENT.test(first.key) && first !== undefined) return true;
  if (dashed && !hasContent(first) && !/^(?:i|my|the|a|an|in|on|at|for|with|from|to|two|three)$/.test(first.key))
    return true;
  if (words.some(({ key }) => /^(?:you|your|you're|you'll|you've|if|would|could|might|lol|haha)$/.test(key)))
    return true;
  if (
    words.every(({ key }) => EMPTY.has(key) || JUDGEMENT.test(key)) &&
    words.length > 1 &&
    words.some(({ key }) => JUDGEMENT.test(key))
  )
    return true;
  return JUDGEMENT.test(first.key) && (second === undefined || EMPTY.has(second.key));
};
