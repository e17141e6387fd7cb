import type { OfflineGate, WindowMessage } from '@turnkeeper/domain';
import type { Told } from './facts/fact.js';
import { preferenceIn } from './rules/preferences.js';
import { isUser } from './rules/speakable.js';
import { topicOf } from './rules/topic.js';

/** Whether a fact is kept. */
export type Judge = (told: Told, message: WindowMessage) => boolean;

/**
 * Which facts pass a gate. Rules cannot follow a prompt, so `topic_of_prompt` keeps facts that share a word with it; a
 * prompt without content words ("remember what matters") keeps none.
 */
export const judgeFor = (gate: OfflineGate, customPrompt: string | null): Judge => {
  switch (gate) {
    case 'all':
      return () => true;
    case 'none':
      return () => false;
    case 'preferences':
      return (told, { role }) => isUser(role) && isPreference(told);
    case 'topic_of_prompt': {
      const topic = topicOf(customPrompt ?? '');
      return (told) => topic.covers('text' in told ? told.text : told.plain);
    }
  }
};

const VIETNAMESE_PREFERENCE =
  /(?:^|\s)(?:thích|ghét|yêu|mê|ưa|dị ứng|kiêng|không ăn|không uống|thường|hay|luôn)(?=\s)/iu;

const isPreference = (told: Told): boolean =>
  told.kind === 'written'
    ? VIETNAMESE_PREFERENCE.test(told.text)
    : told.kind === 'own' && preferenceIn(told.plain) !== null;
