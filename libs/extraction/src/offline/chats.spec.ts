import { askAndRead, type ExtractionInput } from '@turnkeeper/application';
import { describe, expect, it } from 'vitest';
import { OfflineExtractor } from './offline-extractor.js';

/** On a Monday: lines of a chat as people type them, `A:` is the agent. */
const factsOf = async (chat: readonly string[]): Promise<string[]> => {
  const input: ExtractionInput = {
    ...{ tenantId: 'tenant', strategyType: 'SEMANTIC', strategyVersion: 1, customPrompt: null, context: [] },
    messages: chat.map((line, index) => ({
      ...{ eventId: `event-${index + 1}`, sequence: index + 1, speaker: null, source: null },
      role: line.startsWith('A: ') ? 'assistant' : 'user',
      content: line.replace(/^A: /, ''),
      at: '2026-04-20T16:40:00Z',
    })),
  };
  const { candidates } = await askAndRead(new OfflineExtractor(), input, new AbortController().signal);
  return candidates.map(({ text, eventTime }) => (eventTime?.from === undefined ? text : `${text} ${eventTime.from}`));
};

describe('a chat as people type it', () => {
  it.each([
    // Openers without commas.
    [['yes hi my bag got lost at the ferry terminal'], "User's bag got lost at the ferry terminal."],
    [['yes but im lactose intolerant'], 'User is lactose intolerant.'],
    // Asides at the end.
    [['i hate clowns btw'], 'User hates clowns.'],
    [['my son Emil is allergic to cats but thats not important now'], "User's son Emil is allergic to cats."],
    [['id like to book a table for Friday please'], 'User would like to book a table for Friday.'],
    [['I work at a shop called Btw'], 'User works at a shop called Btw.'],
    [['my GP is Dr. Okonjo'], "User's GP is Dr. Okonjo."],
    [['my vet is Dora Okonjo'], "User's vet is Dora Okonjo."],
    [['my manager is Dora Okonjo now'], "User's manager is Dora Okonjo now."],
    // Without apostrophes.
    [['i dont like karaoke'], "User doesn't like karaoke."],
    [['i cant eat mussels'], "User can't eat mussels."],
    [["my name's Dora Okonjo"], "User's name is Dora Okonjo."],
    // What was before is not the new one.
    [['my new address is 12 Fig Lane. it used to be Oak Road 3'], "User's address used to be Oak Road 3."],
    // An answer that lists.
    [['A: Are you allergic to anything?', 'yeah latex, I get a rash'], 'User is allergic to latex.'],
    // The date of a sentence with another tense is not inherited.
    [['I need a refill for my inhaler. Dr Amari raised the dose last week'], 'User needs a refill for their inhaler.'],
    // A company's "we".
    [
      ['A: We can offer 2 June at 9:00 for the tetanus shot.'],
      'Assistant said: Assistant can offer 2 June at 9:00 for the tetanus shot. 2026-06-02',
    ],
  ])('%j contains %j', async (chat, fact) => {
    expect(await factsOf(chat)).toContain(fact);
  });

  it.each([
    // A number of people is no age.
    [['my aunt is joining the trip, so we are five'], 'five'],
    // "She" is the new one, not the one who leaves.
    [['Paula is retiring, the new one is called Danka. She comes on Fridays now.'], 'comes on Fridays'],
    // The time is said elsewhere.
    [["please ring me after six, I'm in a workshop until then"], 'workshop'],
    [['A: Which day?', 'Tuesday, I work from home that day'], 'that day'],
    // It takes two to meet.
    [['We met at a fair in Turku in 1971.'], 'User met at'],
  ])('%j says nothing of %j', async (chat, words) => {
    expect((await factsOf(chat)).filter((fact) => !fact.startsWith('User said:')).join(' ')).not.toContain(words);
  });
});
