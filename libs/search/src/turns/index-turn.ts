import {
  captionsIn,
  isAssistantRole,
  isSilentSource,
  isUserRole,
  speakerIn,
  type MessageAppended,
} from '@turnkeeper/domain';
import { detectLanguage, type Language } from '../text/languages.js';
import { termsOf } from '../text/tokenise.js';
import { traitsOf } from './traits.js';
import type { IndexedTurn } from './turn.js';

/** Roles whose messages were not spoken. */
const UNSPOKEN = new Set(['system', 'developer', 'tool', 'function']);
const A_DAY = 86_400_000;
const LONGEST_NAME = 100;

/**
 * The index entry of a message. Returns null if it is not searchable: no text, not spoken by a participant, or inserted
 * by the platform.
 *
 * @param at when it was said, else when it arrived (ISO 8601)
 * @param before language of the session so far, for texts whose own is undecidable
 */
export const indexTurn = (message: MessageAppended, at: string, before: Language): IndexedTurn | null => {
  const source = textOf(message.metadata?.['source']);
  if (UNSPOKEN.has(message.role.toLowerCase()) || isSilentSource(source ?? null)) return null;
  const text = searchedText(message);
  if (text.trim() === '') return null;
  const language = detectLanguage(text, before);
  return {
    ...traitsOf(message.content),
    day: Math.floor(Date.parse(at) / A_DAY),
    speaker: speakerOf(message)?.toLowerCase() ?? null,
    role: roleOf(message.role),
    language,
    text: message.content,
    terms: termsOf(text, language),
  };
};

/** The searchable text of a message: its content and picture captions. */
export const searchedText = ({ content, metadata }: MessageAppended): string =>
  [content, ...captionsIn(metadata).map(textOf)].join(' ').toWellFormed();

/** The speaker's name as given by the client, or null. */
export const speakerOf = ({ metadata }: MessageAppended): string | null =>
  speakerIn(metadata)?.slice(0, LONGEST_NAME) ?? null;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : undefined;

const roleOf = (role: string): string => {
  if (isUserRole(role)) return 'user';
  return isAssistantRole(role) ? 'assistant' : role.toLowerCase();
};
