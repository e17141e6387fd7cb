/** Lyrics between note symbols, and lines quoted from an email. */
export const isForeignLine = (line: string): boolean => /[♪♫♬]/u.test(line) || /^\s*>/.test(line);

const QUOTED = /["“«]([^"“”«»]{2,200})["”»]/gu;
const SELF = /\b(?:I|I'm|I’m|my|me|we|our|i'm|i’m)\b/;
/** Verbs that introduce quoted speech. */
const SPEECH_VERB =
  /\b(?:says?|said|saying|goes|went|was like|is like|were like|told|tells|asked|yelled|shouted|wrote|texted|reads?|sings?|singing)\b/i;

/** Whether a sentence contains quoted speech, so that its "I" may be another person. Titles do not count. */
export const holdsQuotedSpeech = (sentence: string): boolean => {
  for (const [, inner = ''] of sentence.matchAll(QUOTED)) {
    if (SELF.test(inner) && (SPEECH_VERB.test(sentence) || !isTitle(inner))) return true;
  }
  return false;
};

/** "I Am Pilgrim": every longer word is capitalised. */
const isTitle = (text: string): boolean => text.split(/\s+/).every((word) => word.length < 4 || /^\P{Ll}/u.test(word));

export const examples = {
  quoted: [
    'My boss said "I hate Mondays".',
    'Marta goes "I am leaving my husband"',
    '♪ I want to break free ♪',
    '> I will be in Vienna',
  ],
  own: ['I just finished "I Am Pilgrim".', 'I watched "The Godfather".', 'I live in Hue.'],
};
