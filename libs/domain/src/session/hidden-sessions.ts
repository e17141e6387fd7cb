/** Client ids never start with this, because ids must not contain control characters. */
const MARK = '\u0001';

/** Actor of content that was submitted without one. */
export const NO_ACTOR = MARK;

/**
 * Session whose stream holds an actor's events outside conversations. Like all hidden sessions, it sorts before every
 * session that a client can name.
 */
export const ACTOR_STREAM = '';

/** Session for one submission to extraction. `sessionId` is the conversation it names, or empty. */
export const contentSession = (id: string, sessionId: string): string => `${MARK}${id}${MARK}${sessionId}`;

/** The client's name for the session; empty if it never named one. */
export const sessionNameOf = (sessionId: string): string =>
  sessionId.startsWith(MARK) ? (sessionId.split(MARK)[2] ?? '') : sessionId;
