import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LocalEmbedder } from './local-embedder.js';

/** Stands for the model: takes some milliseconds for a text, and is busy meanwhile. */
const MODEL = `
  export default (texts) => {
    for (const end = performance.now() + 5; performance.now() < end;);
    return texts.map(() => [1]);
  };`;
const never = () => new AbortController().signal;

describe('the thread of the local model', () => {
  const folder = mkdtempSync(join(tmpdir(), 'local-embedder-'));
  const file = join(folder, 'model.mjs');
  beforeAll(() => writeFileSync(file, MODEL));
  afterAll(() => rmSync(folder, { recursive: true }));
  let embedder: LocalEmbedder;
  const answered: string[] = [];
  const ask = async (tenantId: string, signal = never(), question = 'a question'): Promise<void> => {
    await embedder.embed([question], signal, tenantId);
    answered.push(tenantId);
  };
  afterEach(async () => {
    answered.length = 0;
    await embedder.close();
  });

  it('takes tenants in turn: one that floods it delays another by one question', async () => {
    embedder = new LocalEmbedder(false, pathToFileURL(file).href);
    const flood = Array.from({ length: 100 }, () => ask('flood'));
    await ask('other');
    expect(answered.length).toBeLessThanOrEqual(2);
    // And again while the flood waits.
    const before = answered.length;
    await ask('other');
    expect(answered.length - before).toBeLessThanOrEqual(2);
    await Promise.all(flood);
    expect(answered).toHaveLength(102);
  });

  it('lets another tenant ask between the pieces of a long question', async () => {
    embedder = new LocalEmbedder(false, pathToFileURL(file).href);
    const long = ask('flood', never(), 'word '.repeat(50));
    await ask('other');
    expect(answered).toEqual(['other']);
    await long;
    expect(answered).toEqual(['other', 'flood']);
  });

  it('forgets a question whose search gave up', async () => {
    embedder = new LocalEmbedder(false, pathToFileURL(file).href);
    const giveUp = new AbortController();
    const first = ask('a');
    const late = ask('a', giveUp.signal);
    giveUp.abort(new Error('too late'));
    await expect(late).rejects.toThrow('too late');
    await first;
    expect(answered).toEqual(['a']);
  });

  it('loads the model when it is first looked for, and says when it has', async () => {
    embedder = new LocalEmbedder(false, pathToFileURL(file).href);
    expect(embedder.isLoaded()).toBe(false);
    await expect.poll(() => embedder.isLoaded()).toBe(true);
  });
});
