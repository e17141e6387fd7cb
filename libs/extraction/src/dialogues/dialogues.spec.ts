import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NotesExtractor } from '../notes/notes-extractor.js';
import { readDialogues } from '../testing/read-dialogues.js';
import { runDialogue } from '../testing/run-dialogue.js';

const dialogues = readDialogues(readFileSync(new URL('calls.dialogues.txt', import.meta.url), 'utf8'));

describe('notes of scripted calls', () => {
  it.each(dialogues.map((dialogue) => [`${dialogue.kind}: ${dialogue.name}`, dialogue] as const))(
    '%s',
    async (_, dialogue) => {
      const { failures, records, values } = await runDialogue(dialogue, new NotesExtractor());
      expect(failures, JSON.stringify({ texts: records.map(({ text }) => text), values }, null, 1)).toEqual([]);
    },
  );

  it('are of several languages and domains', () => {
    expect(dialogues.length).toBeGreaterThanOrEqual(40);
    expect(new Set(dialogues.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(7);
  });
});
