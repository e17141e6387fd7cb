const VERB = /\b(?:ignore|disregard|forget|override|bypass)\b/gi;
const ORDERS = /\b(?:instructions?|rules?|prompts?|guidelines?|restrictions?|(?:you were|been) told)\b/i;
const TAG = /<\/?(?:system|assistant|instructions?|operator|developer)\b/gi;
/** How far apart, in characters, the two parts of a sign can be. */
const GAP = 40;
const LONGEST_ORDER = 13;

/** The text right after each match. Cut to a bound: a pattern over both parts is quadratic in the number of matches. */
const after = (content: string, pattern: RegExp, length: number): string[] =>
  [...content.matchAll(pattern)].map(({ 0: { length: matched }, index }) =>
    content.slice(index + matched, index + matched + length),
  );

/** "Ignore all previous instructions", within one sentence. */
const overridesOrders = (content: string): boolean =>
  after(content, VERB, GAP + LONGEST_ORDER).some((text) => {
    const [sentence = ''] = text.split(/[.!?\n]/, 1);
    return (ORDERS.exec(sentence)?.index ?? Number.POSITIVE_INFINITY) <= GAP;
  });

const hasRoleTag = (content: string): boolean => after(content, TAG, GAP + 1).some((text) => text.includes('>'));

const SIGNS: readonly RegExp[] = [
  /\[\/?(?:inst|system)\]|<\|/i,
  /^\s*(?:system|developer|operator)\s*:/i,
  /\b(?:developer|admin|god|debug) mode\b/i,
  /\byou (?:must|have to|shall|are required to) (?:store|save|remember|record|memori[sz]e|add)\b/i,
  /\b(?:add|write|save|store|insert|append) (?:this |that |the following )?(?:to|into|in) (?:your |the |long-term )?memory\b/i,
  /\bstore the following\b|\bnew (?:system )?(?:rule|instruction)s?\s*:/i,
  /\bsave that I\b/,
];

/**
 * A message that contains instructions to the system. The whole message is ignored, because none of it can be trusted.
 */
export const isInjection = (content: string): boolean =>
  SIGNS.some((sign) => sign.test(content)) || overridesOrders(content) || hasRoleTag(content);
