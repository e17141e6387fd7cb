/** Names the person who speaks: the mark of a statement about oneself. Contractions are spelled out. */
export const mentionsSpeaker = (clause: string): boolean =>
  /\b(?:I|me|my|mine|myself|we|us|our|ours|ourselves)\b/i.test(clause);

export const mentionsListener = (clause: string): boolean => /\b(?:you|your|yours|yourself)\b/i.test(clause);

const PRONOUN = /^(?:it|that|this|they|those|these|their|his|her|its|he|she|there|which)\b/i;
/** Speech leaves out "it" too: "Reminds me of home". */
const LEFT_OUT_IT =
  /^(?:really |also |just |always |sure |almost )*(?:reminds?|makes?|made|feels?|felt like|means?|meant|helps?|helped|keeps?|gives?|gave|shows?|showed|been|seems?|sounds?|looks?|turns out|wish)\b/i;

/** A subordinate clause without its main clause: "Because I was tired." */
const SUBORDINATE = /^(?:since|because|'cause|when|until|if|though|although|such as|like)\b[^,]*$/i;

/** Begins with a word that stands for something said before, so that the clause means nothing alone. */
export const leansOnBefore = (clause: string): boolean =>
  PRONOUN.test(clause) || LEFT_OUT_IT.test(clause) || SUBORDINATE.test(clause);
