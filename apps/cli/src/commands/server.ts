import { parseArgs } from 'node:util';
import { Turnkeeper } from '@turnkeeper/client';
import { UsageError } from '../usage.js';

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** URL and key of the server: `url`, else TURNKEEPER_URL; TURNKEEPER_API_KEY. */
export const serverAddress = (url = process.env['TURNKEEPER_URL'] || DEFAULT_URL) => {
  const apiKey = process.env['TURNKEEPER_API_KEY'] ?? '';
  if (apiKey === '') throw new Error('TURNKEEPER_API_KEY is required, in the environment or in .env.');
  if (!/^https?:\/\//.test(url)) throw new Error('TURNKEEPER_URL must begin with http:// or https://.');
  return { baseUrl: url, apiKey };
};

export const connectServer = (): Turnkeeper => new Turnkeeper(serverAddress());

type OptionTypes = Record<string, { readonly type: 'string' | 'boolean'; readonly default?: string | boolean }>;

type Values<O extends OptionTypes> = {
  readonly [K in keyof O]:
    | (O[K]['type'] extends 'boolean' ? boolean : string)
    | (O[K] extends { readonly default: string | boolean } ? never : undefined);
};

/** Options of a command, and its positional arguments of these names, all required. */
export const readArgs = <O extends OptionTypes>(args: readonly string[], options: O, names: readonly string[] = []) => {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: names.length > 0 });
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is required.`);
  if (positionals.length > names.length)
    throw new UsageError(`${positionals.at(-1)} is not expected; quote text with spaces.`);
  return { values: values as unknown as Values<O>, positionals };
};

const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
/** Characters that a terminal would interpret. */
const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Text of a conversation as one line that cannot control the terminal. */
const printable = (text: string): string => text.replace(LINE_BREAKS, ' ').replace(UNPRINTABLE, '\ufffd');

/** A list as lines: one JSON value each, or text. */
export const printLines = async <T>(
  items: AsyncIterable<T> | Iterable<T>,
  json: boolean,
  describe: (item: T) => string,
): Promise<void> => {
  for await (const item of items) process.stdout.write(`${json ? JSON.stringify(item) : printable(describe(item))}\n`);
};
