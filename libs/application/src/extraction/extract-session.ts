import {
  admit,
  factKey,
  resolveNamespace,
  slotOf,
  type LogEvent,
  type NewEvent,
  type RecordsExtracted,
  type Strategy,
} from '@turnkeeper/domain';
import type { Ids } from '../ports/clock.port.js';
import type { EventStore, SessionScope } from '../ports/event-store.port.js';
import {
  LeaseLost,
  type ExtractionClaim,
  type ExtractionStore,
  type ExtractionTiming,
} from '../ports/extraction-store.port.js';
import { ExtractionFailed, type ExtractionAnswer, type Extractor } from '../ports/extractor.port.js';
import type { MemoryStore } from '../ports/memory-store.port.js';
import type { RecordStore } from '../ports/record-store.port.js';
import type { UnitOfWork } from '../ports/transaction.port.js';
import { countUserTurns, readableMessages } from './window.js';

export interface ExtractionLimits {
  /** Most events that one run reads. */
  readonly windowEvents: number;
  /** Events before the window that are shown for understanding only. */
  readonly contextEvents: number;
  readonly maxAttempts: number;
  readonly leaseSeconds: number;
  readonly timing: ExtractionTiming;
}

/** What one run did, for the log line and the metrics. */
export type ExtractionOutcome =
  | { readonly kind: 'not_due' }
  /** It was asked for, but everything was read before. */
  | { readonly kind: 'nothing_new' }
  | {
      readonly kind: 'extracted';
      readonly records: number;
      readonly confirmed: number;
      readonly refused: number;
      readonly fromSequence: number;
      readonly toSequence: number;
    }
  | { readonly kind: 'retry'; readonly code: string }
  | { readonly kind: 'parked'; readonly code: string }
  | { readonly kind: 'lease_lost' };

/** Reads the next window of one session for one strategy and commits what it gave, with the watermark. */
export class ExtractSession {
  constructor(
    private readonly deps: {
      readonly unitOfWork: UnitOfWork;
      readonly eventStore: EventStore;
      readonly memories: MemoryStore;
      readonly records: RecordStore;
      readonly extractions: ExtractionStore;
      readonly extractor: Extractor;
      readonly ids: Ids;
      readonly limits: ExtractionLimits;
    },
  ) {}

  async execute(sessionKey: number, strategyId: string, signal: AbortSignal): Promise<ExtractionOutcome> {
    const { extractions, memories, limits } = this.deps;
    const claim = await extractions.claim(sessionKey, strategyId, limits.leaseSeconds);
    if (claim === null) return { kind: 'not_due' };
    const strategies = await memories.strategies(claim.tenantId, claim.memoryId);
    const strategy = strategies.find((candidate) => candidate.strategyId === strategyId);
    if (strategy === undefined) return this.fail(claim, 'strategy.not_found', null, null);
    try {
      return await this.run(claim, strategy, signal);
    } catch (error) {
      if (error instanceof LeaseLost) return { kind: 'lease_lost' };
      if (error instanceof ExtractionFailed) {
        return this.fail(claim, error.code, error.rawAnswer, this.retryDelay(claim.attempt, error.retryAfterMs));
      }
      await this.fail(claim, 'extraction.failed', null, this.retryDelay(claim.attempt, null));
      throw error;
    }
  }

  private async run(claim: ExtractionClaim, strategy: Strategy, signal: AbortSignal): Promise<ExtractionOutcome> {
    const { limits } = this.deps;
    const { events, toSequence } = await this.readWindow(claim);
    if (toSequence === claim.watermark) {
      await this.moveOn(claim);
      return { kind: 'nothing_new' };
    }
    const messages = readableMessages(events);
    const context = await this.readContext(claim);
    const answer =
      messages.length === 0
        ? nothingToRead
        : await this.deps.extractor.extract(
            {
              tenantId: claim.tenantId,
              strategyType: strategy.type,
              strategyVersion: strategy.version,
              customPrompt: strategy.customPrompt,
              context,
              messages,
            },
            signal,
          );
    const namespace = resolveNamespace(strategy.namespaceTemplate, {
      memoryStrategyId: strategy.strategyId,
      actorId: claim.actorId,
      sessionId: claim.sessionId,
    });
    const data = await this.commit(claim, strategy, namespace, { answer, messages, events, toSequence }, limits.timing);
    return {
      kind: 'extracted',
      records: data.records.length,
      confirmed: data.confirmed.length,
      refused: data.refused.length,
      fromSequence: data.fromSequence,
      toSequence: data.toSequence,
    };
  }

  /** An empty window is no fact: an event for it would take the id of the next real one. */
  private moveOn(claim: ExtractionClaim): Promise<void> {
    const { unitOfWork, extractions, limits } = this.deps;
    const nothing = { toSequence: claim.watermark, userTurns: 0, recordsMade: 0 };
    return unitOfWork.run((tx) => extractions.complete(tx, claim, nothing, limits.timing));
  }

  /** The next events after the watermark. What expired or was erased among them leaves no gap in the ranges. */
  private async readWindow(claim: ExtractionClaim): Promise<{ events: LogEvent[]; toSequence: number }> {
    const { eventStore, limits } = this.deps;
    const events = await eventStore.readSession(scopeOf(claim), {
      after: claim.watermark,
      order: 'oldest-first',
      limit: limits.windowEvents,
    });
    const last = events.at(-1)?.sequence ?? claim.watermark;
    const complete = events.length < limits.windowEvents;
    return { events, toSequence: complete ? Math.max(last, claim.newestSequence) : last };
  }

  private async readContext(claim: ExtractionClaim) {
    const { eventStore, limits } = this.deps;
    if (limits.contextEvents === 0 || claim.watermark === 0) return [];
    const before = await eventStore.readSession(scopeOf(claim), {
      before: claim.watermark + 1,
      order: 'newest-first',
      limit: limits.contextEvents,
    });
    return readableMessages(before.reverse());
  }

  private async commit(
    claim: ExtractionClaim,
    strategy: Strategy,
    namespace: string,
    read: {
      readonly answer: ExtractionAnswer;
      readonly messages: ReturnType<typeof readableMessages>;
      readonly events: readonly LogEvent[];
      readonly toSequence: number;
    },
    timing: ExtractionTiming,
  ): Promise<RecordsExtracted> {
    const { unitOfWork, records, extractions, eventStore, ids } = this.deps;
    const { answer, messages, toSequence } = read;
    // One window of one strategy has one event id: whoever commits it a second time is told so by the log.
    const eventId = ids.derive('records.extracted', claim.sessionKey, strategy.strategyId, claim.watermark + 1);
    return unitOfWork.run(async (tx) => {
      await records.lockNamespace(tx, claim.memoryId, namespace);
      const texts = answer.candidates.map((candidate) => candidate.text);
      const wanted = {
        factKeys: [...new Set(texts.map(factKey))],
        slotKeys: [...new Set(texts.flatMap((text) => slotOf(text)?.key ?? []))],
      };
      const admission = admit({
        candidates: answer.candidates,
        window: messages,
        known: texts.length === 0 ? [] : await records.known(tx, claim.memoryId, namespace, wanted),
        namespace,
        newId: (index) => ids.derive('record', eventId, index),
      });
      const data: RecordsExtracted = {
        strategyId: strategy.strategyId,
        strategyVersion: strategy.version,
        fromSequence: claim.watermark + 1,
        toSequence,
        extractor: answer.extractor,
        model: answer.model,
        promptHash: answer.promptHash,
        rawAnswer: answer.rawAnswer,
        ...admission,
      };
      await extractions.complete(
        tx,
        claim,
        { toSequence, userTurns: countUserTurns(read.events), recordsMade: data.records.length },
        timing,
      );
      const event = {
        eventId,
        type: 'records.extracted',
        schemaVersion: 1,
        data,
        occurredAt: null,
      } as const satisfies NewEvent;
      const { recordedAt, duplicate } = await eventStore.appendIn(tx, { ...scopeOf(claim), events: [event] });
      if (duplicate) {
        // The watermark and the log disagree, which one transaction for both rules out. Never paper over it.
        throw new ExtractionFailed('extraction.window_repeated', 'The log has this window already.', null);
      }
      await records.apply(tx, {
        ...scopeOf(claim),
        ...event,
        sessionKey: claim.sessionKey,
        sequence: null,
        recordedAt,
        expiresAt: null,
      });
      return data;
    });
  }

  private async fail(
    claim: ExtractionClaim,
    code: string,
    rawAnswer: string | null,
    retryInMs: number | null,
  ): Promise<ExtractionOutcome> {
    await this.deps.extractions.fail(claim, { code, rawAnswer, retryInMs });
    return retryInMs === null ? { kind: 'parked', code } : { kind: 'retry', code };
  }

  /** 1 s, 2 s, 4 s … at most 5 min; null when the tries are used up. A `Retry-After` is a lower bound. */
  private retryDelay(attempt: number, retryAfterMs: number | null): number | null {
    if (attempt >= this.deps.limits.maxAttempts) return null;
    const backoff = Math.min(1_000 * 2 ** (attempt - 1), 300_000);
    return Math.max(backoff, retryAfterMs ?? 0);
  }
}

const scopeOf = ({ tenantId, memoryId, actorId, sessionId }: ExtractionClaim): SessionScope => ({
  tenantId,
  memoryId,
  actorId,
  sessionId,
});

/** A window of agents' events and empty turns needs no extractor. */
const nothingToRead: ExtractionAnswer = {
  extractor: 'none',
  model: null,
  promptHash: '',
  rawAnswer: '',
  candidates: [],
};
