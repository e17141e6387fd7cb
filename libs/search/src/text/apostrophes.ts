const ANY = /['’]/u;
const ALL = /['’]/gu;
const POSSESSIVE = /['’]s$/u;
/** French and Italian words lose their last vowel before another one: `l'anniversaire`, `dell'arte`. */
const ELIDED = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|un|all|dall|dell|nell|quell|sull)['’](?=\p{L}{2})/u;

/** A word in lower case without its possessive and its elided article; other apostrophes are dropped. */
export const withoutApostrophes = (word: string): string =>
  ANY.test(word) ? word.replace(POSSESSIVE, '').replace(ELIDED, '').replace(ALL, '') : word;
