import { ExtractionFailed, ModelOutage } from '@turnkeeper/application';
import { Agent, fetch } from 'undici';
import type { ModelConfig } from './model-config.js';
import { storable } from './storable.js';

export interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** The body as UTF-8, safe to store; truncated to the configured limit. */
  readonly text: string;
}

/** The only time limit is the configured one: by default, an answer that takes more than 300 s to begin fails. */
const PATIENT = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/**
 * Sends one request and reads the answer until its end, its byte limit or the timeout.
 *
 * @throws ExtractionFailed `model.unreachable`, `model.timeout`, `model.answer_too_large`, `model.empty_answer`
 * @throws the signal's reason if the caller aborted
 */
export const postJson = async (
  config: Pick<ModelConfig, 'baseUrl' | 'apiKey' | 'timeoutMs' | 'maxAnswerBytes' | 'headers'>,
  path: '/chat/completions' | '/embeddings',
  body: object,
  signal: AbortSignal,
): Promise<HttpAnswer> => {
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(config.timeoutMs);
  const received = new BoundedText(config.maxAnswerBytes);
  const blanks = new BlankRun();
  try {
    const response = await fetch(`${config.baseUrl.replace(/(?<!\/)\/+$/, '')}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...config.headers?.(),
        ...(config.apiKey === null ? {} : { authorization: `Bearer ${config.apiKey}` }),
      },
      body: JSON.stringify(body),
      dispatcher: PATIENT,
      redirect: 'manual', // never send the key or the conversation to another address
      signal: AbortSignal.any([signal, timeout]),
    });
    for await (const chunk of response.body ?? []) {
      if (!received.add(chunk as Uint8Array)) throw new AnswerTooLarge();
      if (blanks.add(chunk as Uint8Array) > MAX_BLANKS) throw new OnlyBlanks();
    }
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text: received.text() };
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, timeout.aborted, received, config);
  }
};

class AnswerTooLarge extends Error {}
class OnlyBlanks extends Error {}

/** After this many consecutive bytes of white space, a model is considered stuck. */
const MAX_BLANKS = 16_384;

const failureOf = (
  error: unknown,
  timedOut: boolean,
  received: BoundedText,
  { timeoutMs, maxAnswerBytes }: Pick<ModelConfig, 'timeoutMs' | 'maxAnswerBytes'>,
): ExtractionFailed => {
  const raw = received.empty ? null : received.text();
  if (error instanceof AnswerTooLarge) {
    return new ExtractionFailed('model.answer_too_large', `The answer is longer than ${maxAnswerBytes} bytes.`, raw);
  }
  if (error instanceof OnlyBlanks) {
    const message = `The answer went on with more than ${MAX_BLANKS} bytes of white space.`;
    return new ExtractionFailed('model.empty_answer', message, raw?.trimEnd() ?? null);
  }
  if (timedOut) {
    return new ExtractionFailed('model.timeout', `No complete answer within ${timeoutMs} ms.`, raw);
  }
  // A partial answer means that the model had started to process the window.
  const Failure = raw === null ? ModelOutage : ExtractionFailed;
  return new Failure('model.unreachable', 'The connection to the model failed or broke off.', raw);
};

const BLANKS: ReadonlySet<number> = new Set([...' \t\n\r'].map((char) => char.charCodeAt(0)));
const ESCAPED_BLANKS: ReadonlySet<number> = new Set([...'tnr'].map((char) => char.charCodeAt(0)));
const BACKSLASH = 0x5c;

/** Counts the trailing white space of an answer so far, plain or JSON-escaped (`\\n`). */
class BlankRun {
  private run = 0;
  private escaped = false;

  /** Returns the number of trailing white-space bytes after this chunk. */
  add(chunk: Uint8Array): number {
    for (const byte of chunk) {
      const isBlank = this.escaped ? ESCAPED_BLANKS.has(byte) : byte === BACKSLASH || BLANKS.has(byte);
      this.escaped = !this.escaped && byte === BACKSLASH;
      this.run = isBlank ? this.run + 1 : 0;
    }
    return this.run;
  }
}

/** Collects bytes up to a limit and decodes them as UTF-8. Invalid bytes become U+FFFD. */
class BoundedText {
  private readonly decoder = new TextDecoder('utf-8');
  private readonly parts: string[] = [];
  private size = 0;

  constructor(private readonly maxBytes: number) {}

  get empty(): boolean {
    return this.size === 0;
  }

  /** Adds what fits; returns false if the limit was exceeded. */
  add(chunk: Uint8Array): boolean {
    const fits = chunk.subarray(0, this.maxBytes - this.size);
    this.size += fits.length;
    this.parts.push(this.decoder.decode(fits, { stream: true }));
    return fits.length === chunk.length;
  }

  text(): string {
    return storable(this.parts.join(''));
  }
}
