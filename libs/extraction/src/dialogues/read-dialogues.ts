/** A scripted conversation and its expected results. */
export interface Dialogue {
  /** The kind of conversation it tests: `repeat`, `update`, … */
  readonly kind: string;
  readonly name: string;
  /** Sessions in order, each extracted as one window. */
  readonly sessions: readonly { readonly day: string; readonly lines: readonly Line[] }[];
  readonly expectations: readonly Expectation[];
}

export interface Line {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** `keep`, `not`, `gone`, `none`, `most`, `sources`, `when`, `strength` or `skipped`, with its arguments. */
export interface Expectation {
  readonly kind: string;
  readonly words: string;
}

const FIRST_DAY = '2026-03-04';

/**
 * Reads a file of dialogues:
 *
 * ```
 * ## kind: name
 * u: what the user says          a: what the assistant says
 * @ 2026-03-20                   a new session on that day; the first is on Wednesday, 4 March 2026
 * keep: words                    a current record holds all the words; `a|b` is either
 * not: words                     no current record does
 * gone: words                    a superseded record does, and no current one
 * none                           there is no record
 * most: 1                        there are no more current records
 * sources: 2 words               a current record with all the words rests on so many messages
 * when: from..to words           … speaks of these days
 * strength: weak words           … states a preference that strongly
 * skipped: language              a sentence was left out for that reason
 * ```
 *
 * A word is found where a record holds it at the beginning of a word, in any case.
 */
export const readDialogues = (text: string): readonly Dialogue[] =>
  text
    .split(/^## /m)
    .slice(1)
    .map((block) => {
      const [title = '', ...rest] = block.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('# '));
      const [kind = '', name = ''] = title.split(': ');
      const sessions: { day: string; lines: Line[] }[] = [{ day: FIRST_DAY, lines: [] }];
      const expectations: Expectation[] = [];
      for (const line of rest) {
        const said = /^([ua]): (.*)$/.exec(line);
        const day = /^@ (\S+)$/.exec(line)?.[1];
        const expected = /^(keep|not|gone|none|most|sources|when|strength|skipped)(?:: (.*))?$/.exec(line);
        if (said !== null)
          sessions.at(-1)?.lines.push({ role: said[1] === 'u' ? 'user' : 'assistant', text: said[2] ?? '' });
        else if (day !== undefined) sessions.push({ day, lines: [] });
        else if (expected !== null) expectations.push({ kind: expected[1] ?? '', words: expected[2] ?? '' });
        else throw new Error(`Not a line of a dialogue: ${line}`);
      }
      if (expectations.length === 0) throw new Error(`Nothing is expected of "${title}".`);
      return { kind, name, sessions, expectations };
    });
