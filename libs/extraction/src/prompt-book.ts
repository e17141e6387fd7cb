import type { PromptBook } from '@turnkeeper/application';
import { strategyPrompt } from '@turnkeeper/domain';
import { promptHash } from './model/chat-request.js';
import { SYSTEM_PROMPT } from './model/prompts/system-prompt.js';

/** The prompts of this release. Notes need none. */
export const promptBook: PromptBook = {
  promptOf: ({ type, customPrompt }, hash) =>
    promptHash({ strategyType: type, customPrompt }) === hash
      ? `${SYSTEM_PROMPT}\n\n${strategyPrompt(type, customPrompt)}`
      : null,
};
