const PARTICIPLE =
  /^(?:been|had|gone|done|seen|heard|taken|given|got|gotten|never|already|always|just|lost|met|made|come|become|known|\w+ed)$/i;

/**
 * Spells out what hides a subject's verb: "I'm" → "I am", "gonna" → "going to", "dunno" stays.
 * Curly apostrophes become straight ones.
 */
export const expandContractions = (text: string): string =>
  text
    .replaceAll('’', "'")
    .replace(
      /\b(i|we|you)'d (\w+)/gi,
      (_, who: string, next: string) => `${who} ${PARTICIPLE.test(next) ? 'had' : 'would'} ${next}`,
    )
    .replace(/\bi'm\b|\bim\b(?= \w)/gi, 'I am')
    .replace(/\bi've\b|\bive\b(?= \w)/gi, 'I have')
    .replace(/\bi'll\b/gi, 'I will')
    .replace(/\b(we|you)'re\b/gi, '$1 are')
    .replace(/\b(we|you)'ve\b/gi, '$1 have')
    .replace(/\b(we|you)'ll\b/gi, '$1 will')
    .replace(/\bgonna\b/gi, 'going to')
    .replace(/\bwanna\b/gi, 'want to')
    .replace(/\bgotta\b/gi, 'have to')
    .replace(/\bi\b(?!['-])/g, 'I')
    .replace(/\bI have have to\b/g, 'I have to');

/** Verbs in the past that people begin a sentence with when they leave out "I". */
const ELIDED =
  /^(?:just |finally |recently |already |even |also )*(?:got|went|started|took|had|made|met|bought|saw|tried|finished|signed|joined|moved|spent|visited|found|picked|decided|lost|won|did|came|ran|read|watched|played|learned|been)\b/i;
const ELIDED_ING =
  /^(?:just |still |currently |also )*(?:working|looking|thinking|planning|trying|hoping|learning|getting|training|studying|feeling|enjoying|taking|saving|searching|preparing|practicing|volunteering|considering)\b(?! (?:is|was|are|can|has|helps?|gives?|makes?|brings?)\b)/i;

/** Gives a sentence back the "I" that speech leaves out: "Just got a dog" → "I just got a dog". */
export const restoreSubject = (text: string): string => {
  const lower = text.charAt(0).toLowerCase() + text.slice(1);
  if (ELIDED.test(text))
    return /^(?:\w+ )*?been\b/i.test(text) && /^(?:just |also )?been\b/i.test(text) ? `I have ${lower}` : `I ${lower}`;
  if (ELIDED_ING.test(text)) return `I am ${lower}`;
  return text;
};
