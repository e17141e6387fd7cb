import type { Json } from '../session/session-events.js';

/** The actor and session that a call belongs to. */
export interface CallPlace {
  readonly actorId: string;
  readonly sessionId: string;
}

/** Maximum length of an actor or session id, in characters. */
const MAX_ID = 255;

/** A vendor's value as an actor or session id; null if it cannot be one. */
export const placeId = (value: Json | undefined): string | null => {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  // Two ids that differ only in a lone surrogate would be equal in the database; dots cannot be part of a URL.
  return text === '' || text === '.' || text === '..' || text.length > MAX_ID || !text.isWellFormed() ? null : text;
};
