/**
 * Text that Postgres can hold in `text` and `jsonb`: no NUL, no half of a surrogate pair. Both become U+FFFD, so
 * that a stored answer still shows where they were.
 */
export const storable = (text: string): string => text.replace(/[\0\p{Cs}]/gu, '\uFFFD');
