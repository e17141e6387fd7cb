import type { MessageEvent } from '../session/fold-messages.js';

/** `ROLE: content`, a blank line between messages; empty text for no messages (as `SQLiteShortTermMemory` formats). */
export const formatMessages = (messages: readonly Pick<MessageEvent, 'data'>[]): string =>
  messages.map(({ data }) => `${data.role.toUpperCase()}: ${data.content}`).join('\n\n');
