import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OfflineExtractor } from '../offline/offline-extractor.js';
import { readDialogues } from './read-dialogues.js';
import { runDialogue } from './run-dialogue.js';

const read = (file: string) => readDialogues(readFileSync(new URL(file, import.meta.url), 'utf8'));

describe.each([
  ['tuned.dialogues.txt', 0.95],
  ['kept-aside.dialogues.txt', 0.8],
])('scripted dialogues in %s', (file, floor) => {
  it(`pass in ${floor * 100} of 100 cases`, async () => {
    const dialogues = read(file);
    const failed: string[] = [];
    for (const dialogue of dialogues) {
      const { failures, records } = await runDialogue(dialogue, new OfflineExtractor());
      if (failures.length > 0) {
        const texts = records.map(({ text, supersededBy }) => `${supersededBy === null ? '' : '(gone) '}${text}`);
        failed.push(
          `${dialogue.kind}: ${dialogue.name}\n    ${failures.join('\n    ')}\n    got ${JSON.stringify(texts)}`,
        );
      }
    }
    expect(dialogues.length).toBeGreaterThanOrEqual(100);
    const share = 1 - failed.length / dialogues.length;
    expect(share, `${failed.length} of ${dialogues.length} fail:\n${failed.join('\n')}`).toBeGreaterThanOrEqual(floor);
  }, 60_000);
});
