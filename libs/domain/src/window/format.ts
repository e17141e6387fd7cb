import { modelParagraph, modelRole } from '../model-text/model-text.js';
import type { MessageEvent } from '../session/fold-messages.js';

/**
 * `ROLE: content`, a blank line between messages; empty text for no messages (as `SQLiteShortTermMemory` formats). Only a
 * message begins at the start of a line: its further lines are indented, so that none can pose as another message.
 */
export const formatMessages = (messages: readonly Pick<MessageEvent, 'data'>[]): string =>
  messages.map(({ data }) => `${modelRole(data.role)}: ${modelParagraph(data.content)}`).join('\n\n');
