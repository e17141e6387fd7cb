/** "a" or "an", by the first letter of the next word. */
export const aOrAn = (next: string): string => (/^[aeiou]/i.test(next) ? 'an' : 'a');
