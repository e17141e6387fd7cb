/** No client's id can begin with it: ids hold no control characters. */
const MARK = '\u0001';

/** The actor of content that was submitted without one. */
export const NOBODY = MARK;

/**
 * The session in whose stream an actor's facts outside of conversations are.
 * It sorts below every session that a client can name, as all hidden sessions do.
 */
export const ACTOR_STREAM = '';

/** A session of its own for content that was submitted for extraction, of the conversation of that name or of none. */
export const contentSession = (id: string, sessionId: string): string => `${MARK}${id}${MARK}${sessionId}`;

/** What the client called the session; empty for one that it never named. */
export const sessionNameOf = (sessionId: string): string =>
  sessionId.startsWith(MARK) ? (sessionId.split(MARK)[2] ?? '') : sessionId;
