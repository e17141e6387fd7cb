import { termsOf } from '@turnkeeper/search';
import { path } from '../../tools/shared/api.mjs';
import { NOT_COUNTED } from './formats.mjs';

const BUDGETS = [400, 800, 1600];

/** Share of the answers' words, stemmed and without stop words, in the context block for their question. */
export const measureContext = async (api, memoryId, conversations) => {
  const shares = Object.fromEntries(BUDGETS.map((budget) => [budget, /** @type {number[]} */ ([])]));
  for (const { actorId, questions } of conversations) {
    for (const { text, answer, category } of questions) {
      const wanted = [...termsOf(answer, 'en').keys()];
      if (category === NOT_COUNTED || wanted.length === 0) continue;
      for (const budget of BUDGETS) {
        const block = await api.post(path`/memory/memories/${memoryId}/actors/${actorId}/context`, {
          query: text,
          budget,
        });
        const held = termsOf(block.text, 'en');
        shares[budget].push(wanted.filter((term) => held.has(term)).length / wanted.length);
      }
    }
  }
  const mean = (list) => (100 * list.reduce((sum, share) => sum + share, 0)) / Math.max(1, list.length);
  return Object.fromEntries(BUDGETS.map((budget) => [budget, mean(shares[budget])]));
};
