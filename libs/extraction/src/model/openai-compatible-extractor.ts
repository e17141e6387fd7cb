import type { ExtractionInput, Extractor, RawAnswer, ReadAnswer } from '@turnkeeper/application';
import { chatRequest, promptHash } from './chat-request.js';
import { contentOf, rejectsSchema, rejectsTemperature, usageOf } from './completion.js';
import type { ModelConfig } from './model-config.js';
import { postJson } from './post-json.js';
import { readAnswer } from './read-facts.js';

/** Compatible with `pino`. */
export interface ExtractionLogger {
  warn(fields: object, message: string): void;
}

/**
 * Extracts with a model behind an OpenAI-compatible chat endpoint. One call makes one request (one more when
 * the endpoint first rejects our schema, or a temperature); the caller is responsible for retries.
 *
 * Every unusable answer rejects with `ExtractionFailed`, which contains the raw answer. The result is well-typed but
 * otherwise untrusted: `admit` decides what becomes a record.
 */
export class OpenAiCompatibleExtractor implements Extractor {
  readonly name = 'openai-compatible';
  readonly costly = true;
  private schemaOffered: boolean;
  private temperatureOffered = true;

  constructor(
    private readonly config: ModelConfig,
    private readonly logger: ExtractionLogger | null = null,
    private readonly now: () => number = Date.now,
  ) {
    this.schemaOffered = config.jsonMode !== 'prompt';
  }

  async ask(input: ExtractionInput, signal: AbortSignal): Promise<RawAnswer> {
    const useSchema = this.schemaOffered;
    const answer = await postJson(
      this.config,
      '/chat/completions',
      chatRequest(this.config.model, input, { useSchema, setTemperature: this.temperatureOffered }),
      signal,
    );
    if (this.temperatureOffered && rejectsTemperature(answer)) {
      this.temperatureOffered = false;
      this.logger?.warn({ model: this.config.model, status: answer.status }, 'model.temperature_not_offered');
      return this.ask(input, signal);
    }
    if (useSchema && this.config.jsonMode === 'auto' && rejectsSchema(answer)) {
      this.schemaOffered = false;
      this.logger?.warn({ model: this.config.model, status: answer.status }, 'model.schema_not_offered');
      return this.ask(input, signal);
    }
    return {
      extractor: this.name,
      model: this.config.model,
      promptHash: promptHash(input),
      rawAnswer: contentOf(answer, this.now()),
      usage: usageOf(answer),
    };
  }

  async read(input: ExtractionInput, rawAnswer: string): Promise<ReadAnswer> {
    return readAnswer(input, rawAnswer);
  }
}
