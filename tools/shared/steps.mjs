import { styleText } from 'node:util';

/** One line per step: name, result, seconds. Colours only on a terminal. */

const terminal = () => process.stdout.isTTY === true;
const NAME_WIDTH = 12;
const DETAIL_WIDTH = 58;
const HEARTBEAT_MS = 15_000;

export const dim = (text) => (terminal() ? styleText('dim', text) : text);
export const bold = (text) => (terminal() ? styleText('bold', text) : text);

export const say = (text = '') => process.stdout.write(`${text}\n`);

/** A closed output (a closed terminal, or a pipe into `head`) must not abort the work. */
export const tolerateClosedOutput = () => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
};

/** @param {string} name @param {string} detail @param {number} [ms] */
export const line = (name, detail, ms) => {
  const seconds = ms === undefined ? '' : `${(ms / 1000).toFixed(1)} s`.padStart(9);
  return `  ${name.padEnd(NAME_WIDTH)} ${detail.padEnd(seconds ? DETAIL_WIDTH : 0)}${dim(seconds)}`.trimEnd();
};

/**
 * Runs a step and prints its line when done. Meanwhile a terminal shows the elapsed seconds and the newest note; a pipe
 * gets a progress line every 15 s.
 *
 * @template T
 * @param {string} name
 * @param {(note: (text: string) => void) => Promise<T>} work
 * @param {(result: T) => string} [describe] the detail of the finished line
 * @param {{ live?: boolean }} [options] `live: false` for concurrent steps, which would overwrite each other's line
 * @returns {Promise<T>}
 */
export const step = async (name, work, describe = () => 'done', { live = true } = {}) => {
  const started = performance.now();
  let note = '';
  const draw = () => {
    const text = line(name, note.slice(0, DETAIL_WIDTH - 1) || '…', performance.now() - started);
    if (live && terminal()) process.stdout.write(`\r\u001b[2K${text}`);
    else say(text);
  };
  const timer = setInterval(draw, live && terminal() ? 200 : HEARTBEAT_MS);
  const clear = () => {
    clearInterval(timer);
    if (live && terminal()) process.stdout.write('\r\u001b[2K');
  };
  try {
    const result = await work((text) => (note = text.trim()));
    clear();
    say(line(name, describe(result), performance.now() - started));
    return result;
  } catch (error) {
    clear();
    say(line(name, 'failed', performance.now() - started));
    throw error;
  }
};
