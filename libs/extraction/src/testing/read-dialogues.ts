/** A scripted conversation and its expected results. */
export interface Dialogue {
  /** The kind of conversation it tests: `repeat`, `update`, … */
  readonly kind: string;
  readonly name: string;
  /** Sessions in order, each extracted as one window. */
  readonly sessions: readonly { readonly day: string; readonly lines: readonly Line[] }[];
  readonly expectations: readonly Expectation[];
}

interface Line {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** `keep`, `not`, `text`, `value`, …, with its arguments. */
export interface Expectation {
  readonly kind: string;
  readonly words: string;
}

const FIRST_DAY = '2026-03-04';

/**
 * Parses a file of dialogues:
 *
 * ```
 * ## kind: name
 * u: what the user says          a: what the assistant says
 * @ 2026-03-20                   a new session on that day; the first is on Wednesday, 4 March 2026
 * text: User said: "…"          a current record has exactly this text
 * keep: words                    a current record contains the words
 * not: words                     no current record contains them
 * gone: words                    a superseded record contains them, and no current one
 * none                           no records exist
 * most: 1                        at most this many current records
 * value: phone_number=5551234    a note has this typed value; "my wife: phone_number=…" if it is another person's
 * no value: phone_number         no note has a typed value of that name
 * sources: 2 words               a current record with the words has this many source messages
 * when: from..to words           … has this event time
 * strength: weak words           … states a preference of this strength
 * skipped: role                  a message was skipped for this reason
 * changed: old -> new            a current record contains the new words, and none the old ones without them
 * ended: old -> words            no current record contains the old words without the ones that end it
 * both: one + other              current records contain both
 * ```
 *
 * Words are compared without case.
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
        const expected =
          /^(text|keep|not|gone|none|most|value|no value|sources|when|strength|skipped|changed|ended|both)(?:: (.*))?$/.exec(
            line,
          );
        if (said !== null)
          sessions.at(-1)?.lines.push({ role: said[1] === 'u' ? 'user' : 'assistant', text: said[2] ?? '' });
        else if (day !== undefined) sessions.push({ day, lines: [] });
        else if (expected !== null) expectations.push({ kind: expected[1] ?? '', words: expected[2] ?? '' });
        else throw new Error(`Not a line of a dialogue: ${line}`);
      }
      if (expectations.length === 0) throw new Error(`Nothing is expected of "${title}".`);
      return { kind, name, sessions, expectations };
    });
