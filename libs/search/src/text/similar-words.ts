/** Shortest word that is compared letter by letter: of shorter ones, too many are alike. */
const SHORTEST = 4;
/** Letters that two forms of a word have in common at their start, and as a share of the shorter one. */
const COMMON_LETTERS = 5;
const COMMON_SHARE = 0.8;

/** Whether two words are likely forms of one: "complaint" and "complain", "membership" and "member". */
export const isOtherForm = (a: string, b: string): boolean => {
  const shorter = Math.min(a.length, b.length);
  if (shorter < COMMON_LETTERS) return false;
  let common = 0;
  while (common < shorter && a[common] === b[common]) common += 1;
  return common >= COMMON_LETTERS && common >= COMMON_SHARE * shorter;
};

/** Slips that a word of this length may have: a letter too many, one missing, a wrong one, or two swapped. */
export const slipsAllowed = (length: number): number => (length < SHORTEST ? 0 : length < 6 ? 1 : length < 10 ? 2 : 3);

/** A bit for each letter that a word has; letters beyond a to z share bits. */
const lettersOf = (word: string): number => {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
};

const bitsIn = (bits: number): number => {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
};

/** Number of slips between two words; `most + 1` if there are more. */
export const slipsBetween = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  // A slip adds one letter and takes one away at most. Most words are told apart by this, at a tenth of the cost.
  const [ofA, ofB] = [lettersOf(a), lettersOf(b)];
  if (bitsIn(ofA & ~ofB) > most || bitsIn(ofB & ~ofA) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let slips = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) slips = Math.min(slips, (beforeLast[column - 2] ?? 0) + 1);
      current.push(slips);
      least = Math.min(least, slips);
    }
    if (least > most) return most + 1;
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? most + 1;
};

/** Whether a word may be a misspelling of another one. Few people get the first letter wrong. */
export const isMisspelt = (word: string, as: string): boolean => {
  if (word[0] !== as[0] || word === as) return false;
  const most = slipsAllowed(Math.min(word.length, as.length));
  return most > 0 && slipsBetween(word, as, most) <= most;
};
