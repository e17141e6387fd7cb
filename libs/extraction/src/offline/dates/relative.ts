/** A word or phrase that means another day each time it is said: "yesterday", "last week", "on Friday". */
const RELATIVE =
  /\b(?:yesterday|today|tomorrow|tonight|ago|(?:last|next|this|past) (?:night|week|weekend|month|year|summer|winter|spring|fall|autumn|morning|evening|\w+day)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i;

export const hasRelativeDate = (text: string): boolean => RELATIVE.test(text);
