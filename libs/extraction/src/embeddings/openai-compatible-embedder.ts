import { setTimeout as pauseFor } from 'node:timers/promises';
import { EmbeddingFailed, ExtractionFailed, type Embedder } from '@turnkeeper/application';
import type { ModelConfig } from '../model/model-config.js';
import { postJson, type HttpAnswer } from '../model/post-json.js';
import { retryAfterMs } from '../model/retry-after.js';
import { scaleOf, SCALE_TEXTS } from './likeness-scale.js';
import { readEmbeddings } from './read-embeddings.js';

/** Configuration of an OpenAI-compatible embeddings endpoint. */
export interface EmbedderConfig extends Pick<ModelConfig, 'baseUrl' | 'model' | 'apiKey'> {
  /** Expected vector length; others are rejected. */
  readonly dimensions: number;
  /** Timeout per request in ms. Default 30,000. */
  readonly timeoutMs: number;
  /** Maximum number of texts per request. Default 64. */
  readonly batchSize: number;
  /** Maximum number of attempts per request, including the first. Default 4. */
  readonly maxTries: number;
}

export const EMBEDDER_DEFAULTS = { timeoutMs: 30_000, batchSize: 64, maxTries: 4 } as const;

/** Upper bounds for response size: bytes per number in JSON, and overhead per vector. */
const BYTES_PER_NUMBER = 32;
const BYTES_PER_ANSWER = 65_536;
const FIRST_PAUSE_MS = 500;

/**
 * Calls an OpenAI-compatible `/embeddings` endpoint in sequential batches. If the endpoint is overloaded or
 * unreachable, it retries after 0.5 s, 1 s, 2 s …, or after `Retry-After` if that is longer.
 */
export class OpenAiCompatibleEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  private scaling: Promise<(cosine: number) => number> | undefined;

  constructor(
    private readonly config: EmbedderConfig,
    private readonly pause: (ms: number, signal: AbortSignal) => Promise<void> = async (ms, signal) => {
      await pauseFor(ms, undefined, { signal });
    },
    private readonly now: () => number = Date.now,
  ) {
    this.model = config.model;
    this.dimensions = config.dimensions;
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]> {
    const vectors: number[][] = [];
    for (let at = 0; at < texts.length; at += this.config.batchSize) {
      vectors.push(...(await this.embedBatch(texts.slice(at, at + this.config.batchSize), signal)));
    }
    return vectors;
  }

  /** Asks the model once; again only after a failure. */
  scale(signal: AbortSignal): Promise<(cosine: number) => number> {
    this.scaling ??= this.embed(SCALE_TEXTS, signal)
      .then(scaleOf)
      .catch((error: unknown) => {
        this.scaling = undefined;
        throw error;
      });
    return this.scaling;
  }

  private async embedBatch(input: readonly string[], signal: AbortSignal): Promise<number[][]> {
    const { model, dimensions, maxTries } = this.config;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.post({ model, input, encoding_format: 'float' }, signal);
      if (answer instanceof ExtractionFailed) {
        if (attempt === maxTries) throw new EmbeddingFailed(answer.code, answer.message);
      } else if (answer.status >= 200 && answer.status < 300) {
        return readEmbeddings(answer.text, input.length, dimensions);
      } else if (attempt === maxTries || !isPassing(answer.status)) {
        throw new EmbeddingFailed(codeOf(answer.status), `The endpoint answered with status ${answer.status}.`);
      }
      const asked = answer instanceof ExtractionFailed ? null : retryAfterMs(answer.retryAfter, this.now());
      await this.pause(Math.max(FIRST_PAUSE_MS * 2 ** (attempt - 1), asked ?? 0), signal);
    }
  }

  /** Returns the answer or the connection error; rejects if the caller aborted. */
  private async post(
    body: { readonly model: string; readonly input: readonly string[]; readonly encoding_format: 'float' },
    signal: AbortSignal,
  ) {
    const { dimensions, ...config } = this.config;
    const maxAnswerBytes = BYTES_PER_ANSWER + body.input.length * dimensions * BYTES_PER_NUMBER;
    return postJson({ ...config, maxAnswerBytes }, '/embeddings', body, signal).catch(
      (error: unknown): HttpAnswer | ExtractionFailed => {
        if (error instanceof ExtractionFailed) return error;
        throw error;
      },
    );
  }
}

const isPassing = (status: number): boolean => status === 429 || status === 408 || status >= 500;

const codeOf = (status: number): string => {
  if (status === 429) return 'model.rate_limited';
  if (isPassing(status)) return 'model.unavailable';
  return status === 401 || status === 403 ? 'model.unauthorized' : 'model.request_rejected';
};
