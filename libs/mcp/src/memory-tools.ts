import { routes, type McpToolInput, type McpToolName, type McpToolOutput } from '@turnkeeper/contracts';
import { resolveNamespace } from '@turnkeeper/domain';
import { dataBlock, encoded } from './encode.js';
import type { MemoryApi } from './memory-api.js';

/** The memory, and the actor if the connection is limited to one. */
export interface MemoryScope {
  readonly memoryId: string;
  readonly actorId?: string | undefined;
}

export interface ToolAnswer<Name extends McpToolName> {
  readonly output: McpToolOutput<Name>;
  readonly text: string;
}

/** The API's smallest `limit` of a record search. */
const LEAST_RECORDS = 5;

type Recall = McpToolOutput<'recall'>;

/** The tools of one memory. Answers contain stored text, encoded for a model. */
export class MemoryTools {
  constructor(
    private readonly api: MemoryApi,
    private readonly scope: MemoryScope,
  ) {}

  async remember(input: McpToolInput<'remember'>): Promise<ToolAnswer<'remember'>> {
    const { content, role, sessionId } = input;
    const appended = await this.api.call(routes.appendEvents, {
      path: { ...this.actorOf(input), sessionId },
      body: { payload: { type: 'CONVERSATIONAL', role, message: content } },
    });
    if (!('eventId' in appended)) throw new TypeError('One event was appended, but the response lists several.');
    const { eventId, sequence } = appended;
    const output = encoded({ eventId, sessionId, sequence });
    return { output, text: `Remembered as turn ${sequence} of session ${output.sessionId} (event ${eventId}).` };
  }

  async recall(input: McpToolInput<'recall'>): Promise<ToolAnswer<'recall'>> {
    const path = this.actorOf(input);
    const [records, turns] = await Promise.all([this.recordsOf(path, input), this.turnsOf(path, input)]);
    const output = encoded({ records, turns });
    const lines = [
      ...output.records.map(({ recordId, text, saidAt }) => `record ${recordId} (${saidAt.slice(0, 10)}): ${text}`),
      ...output.turns.map(
        ({ eventId, sessionId, role, text, at }) =>
          `turn ${eventId} in session ${sessionId} (${at.slice(0, 10)}) ${role}: ${text}`,
      ),
    ];
    return { output, text: dataBlock(lines) };
  }

  async getContext(input: McpToolInput<'get_context'>): Promise<ToolAnswer<'get_context'>> {
    const { query, budget, sessionId } = input;
    const { text, tokens } = await this.api.call(routes.buildContext, {
      path: this.actorOf(input),
      body: { query, budget, ...(sessionId === undefined ? {} : { sessionId }) },
    });
    // The block is encoded by the route.
    return { output: { context: text, tokens }, text: text === '' ? 'Nothing is remembered yet.' : text };
  }

  async explainRecord({ recordId }: McpToolInput<'explain_record'>): Promise<ToolAnswer<'explain_record'>> {
    const { memoryId } = this.scope;
    const found = await this.api.call(routes.explainRecord, { path: { memoryId, recordId } });
    const { record } = found;
    const output = encoded({
      recordId: record.id,
      text: record.memory,
      namespace: record.namespace,
      extractor: record.extractor,
      sources: found.sources.map(({ eventId, role, quote, context = false, content, state, at }) => ({
        eventId,
        role,
        quote,
        context,
        content,
        state,
        at,
      })),
      supersedes: found.supersedes.map(({ id }) => id),
      supersededBy: found.supersededBy.map(({ id }) => id),
    });
    const lines = [
      `record: ${output.text}`,
      ...output.sources.map(
        ({ eventId, role, quote, context, state }) =>
          `${context ? 'context' : 'source'} ${eventId} (${state}) ${role}: ${quote}`,
      ),
    ];
    return { output, text: dataBlock(lines) };
  }

  async forget(input: McpToolInput<'forget'>): Promise<ToolAnswer<'forget'>> {
    const { memoryId } = this.scope;
    const { recordId, eventId = '', sessionId = '' } = input;
    if (recordId !== undefined) {
      await this.api.call(routes.deleteRecord, { path: { memoryId, recordId } });
      return { output: { forgotten: 'record', id: recordId }, text: `Deleted the record ${recordId}.` };
    }
    await this.api.call(routes.deleteEvent, { path: { ...this.actorOf(input), sessionId, eventId } });
    return {
      output: { forgotten: 'turn', id: eventId },
      text: `Erased the turn ${eventId}, and the records that cite no other.`,
    };
  }

  private actorOf({ actorId }: { readonly actorId?: string | undefined }) {
    return { memoryId: this.scope.memoryId, actorId: this.scope.actorId ?? actorId ?? '' };
  }

  /** Records in the namespaces that belong to the actor across all sessions. */
  private async recordsOf(
    path: { readonly memoryId: string; readonly actorId: string },
    { query, limit }: McpToolInput<'recall'>,
  ): Promise<Recall['records']> {
    const { memoryId, actorId } = path;
    const strategies = await this.api.call(routes.listStrategies, { path: { memoryId } });
    const namespaces = new Set(
      strategies
        .filter(({ namespaceTemplate: t }) => t.includes('{actorId}') && !t.includes('{sessionId}'))
        .map(({ id, namespaceTemplate }) =>
          resolveNamespace(namespaceTemplate, { memoryStrategyId: id, actorId, sessionId: '' }),
        ),
    );
    const found = await Promise.all(
      [...namespaces].map((namespace) =>
        this.api.call(routes.searchRecords, {
          path: { memoryId },
          query: { namespace, actorId },
          body: { query, limit: Math.max(limit, LEAST_RECORDS) },
        }),
      ),
    );
    return found
      .flat()
      .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
      .slice(0, limit)
      .map(({ id, memory, namespace, score, saidAt }) => ({ recordId: id, text: memory, namespace, score, saidAt }));
  }

  private async turnsOf(
    path: { readonly memoryId: string; readonly actorId: string },
    { query, limit }: McpToolInput<'recall'>,
  ): Promise<Recall['turns']> {
    const hits = await this.api.call(routes.searchActorTurns, { path, body: { query, limit } });
    return hits.map(({ event, sessionId, score }) => ({
      eventId: event.id,
      sessionId,
      role: event.payload.role ?? '',
      text: event.payload.message ?? '',
      at: event.event_timestamp,
      score,
    }));
  }
}
