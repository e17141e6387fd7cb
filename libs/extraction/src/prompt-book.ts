import type { PromptBook } from '@turnkeeper/application';
import { promptHash } from './model/chat-request.js';
import { SYSTEM_PROMPT, taskPrompt } from './model/prompts/system-prompt.js';

/** The prompts of this release. Notes need none. */
export const promptBook: PromptBook = {
  promptOf: ({ type: strategyType, ...strategy }, hash) => {
    const asked = { ...strategy, strategyType };
    return promptHash(asked) === hash ? `${SYSTEM_PROMPT}\n\n${taskPrompt(asked)}` : null;
  },
};
