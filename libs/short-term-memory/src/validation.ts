import { assertMessage, InvalidMessage } from '@turnkeeper/domain';
import type { NewMessage } from './backend.js';
import type { Metadata } from './types.js';

const MAX_ID_CHARACTERS = 255;
const MAX_ROLE_CHARACTERS = 64;
const MAX_CONTENT_CHARACTERS = 100_000;
const MAX_METADATA_CHARACTERS = 262_144;
const MAX_LEVELS = 16;
const MAX_MESSAGES = 1_000;

/** An argument breaks a rule, and nothing was done. The rules are those of the server, wherever messages are stored. */
export class InvalidArgument extends RangeError {
  override readonly name = 'InvalidArgument';
  constructor(
    /** `sessionId`, `role`, `content`, `limit`, `query`, or a path such as `metadata.source`. */
    readonly field: string,
    /** What holds for the field, e.g. `must not be empty`. */
    readonly rule: string,
  ) {
    super(`${field} ${rule}.`);
  }
}

const assertText = (field: string, value: unknown, min: number, max: number): void => {
  if (typeof value !== 'string') throw new InvalidArgument(field, 'must be text');
  if (value.length < min) throw new InvalidArgument(field, 'must not be empty');
  if (value.length > max)
    throw new InvalidArgument(field, `must have at most ${max.toLocaleString('en-US')} characters`);
  if (value.includes('\0')) throw new InvalidArgument(field, 'must not contain the NUL character');
};

export const assertSessionId = (sessionId: string): void => {
  assertText('sessionId', sessionId, 1, MAX_ID_CHARACTERS);
  if (/\p{Cc}/u.test(sessionId)) throw new InvalidArgument('sessionId', 'must not contain control characters');
  if (!sessionId.isWellFormed()) throw new InvalidArgument('sessionId', 'must be well-formed Unicode');
  // They cannot be used in a URL: clients interpret them as path steps, even when escaped.
  if (sessionId === '.' || sessionId === '..') throw new InvalidArgument('sessionId', 'must not be "." or ".."');
};

export const assertLimit = (limit: number): void => {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_MESSAGES) return;
  throw new InvalidArgument('limit', `must be a whole number from 1 to ${MAX_MESSAGES.toLocaleString('en-US')}`);
};

export const assertQuery = (query: string): void => assertText('query', query, 0, MAX_CONTENT_CHARACTERS);

/** Validates a message. Later changes of the arguments have no effect on the returned one. */
export const messageOf = (role: string, content: string, metadata: Metadata | null): NewMessage => {
  assertText('role', role, 1, MAX_ROLE_CHARACTERS);
  assertText('content', content, 0, MAX_CONTENT_CHARACTERS);
  const copied = metadata === null ? {} : copyOf(metadata);
  const message = { role, content, ...(Object.keys(copied).length === 0 ? {} : { metadata: copied }) };
  try {
    assertMessage(message);
  } catch (error) {
    if (!(error instanceof InvalidMessage)) throw error;
    const { field = 'message', rule = 'contradicts itself' } = error.details;
    throw new InvalidArgument(field, rule);
  }
  return message;
};

/** What is left of metadata after a way through JSON. */
const copyOf = (metadata: Metadata): Metadata => {
  if (typeof metadata !== 'object' || Array.isArray(metadata)) {
    throw new InvalidArgument('metadata', 'must be an object');
  }
  let text: string;
  try {
    text = JSON.stringify(metadata);
  } catch {
    throw new InvalidArgument('metadata', 'must be JSON: no cycles, no BigInt');
  }
  if (text.length > MAX_METADATA_CHARACTERS) {
    const most = MAX_METADATA_CHARACTERS.toLocaleString('en-US');
    throw new InvalidArgument('metadata', `must have at most ${most} characters as JSON`);
  }
  const copied = JSON.parse(text) as Metadata;
  if (!isStorable(copied)) {
    throw new InvalidArgument('metadata', `must be at most ${MAX_LEVELS} levels deep and without NUL characters`);
  }
  return copied;
};

const isStorable = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'string') return !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_LEVELS) return false;
  return Object.entries(value).every(([key, inner]) => !key.includes('\0') && isStorable(inner, depth + 1));
};
