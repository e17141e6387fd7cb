import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NotesExtractor, OpenAiCompatibleExtractor, MODEL_DEFAULTS } from '@turnkeeper/extraction';
import { startModelServer } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConversations } from './locomo.mjs';
import { measuresOf } from './measures.mjs';
import { readConversation } from './read-conversation.mjs';
import { drawn, recordsWithMessages } from './sample.mjs';

/** A synthetic conversation in LoCoMo's format. */
const FILE = [
  {
    sample_id: 'own-1',
    conversation: {
      speaker_a: 'Ida',
      speaker_b: 'Olle',
      session_1_date_time: '1:00 pm on 4 May, 2026',
      session_1: [
        { dia_id: 'D1:1', speaker: 'Ida', text: 'I moved to Turku last week. FACT: Ida moved to Turku.' },
        { dia_id: 'D1:2', speaker: 'Olle', text: 'How lovely!' },
        { dia_id: 'D1:3', speaker: 'Ida', text: 'The harbour is so quiet at night.' },
      ],
      session_2_date_time: '1:00 pm on 4 August, 2026',
      session_2: [{ dia_id: 'D2:1', speaker: 'Ida', text: 'I moved to Oslo yesterday. FACT: Ida moved to Oslo.' }],
    },
    observation: {
      session_1_observation: {
        Ida: [
          ['Ida moved to Turku.', 'D1:1'],
          ['Ida likes the quiet harbour.', 'D1:3'],
        ],
      },
      session_2_observation: { Ida: [['Ida moved to Oslo.', 'D2:1']] },
    },
  },
];

describe('the evaluation', () => {
  let server;
  let folder;
  let file;
  beforeAll(async () => {
    server = await startModelServer();
    folder = mkdtempSync(join(tmpdir(), 'evaluate-'));
    file = join(folder, 'own.json');
    writeFileSync(file, JSON.stringify(FILE));
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const measure = async (extractor) => {
    const [conversation] = readConversations(file);
    return measuresOf(conversation, await readConversation(conversation, extractor));
  };

  it('measures notes', async () => {
    const m = await measure(new NotesExtractor());
    expect(m.wanted).toHaveLength(3);
    expect(m.covered).toEqual(['D1:1', 'D2:1']);
    expect([m.dated.length, m.timed.length, m.tokens]).toEqual([2, 3, 0]);
  });

  it('draws records to read, with their messages', async () => {
    const [conversation] = readConversations(file);
    const { records } = await readConversation(conversation, new NotesExtractor());
    const all = recordsWithMessages(conversation, records);
    expect(all.map(({ eventId, message }) => [eventId, message.slice(0, 15)])).toEqual([
      ['D1:1', 'I moved to Turk'],
      ['D2:1', 'I moved to Oslo'],
      ['D2:1', 'I moved to Oslo'],
    ]);
    const items = Array.from({ length: 50 }, (_, index) => index);
    const sample = drawn(items, 10, 7);
    expect(drawn(items, 10, 7)).toEqual(sample);
    expect(new Set(sample).size).toBe(10);
    expect(drawn(items, 10, 8)).not.toEqual(sample);
    expect(drawn(items, 100, 7).sort((one, other) => one - other)).toEqual(items);
  });

  it('measures an endpoint in the same way, including its cost', async () => {
    const config = { ...MODEL_DEFAULTS, baseUrl: server.url, model: 'stub', apiKey: null };
    const m = await measure(new OpenAiCompatibleExtractor(config));
    expect(m.covered).toEqual(['D1:1', 'D2:1']);
    expect(m.records.map(({ text }) => text)).toEqual(['Ida moved to Turku.', 'Ida moved to Oslo.']);
    expect([m.superseded.length, m.dated.length, m.failed]).toEqual([0, 0, 0]);
    expect(m.tokens).toBeGreaterThan(0);
  });
});
