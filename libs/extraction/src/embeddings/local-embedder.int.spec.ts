import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import { LocalEmbedder } from './local-embedder.js';

const BUILT = new URL('../../dist/embeddings/local-model.thread.js', import.meta.url).href;

describe('the model in the npm package', () => {
  const embedder = new LocalEmbedder(false, BUILT);
  const never = new AbortController().signal;
  afterAll(() => embedder.close());
  const cosine = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, part, at) => sum + part * b[at]!, 0) / (Math.hypot(...a) * Math.hypot(...b));

  it('is installed with the project', () => {
    expect(LocalEmbedder.isInstalled()).toBe(true);
  });

  it('places texts with the same meaning closer together, off the event loop', { timeout: 120_000 }, async () => {
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 5);
    const texts = ['I adopted a puppy.', 'Any pets at home?', 'The invoice is overdue.'];
    const [puppy, pets, invoice] = (await embedder.embed(texts, never)) as [number[], number[], number[]];
    clearInterval(turning);
    expect([puppy.length, pets.length, invoice.length]).toEqual([512, 512, 512]);
    expect(cosine(puppy, pets)).toBeGreaterThan(cosine(puppy, invoice));
    expect(turns).toBeGreaterThan(3);
  });

  it.runIf(process.platform === 'linux')('gives way in the background', { timeout: 120_000 }, async () => {
    const niceOf = (thread: string): number => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
    };
    const nices = () => readdirSync('/proc/self/task').map(niceOf);
    await embedder.embed(['A question is answered at the priority of the process.'], never);
    expect(new Set(nices())).toEqual(new Set([getPriority()]));
    const background = new LocalEmbedder(true, BUILT);
    await background.embed(['A record'], never);
    expect(Math.max(...nices())).toBe(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
    await background.close();
  });

  it('handles any text, and an aborted call', { timeout: 120_000 }, async () => {
    const giveUp = new AbortController();
    const asked = embedder.embed(['a question'], giveUp.signal);
    giveUp.abort(new Error('too late'));
    await expect(asked).rejects.toThrow('too late');
    const odd = ['😀', '\u202eabc', '你好世界', 'x'.repeat(1_000), "'; drop table turns --"];
    const vectors = await embedder.embed(odd, never);
    expect(vectors.every((vector) => vector.length === 512 && vector.every(Number.isFinite))).toBe(true);
  });
});
