const EMAIL = /[\p{L}\p{N}_.+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu;
/** Digits in groups, as phone numbers are written. */
const NUMBER = /\+?\(?\d[\d ().-]{5,24}\d/gu;
/** Dates, spans of years, decimals, and amounts in groups of three. */
const NOT_A_NUMBER_TO_CALL =
  /^\(?(?:\d{4}[-.]\d{1,2}[-.]\d{1,2}|\d{1,2}[-.]\d{1,2}[-.]\d{4}|(?:19|20)\d{2}\b.*\b(?:19|20)\d{2})\b|^\d{1,3}\.\d+$|^[1-9]\d{0,2}(?: \d{3})+$/u;
/** E.164 allows 15 digits; shorter numbers than eight are not told from amounts. */
const [FEWEST_DIGITS, MOST_DIGITS] = [8, 15];

const isPhoneNumber = (text: string): boolean => {
  const digits = text.replace(/\D/gu, '').length;
  return digits >= FEWEST_DIGITS && digits <= MOST_DIGITS && !NOT_A_NUMBER_TO_CALL.test(text);
};

/** The text with `…` in place of e-mail addresses and phone numbers. */
export const withoutContacts = (text: string): string =>
  text.replace(EMAIL, '…').replace(NUMBER, (number) => (isPhoneNumber(number) ? '…' : number));

/** Whether a text contains an e-mail address or a phone number. */
export const holdsContact = (text: string): boolean => withoutContacts(text) !== text;
