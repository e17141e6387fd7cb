import type { WindowMessage } from '@turnkeeper/domain';

/** Who speaks and who listens, by the names that go into the facts. */
export interface Cast {
  readonly speaker: string;
  readonly listener: string;
}

const ROLE_NAMES: Readonly<Record<string, string>> = { user: 'User', assistant: 'Assistant' };
const MAX_NAME_LENGTH = 60;

/** The name a message's speaker goes by in facts: the client's, or `User` / `Assistant`. */
export const nameOf = (message: Pick<WindowMessage, 'role' | 'speaker'>): string => {
  const name = message.speaker?.replace(/[\s\p{C}]+/gu, ' ').trim() ?? '';
  if (name !== '' && name.length <= MAX_NAME_LENGTH && /\p{L}/u.test(name)) return name;
  return ROLE_NAMES[message.role] ?? 'User';
};

/** The listener is whoever holds the other role, by the newest name seen for it. */
export const castOf = (message: WindowMessage, conversation: readonly WindowMessage[]): Cast => {
  const other = message.role === 'assistant' ? 'user' : 'assistant';
  const heard = conversation.findLast((one) => one.role === other);
  return { speaker: nameOf(message), listener: nameOf(heard ?? { role: other, speaker: null }) };
};
