// Records a command as an animated SVG: each line appears when the command printed it, long pauses are cut short.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

const LONGEST_PAUSE_MS = 900;
const HOLD_MS = 4_000;
const MAX_COLUMNS = 110;
/** A longer output scrolls, as it does in a terminal. */
const MAX_ROWS = 26;
const LINE_HEIGHT = 18;
const COLUMN_WIDTH = 7.8;
const PADDING = 16;

const [output, ...command] = process.argv.slice(2);
if (output === undefined || command.length === 0) {
  process.stderr.write('Usage: node tools/docs-site/record.mjs FILE.svg COMMAND [ARGUMENT ...]\n');
  process.exit(2);
}

/** @param {readonly string[]} command @returns {Promise<{ text: string, at: number }[]>} lines with the time of their appearance, pauses cut */
const record = async ([program, ...args]) => {
  const lines = [{ text: `$ ${[program, ...args].join(' ')}`, at: 0 }];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let last = performance.now();
  let at = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const now = performance.now();
    at += Math.min(now - last, LONGEST_PAUSE_MS);
    last = now;
    const text = stripVTControlCharacters(line);
    if (text.startsWith('> ') || (text === '' && lines.at(-1)?.text === '')) continue; // npm's own lines
    lines.push({ text: text.length > MAX_COLUMNS ? `${text.slice(0, MAX_COLUMNS - 1)}…` : text, at });
  }
  return lines;
};

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A frame of the animation: from `at` on, the terminal is scrolled up by one more line. */
const scrolls = (lines) =>
  lines.slice(MAX_ROWS).map(({ at }, index) => ({ at, transform: `translateY(${-(index + 1) * LINE_HEIGHT}px)` }));

const svgOf = (lines) => {
  const length = lines.at(-1).at + HOLD_MS;
  const share = (at) => `${((at / length) * 100).toFixed(2)}%`;
  const width = Math.ceil(Math.max(...lines.map(({ text }) => text.length)) * COLUMN_WIDTH) + 2 * PADDING;
  const height = Math.min(lines.length, MAX_ROWS) * LINE_HEIGHT + 2 * PADDING;
  const seconds = `${(length / 1000).toFixed(1)}s step-end forwards`;
  const shown = lines.map(({ at }, line) => `@keyframes l${line}{0%{opacity:0}${share(at)},100%{opacity:1}}`);
  const moved = scrolls(lines).map(({ at, transform }) => `${share(at)}{transform:${transform}}`);
  const last = scrolls(lines).at(-1)?.transform ?? 'none';
  const rows = lines.map(({ text }, line) => {
    const y = PADDING + (line + 0.75) * LINE_HEIGHT;
    const animation = line === 0 ? '' : ` style="animation:l${line} ${seconds}"`;
    return `<text x="${PADDING}" y="${y}" xml:space="preserve"${line === 0 ? ' class="c"' : ''}${animation}>${escaped(text)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="A terminal recording of ${escaped(lines[0].text.slice(2))}">`,
    '<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d6deeb}.c{fill:#7fdbca}',
    `${shown.slice(1).join('')}@keyframes up{0%{transform:none}${moved.join('')}100%{transform:${last}}}`,
    `g{transform:${last};animation:up ${seconds}}`,
    '@media(prefers-reduced-motion:reduce){text,g{animation:none!important}}</style>',
    `<rect width="100%" height="100%" rx="8" fill="#10151f"/>`,
    `<svg x="0" y="${PADDING}" width="${width}" height="${height - 2 * PADDING}" viewBox="0 ${PADDING} ${width} ${height - 2 * PADDING}"><g>`,
    ...rows,
    '</g></svg>',
    '</svg>',
    '',
  ].join('\n');
};

writeFileSync(output, svgOf(await record(command)));
