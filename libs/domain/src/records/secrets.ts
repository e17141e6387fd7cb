const KEYWORD =
  /\b(?:pass ?words?|pass ?codes?|pass ?phrases?|pin(?: code| number)?|cvv2?|cvc|security code|otp|one[- ]time (?:code|password)|verification code|api[- ]?keys?|secret keys?|access (?:key|token)s?|private keys?|seed phrase|recovery phrase|social security|ssn|mật khẩu|mã pin|mã otp)\b/i;
/** The word alone, without a value, is harmless: "I forgot my password". */
const VALUE = /(?:\bis|:|=|\blà) ?\S|\d{3}/i;
const KEY = /\b(?:sk|pk|ghp|gho|xox[abp]|AKIA|AIza)[-_]?[\w-]{12,}/;
const SOCIAL_SECURITY = /\b\d{3}-\d{2}-\d{4}\b/;
const CODE = /\bcode(?: is|:)? \d{4,8}\b/i;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,4})?\b/;
const CARD = /\b\d(?:[ -]?\d){12,18}\b/g;

/**
 * Whether a text contains something that must never be remembered: a card or account number, a password, a PIN, a
 * one-time code or a key.
 */
export const holdsSecret = (text: string): boolean =>
  (KEYWORD.test(text) && (VALUE.test(text) || text.split(/\s/).some(isMixed))) ||
  KEY.test(text) ||
  SOCIAL_SECURITY.test(text) ||
  CODE.test(text) ||
  IBAN.test(text) ||
  [...text.matchAll(CARD)].some(([digits]) => isCardNumber(digits.replace(/\D/g, '')));

/** A word that mixes letters and digits, e.g. "tr0ub4dor". */
const isMixed = (word: string): boolean => word.length > 3 && /\d/.test(word) && /\p{L}/u.test(word);

/** Luhn check, which every card number passes. */
const isCardNumber = (digits: string): boolean => {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};
