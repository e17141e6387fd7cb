import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NotesExtractor } from '../notes/notes-extractor.js';
import { readDialogues } from '../testing/read-dialogues.js';
import { runDialogue } from '../testing/run-dialogue.js';

const dialogues = readDialogues(readFileSync(new URL('changes.dialogues.txt', import.meta.url), 'utf8'));

/** Not every change is seen: these are not. A change of the rules that loses or gains one shows here. */
it('what changes in a call is no longer current, and what stands beside it is', async () => {
  const missed: string[] = [];
  for (const dialogue of dialogues) {
    const { failures, records } = await runDialogue(dialogue, new NotesExtractor());
    missed.push(...failures.map((failure) => `${dialogue.name}: ${failure}`));
    if (process.env['LIST_NOTES'] !== undefined)
      console.log(
        dialogue.name,
        failures,
        records.map(
          ({ text, supersededBy, attribute }) =>
            `${supersededBy ? '-' : '+'} ${text} [${attribute ? `${attribute.name}=${attribute.value}` : ''}]`,
        ),
      );
  }
  const expected = dialogues.flatMap(({ expectations }) => expectations.map(({ kind }) => kind));
  const figures = (kinds: RegExp): string => {
    const all = expected.filter((kind) => kinds.test(kind)).length;
    return `${all - missed.filter((one) => kinds.test(one.split(': ')[1] ?? '')).length} of ${all}`;
  };
  expect({ ended: figures(/^(?:changed|ended)$/), both: figures(/^both$/), missed }).toMatchInlineSnapshot(`
    {
      "both": "14 of 14",
      "ended": "22 of 25",
      "missed": [
        "a booking that fails and then succeeds: changed: two nights -> one night",
        "a plan moved in a later call: changed: 12 March at ten -> 19 March at ten",
        "a new plan in a later call: changed: 10 gigabyte -> 40 gigabyte",
      ],
    }
  `);
});
