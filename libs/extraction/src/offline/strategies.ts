import type { StrategyType, WindowMessage } from '@turnkeeper/domain';
import type { Told } from './facts/fact.js';
import { preferenceIn } from './rules/preferences.js';
import { isUser } from './rules/speakable.js';
import { topicOf } from './rules/topic.js';

/** Whether a strategy keeps a fact. */
export type Judge = (told: Told, message: WindowMessage) => boolean;

/**
 * Which facts each strategy keeps.
 *
 * - SEMANTIC and SUMMARY: facts of both sides.
 * - USER_PREFERENCE: likes, dislikes, habits and constraints, in the user's own words only.
 * - CUSTOM: rules cannot follow a prompt, so it keeps the semantic facts that share a word with it. A prompt without
 *   content words ("remember what matters") keeps none.
 */
export const judgeFor = (type: StrategyType, customPrompt: string | null): Judge => {
  switch (type) {
    case 'SEMANTIC':
    case 'SUMMARY':
      return () => true;
    case 'USER_PREFERENCE':
      return (told, { role }) => isUser(role) && isPreference(told);
    case 'CUSTOM': {
      const topic = topicOf(customPrompt ?? '');
      return (told) => topic.covers(told.kind === 'written' ? told.text : told.plain);
    }
  }
};

const VIETNAMESE_PREFERENCE =
  /(?:^|\s)(?:thích|ghét|yêu|mê|ưa|dị ứng|kiêng|không ăn|không uống|thường|hay|luôn)(?=\s)/iu;

const isPreference = (told: Told): boolean =>
  told.kind === 'written'
    ? VIETNAMESE_PREFERENCE.test(told.text)
    : told.kind === 'own' && preferenceIn(told.plain) !== null;
