/**
 * Makes text storable in Postgres `text` and `jsonb`: NUL and lone surrogates become U+FFFD, so that a stored answer
 * still shows where they were.
 */
export const storable = (text: string): string => text.replace(/[\0\p{Cs}]/gu, '\uFFFD');
