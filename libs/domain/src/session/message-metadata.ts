import { plainText } from '../text/exact-json.js';
import type { MessageAppended } from './session-events.js';

type Metadata = MessageAppended['metadata'];

/** Metadata fields with a caption of an attached picture. */
const CAPTIONS = ['imageCaption', 'caption', 'imageDescription'] as const;

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? plainText(value) : null;

/**
 * The speaker's name as given by the client in `speaker`; null if there is none. `user` is not read: voice platforms set
 * it to the id of an account, and records would be about "user123".
 */
export const speakerIn = (metadata: Metadata): string | null => nameOf(metadata?.['speaker']);

/** What tells the users of a session apart: the speaker's name, else the platform's id of the user in `user`. */
export const speakerOrUserIn = (metadata: Metadata): string | null => speakerIn(metadata) ?? nameOf(metadata?.['user']);

const nameOf = (value: unknown): string | null =>
  typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed().trim() || null : null;

/** Captions of the pictures that came with the message. */
export const captionsIn = (metadata: Metadata): readonly string[] =>
  CAPTIONS.flatMap((name) => textOf(metadata?.[name]) ?? []);
