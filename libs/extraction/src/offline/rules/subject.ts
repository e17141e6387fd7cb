export const mentionsListener = (clause: string): boolean => /\b(?:you|your|yours|yourself)\b/i.test(clause);
