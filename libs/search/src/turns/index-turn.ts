import { isAssistantRole, isSilentSource, isUserRole, type MessageAppended } from '@turnkeeper/domain';
import { detectLanguage, type Language } from '../text/languages.js';
import { termsOf } from '../text/tokenise.js';
import { traitsOf } from './traits.js';
import type { IndexedTurn } from './turn.js';

/** Where clients describe a picture that was sent along; what it shows is part of what was said. */
const CAPTIONS = ['imageCaption', 'caption', 'imageDescription'] as const;
/** Roles whose messages are not utterances. */
const UNSPOKEN = new Set(['system', 'developer', 'tool', 'function']);
const A_DAY = 86_400_000;
const LONGEST_NAME = 100;

/**
 * What the index keeps of a message; null for one that is not searched: no text, no person's words, or a text that the
 * platform put in by itself.
 *
 * @param at when it was said, else when it arrived (ISO 8601)
 * @param before the language of the session so far, for texts that do not show their own
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
    terms: termsOf(text, language),
  };
};

/** What of a message is searched: its text and the captions of its pictures. */
export const searchedText = ({ content, metadata }: MessageAppended): string => {
  const captions = CAPTIONS.map((name) => textOf(metadata?.[name])).filter((caption) => caption !== undefined);
  return [content, ...captions].join(' ').toWellFormed();
};

/** The speaker's name as the client gave it; null when it gave none. */
export const speakerOf = ({ metadata }: MessageAppended): string | null => {
  const speaker = (textOf(metadata?.['speaker']) ?? textOf(metadata?.['user']))?.trim();
  return speaker === undefined || speaker === '' ? null : speaker.slice(0, LONGEST_NAME);
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : undefined;

const roleOf = (role: string): string => {
  if (isUserRole(role)) return 'user';
  return isAssistantRole(role) ? 'assistant' : role.toLowerCase();
};
