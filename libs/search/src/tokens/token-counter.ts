import { createRequire } from 'node:module';
import type * as Encoding from 'gpt-tokenizer/encoding/o200k_base';

/** Longer texts are estimated from their beginning, because counting must not block other requests. */
const LOOK_AT = 50_000;

let encoding: typeof Encoding | undefined;
const require = createRequire(import.meta.url);

/** Its 200,000 tokens take 35 MB and half a second to load, and a worker may never count any: loaded in advance, or by the first count. */
export const loadTokens = (): typeof Encoding =>
  (encoding ??= require('gpt-tokenizer/encoding/o200k_base') as typeof Encoding);

/**
 * Counts tokens as OpenAI's current models do; other models differ by a few per cent. Chat-template markers count as
 * text.
 */
export const tokenCounter = {
  count: (text: string): number => {
    const head = text.slice(0, LOOK_AT);
    const tokens = loadTokens().countTokens(head, { disallowedSpecial: new Set() });
    return head.length === text.length ? tokens : Math.ceil((tokens * text.length) / head.length);
  },
};
