import { readdirSync, readFileSync } from 'node:fs';
import { askAndRead, type ExtractionInput } from '@turnkeeper/application';
import { admit, slotOf, type ExtractedRecord, type WindowMessage } from '@turnkeeper/domain';
import { startModelServer, type ModelServer } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNumbers } from '../numbers/read-numbers.js';
import { MODEL_DEFAULTS } from './model-config.js';
import { OpenAiCompatibleExtractor } from './openai-compatible-extractor.js';
import { secrets } from '../secrets/secrets.js';

/**
 * Invented calls, and what a careful model answered when it was shown our prompt. The answers were written from the
 * prompt and the conversation alone.
 */
interface Story {
  readonly domain: string;
  readonly calls: readonly {
    readonly at: string;
    readonly turns: readonly string[];
    /** Names by role. */
    readonly speakers?: Readonly<Record<string, string>>;
    readonly answer: string;
  }[];
  /** Parts of texts that are current after the last call, and parts of none of them. */
  readonly current: readonly string[];
  readonly gone: readonly string[];
}

const FOLDER = new URL('../../fixtures/answers/', import.meta.url);
const STORIES = readdirSync(FOLDER).map((file) => {
  const story = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Story;
  return { name: file.replace('.json', ''), ...story };
});

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const windowOf = ({ at, turns, speakers = {} }: Story['calls'][number], before: number): WindowMessage[] =>
  turns.map((turn, index) => {
    const [, role = '', content = ''] = /^(\w+): ([^]*)$/.exec(turn) ?? [];
    const sequence = before + index + 1;
    const time = new Date(Date.parse(at) + index * 5_000).toISOString();
    return {
      eventId: `event-${sequence}`,
      sequence,
      role,
      speaker: speakers[role] ?? null,
      content,
      at: time,
      source: null,
    };
  });

/** Runs the calls of a story one after the other, as the service does. */
const run = async ({ calls }: Story) => {
  const records = new Map<string, ExtractedRecord>();
  const superseded = new Map<string, string>();
  const refused: unknown[] = [];
  let unknownRelations = 0;
  let sequence = 0;
  for (const call of calls) {
    const messages = windowOf(call, sequence);
    sequence += messages.length;
    const known = [...records.values()].filter(({ recordId }) => !superseded.has(recordId));
    const input: ExtractionInput = {
      tenantId: 't',
      strategyType: 'SEMANTIC',
      strategyVersion: 1,
      customPrompt: null,
      context: [],
      messages,
      existing: known,
    };
    server.behave((_, reply) => reply.completion(call.answer));
    const extractor = new OpenAiCompatibleExtractor({
      ...MODEL_DEFAULTS,
      baseUrl: server.url,
      model: 'recorded',
      apiKey: null,
    });
    const { candidates } = await askAndRead(extractor, input, new AbortController().signal);
    const admission = admit({
      candidates,
      window: messages,
      known,
      shown: known.map(({ recordId }) => recordId),
      namespace: '/n',
      newId: (index) => `${sequence}-${index}`,
      slotFor: (candidate) => slotOf(candidate, 'actor'),
      readNumbers,
      secrets,
    });
    for (const record of admission.records) records.set(record.recordId, record);
    for (const { recordId, by } of admission.superseded) superseded.set(recordId, by);
    refused.push(...admission.refused);
    unknownRelations += admission.unknownRelations;
  }
  const current = [...records.values()].filter(({ recordId }) => !superseded.has(recordId));
  return { current, refused, unknownRelations };
};

describe('recorded answers to invented calls', () => {
  it.each(STORIES)('$name: $domain', async (story) => {
    const { current, refused, unknownRelations } = await run(story);
    const texts = current.map(({ text }) => text);
    expect(refused).toEqual([]);
    expect(unknownRelations).toBe(0);
    for (const part of story.current) expect(texts.join('\n')).toContain(part);
    for (const part of story.gone) expect(texts.join('\n')).not.toContain(part);
    for (const { sources } of current) expect(sources.length).toBeGreaterThan(0);
  });

  it('hold no doubts', async () => {
    const doubtful: string[] = [];
    for (const story of STORIES) {
      const { current } = await run(story);
      doubtful.push(...current.flatMap(({ text, doubts }) => (doubts === undefined ? [] : [text])));
    }
    expect(doubtful).toEqual([]);
  });

  it('keep one value of each single attribute', async () => {
    for (const story of STORIES) {
      const { current } = await run(story);
      const keys = current.flatMap(({ slot }) => slot?.key ?? []);
      expect(keys).toEqual([...new Set(keys)]);
    }
  });
});
