import type { WindowMessage } from '@turnkeeper/domain';
import { isAssistant } from '../rules/speakable.js';
import { firstName } from './first-names.js';

/** Names of speaker and listener, as used in facts. */
export interface Cast {
  readonly speaker: string;
  readonly listener: string;
  /** Other names that the conversation mentions. */
  readonly others?: ReadonlySet<string>;
}

const MAX_NAME_LENGTH = 60;

/** The name of a message's speaker in facts: the client's, or `User` / `Assistant`. */
export const nameOf = ({ role, speaker }: Pick<WindowMessage, 'role' | 'speaker'>): string => {
  const name = speaker?.replace(/[\s\p{C}]+/gu, ' ').trim() ?? '';
  if (name !== '' && name.length <= MAX_NAME_LENGTH && /\p{L}/u.test(name)) return name;
  return isAssistant(role) ? 'Assistant' : 'User';
};

/** The listener is the participant in the other role, with the latest name seen for it. */
export const castOf = (message: WindowMessage, conversation: readonly WindowMessage[]): Cast => {
  const side = isAssistant(message.role);
  const other = conversation.findLast(({ role }) => isAssistant(role) !== side);
  return {
    speaker: nameOf(message),
    listener: nameOf(other ?? { role: side ? 'user' : 'assistant', speaker: null }),
  };
};

/** Words within a sentence that are written like names, and common first names at the start of one. */
export const namesIn = (conversation: readonly WindowMessage[]): ReadonlySet<string> => {
  const found = (pattern: RegExp) => new Set(conversation.flatMap(({ content }) => content.match(pattern) ?? []));
  const names = found(/(?<=[\p{Ll},;:] )\p{Lu}\p{Ll}{2,20}(?!\p{L})/gu);
  const first = found(/(?<=^|[.!?\n] ?)\p{Lu}\p{Ll}{2,20}(?=['’]s | \p{Ll})/gu);
  const known = [...first].filter((word) => !names.has(word) && firstName(word) !== null);
  return new Set([...names, ...known]);
};

/** Its "we" is its company. */
export const isUnnamedAgent = (name: string): boolean => name === 'Assistant';
/** Whether no name is known for this side of the conversation. */
export const isUnnamed = (name: string): boolean => name === 'User' || name === 'Assistant';
