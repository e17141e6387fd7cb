import { ExtractionFailed, ModelOutage } from '@turnkeeper/application';
import type { ModelConfig } from './model-config.js';
import { storable } from './storable.js';

export interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** The body as UTF-8, safe to store; never longer than the configured cap. */
  readonly text: string;
}

/**
 * Sends one request to an endpoint and reads the answer to its end, its byte cap or its time limit.
 *
 * @throws ExtractionFailed `model.unreachable`, `model.timeout`, `model.answer_too_large`
 * @throws the signal's reason when the caller gave up
 */
export const postJson = async (
  config: Pick<ModelConfig, 'baseUrl' | 'apiKey' | 'timeoutMs' | 'maxAnswerBytes'>,
  path: '/chat/completions' | '/embeddings',
  body: object,
  signal: AbortSignal,
): Promise<HttpAnswer> => {
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(config.timeoutMs);
  const received = new BoundedText(config.maxAnswerBytes);
  try {
    const response = await fetch(`${config.baseUrl.replace(/(?<!\/)\/+$/, '')}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(config.apiKey === null ? {} : { authorization: `Bearer ${config.apiKey}` }),
      },
      body: JSON.stringify(body),
      redirect: 'manual', // the key and what was said are meant for this address only
      signal: AbortSignal.any([signal, timeout]),
    });
    for await (const chunk of response.body ?? []) {
      if (!received.add(chunk as Uint8Array)) throw new AnswerTooLarge();
    }
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text: received.text() };
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, timeout.aborted, received, config);
  }
};

class AnswerTooLarge extends Error {}

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
  if (timedOut) {
    return new ExtractionFailed('model.timeout', `No complete answer within ${timeoutMs} ms.`, raw);
  }
  // An answer that breaks off was begun: the model had looked at the window.
  const Failure = raw === null ? ModelOutage : ExtractionFailed;
  return new Failure('model.unreachable', 'The connection to the model failed or broke off.', raw);
};

/** Bytes up to a cap, read as UTF-8. Bytes that are no UTF-8 become U+FFFD. */
class BoundedText {
  private readonly decoder = new TextDecoder('utf-8');
  private readonly parts: string[] = [];
  private size = 0;

  constructor(private readonly maxBytes: number) {}

  get empty(): boolean {
    return this.size === 0;
  }

  /** Takes what fits; false when there was more. */
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
