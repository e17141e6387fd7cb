import { askAndRead, type ExtractionInput } from '@turnkeeper/application';
import type { WindowMessage } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { OfflineExtractor } from './offline-extractor.js';

const summaryOf = async (lines: readonly string[], summary: string | null = null): Promise<string | null> => {
  const messages = lines.map((content, index): WindowMessage => ({
    eventId: `e${index}`,
    sequence: index + 1,
    role: 'user',
    speaker: null,
    source: null,
    content,
    at: '2026-03-04T12:00:00Z',
  }));
  const input: ExtractionInput = {
    tenantId: 't',
    strategyType: 'SUMMARY',
    strategyVersion: 1,
    customPrompt: null,
    context: [],
    messages,
    summary,
  };
  const answer = await askAndRead(new OfflineExtractor(), input, new AbortController().signal);
  return answer.summary ?? null;
};

describe('a summary without a model', () => {
  it('contains the decisions, with names, and the open question', async () => {
    expect(await summaryOf(['I moved to Porto last week.', 'Lovely weather!', 'When does my lease start?'])).toBe(
      'User moved to Porto (week of 23 February 2026). Left open: "When does my lease start?"',
    );
  });

  it('continues the previous summary without repeating it', async () => {
    expect(await summaryOf(['I adopted a dog.', 'I live in Hue.'], 'User adopted a dog.')).toBe(
      'User adopted a dog. User lives in Hue.',
    );
  });

  it('takes the sentences with the most content, in order', async () => {
    const lines = ['cats', 'dogs', 'birds', 'fish', 'mice'].map((pet) => `I have three ${pet}.`);
    const summary = await summaryOf([...lines, 'I decided to sell my boat in Hue.']);
    expect(summary?.split('. ')).toHaveLength(4);
    expect(summary).toContain('boat in Hue');
  });

  it.each(['I am opening a small bakery.', 'I applied for a scholarship.'])(
    'prefers decisions: %s',
    async (decision) => {
      const lines = ['Ana', 'Ben', 'Eva', 'Tom', 'Kim'].map((name) => `I have a friend called ${name} in Hue.`);
      const summary = await summaryOf([...lines.slice(0, 2), decision, ...lines.slice(2)]);
      expect(summary).toContain(/bakery|scholarship/.exec(decision)?.[0]);
    },
  );

  it('drops the open question once the conversation continues', async () => {
    const before = 'User has a dog. User moved to Porto. Left open: "When does my lease start?"';
    expect(await summaryOf(['I adopted a cat.'], before)).toBe(
      'User has a dog. User moved to Porto. User adopted a cat.',
    );
  });

  it('quotes the sentence with the most content if nothing else was understood', async () => {
    expect(await summaryOf(['The trip with Ana and Ben took us 9 hours in the rain.', 'So funny!'])).toBe(
      'User: "The trip with Ana and Ben took us 9 hours in the rain."',
    );
    expect(await summaryOf(['Die Fahrt mit Ana und Ben hat uns 9 Stunden gekostet.'])).toBeNull();
  });

  it('is null if nothing was understood, and contains no secret', async () => {
    expect(await summaryOf(['Hi!', 'Thanks.'])).toBeNull();
    expect(await summaryOf(['Is my PIN 4821?'])).toBeNull();
  });
});
