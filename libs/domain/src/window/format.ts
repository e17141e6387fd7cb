import { modelParagraph, modelRole } from '../model-text/model-text.js';
import type { MessageEvent } from '../session/fold-messages.js';

/**
 * Formats messages as `ROLE: content`, separated by blank lines, like `SQLiteShortTermMemory`; empty for no messages.
 * Continuation lines are indented, so that no line of a message can pass for another message.
 */
export const formatMessages = (messages: readonly Pick<MessageEvent, 'data'>[]): string =>
  messages.map(({ data }) => `${modelRole(data.role)}: ${modelParagraph(data.content)}`).join('\n\n');
