import type { ExtractionAnswer, ExtractionInput, Extractor, TokenUsage } from '@turnkeeper/application';
import type { Candidate } from '@turnkeeper/domain';
import { chatRequest, promptHash } from './chat-request.js';
import { contentOf, rejectsSchema, usageOf } from './completion.js';
import type { ModelConfig } from './model-config.js';
import { postChat } from './post-chat.js';
import { readFacts } from './read-facts.js';

/** Takes what `pino` takes. */
export interface ExtractionLogger {
  warn(fields: object, message: string): void;
}

/**
 * Asks a model behind an OpenAI-compatible chat endpoint. One call makes one request (two when the endpoint turns
 * down our schema for the first time); trying again later is the caller's business.
 *
 * Every answer that cannot be used rejects with `ExtractionFailed`, which holds the answer as it came. What is
 * returned is well typed and nothing more: only `admit` decides what becomes a record.
 */
export class OpenAiCompatibleExtractor implements Extractor {
  private schemaOffered: boolean;

  constructor(
    private readonly config: ModelConfig,
    private readonly logger: ExtractionLogger | null = null,
    private readonly now: () => number = Date.now,
  ) {
    this.schemaOffered = config.jsonMode !== 'prompt';
  }

  async extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionAnswer> {
    const { content, candidates, usage } = await this.ask(input, signal);
    return {
      extractor: 'openai-compatible',
      model: this.config.model,
      promptHash: promptHash(input),
      rawAnswer: content,
      candidates,
      usage,
    };
  }

  private async ask(
    input: ExtractionInput,
    signal: AbortSignal,
  ): Promise<{ content: string; candidates: Candidate[]; usage: TokenUsage | null }> {
    const useSchema = this.schemaOffered;
    const { body, aliases } = chatRequest(this.config.model, input, useSchema);
    const answer = await postChat(this.config, body, signal);
    if (useSchema && this.config.jsonMode === 'auto' && rejectsSchema(answer)) {
      this.schemaOffered = false;
      this.logger?.warn({ model: this.config.model, status: answer.status }, 'model.schema_not_offered');
      return this.ask(input, signal);
    }
    const content = contentOf(answer, this.now());
    return { content, candidates: readFacts(content, aliases), usage: usageOf(answer) };
  }
}
