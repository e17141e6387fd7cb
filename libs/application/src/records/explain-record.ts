import {
  RecordNotFound,
  sessionNameOf,
  strategyVersion,
  type LogEvent,
  type MemoryEvent,
  type RecordSource,
  type RefusedCandidate,
  type Strategy,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import type { RecordAccount, SourceState, TracedSource } from './provenance.port.js';
import type { LineageLink, RecordReader, RecordView } from './record-reader.port.js';

/** A source event of the record, as far as it is still readable. */
export interface ExplainedSource extends RecordSource {
  readonly state: SourceState;
  /** Text of the message; null if it is no longer readable. */
  readonly content: string | null;
  readonly actorId: string | null;
  readonly sessionId: string | null;
  /** When it was said (ISO 8601). */
  readonly at: string | null;
}

/** A strategy run that affected the record. */
export interface ExplainedRun {
  readonly eventId: string;
  readonly recordedAt: string;
  /**
   * - `made`: created the record
   * - `confirmed`: the fact was stated again
   * - `continued`: it added context from later messages of the same exchange
   * - `superseded`: another record superseded it
   * - `superseded_another`: it superseded another record
   */
  readonly did: readonly ('made' | 'confirmed' | 'continued' | 'superseded' | 'superseded_another')[];
  readonly actorId: string | null;
  readonly sessionId: string | null;
  /** The extracted window: session sequences, inclusive. */
  readonly fromSequence: number;
  readonly toSequence: number;
  readonly strategyId: string;
  readonly strategyVersion: number;
  /** The strategy at that time; null if it cannot be reconstructed from the log. */
  readonly strategy: Strategy | null;
  readonly extractor: string;
  readonly model: string | null;
  readonly promptHash: string;
  /** The prompt without the conversation; null for rules, or if this release uses another prompt. */
  readonly prompt: string | null;
  /** The raw answer; null if it was erased or there was nothing to read. */
  readonly rawAnswer: string | null;
  /** Number of rejected candidates of the same answer, by reason. */
  readonly refused: Readonly<Partial<Record<RefusedCandidate['reason'], number>>>;
}

/** A change of the record outside of runs. */
export interface ExplainedChange {
  readonly eventId: string;
  readonly recordedAt: string;
  readonly kind: 'stated' | 'corrected' | 'carried_over' | 'supersession_withdrawn';
}

export interface RecordExplanation {
  readonly record: RecordView;
  /** When it was last stated. */
  readonly statedAt: string;
  readonly sources: readonly ExplainedSource[];
  readonly runs: readonly ExplainedRun[];
  readonly changes: readonly ExplainedChange[];
  readonly supersedes: readonly LineageLink[];
  readonly supersededBy: readonly LineageLink[];
}

/** Explains where a record came from, as far as the log still shows it. */
export class ExplainRecord {
  constructor(
    private readonly deps: Pick<Ports, 'memories' | 'provenance' | 'prompts'> & {
      readonly records: Pick<RecordReader, 'lineage'>;
    },
  ) {}

  async execute(tenantId: string, memoryId: string, recordId: string): Promise<RecordExplanation> {
    const { memories, records, provenance } = this.deps;
    await requireMemory(memories, tenantId, memoryId);
    const found = await records.lineage(tenantId, memoryId, recordId);
    if (found === null) throw new RecordNotFound();
    const traced = await provenance.traceSources(tenantId, found.places);
    const accounts = await provenance.accountsOf({ tenantId, memoryId, recordId }, found);
    const history = await provenance.memoryEvents(tenantId, memoryId);
    const runs: ExplainedRun[] = [];
    for (const account of accounts) {
      if (account.type === 'records.extracted') runs.push(await this.explainRun(account, recordId, history));
    }
    const { record, statedAt, supersedes, supersededBy } = found;
    return {
      record,
      statedAt,
      sources: record.sources.map((source) => explainSource(source, traced)),
      runs,
      changes: accounts.flatMap(explainChange),
      supersedes,
      supersededBy,
    };
  }

  private async explainRun(
    event: LogEvent<'records.extracted'>,
    recordId: string,
    history: readonly MemoryEvent[],
  ): Promise<ExplainedRun> {
    const { data } = event;
    const strategy = strategyVersion(history, data.strategyId, data.strategyVersion);
    return {
      eventId: event.eventId,
      recordedAt: event.recordedAt,
      did: didTo(event, recordId),
      actorId: event.actorId,
      sessionId: event.sessionId === null ? null : sessionNameOf(event.sessionId),
      fromSequence: data.fromSequence,
      toSequence: data.toSequence,
      strategyId: data.strategyId,
      strategyVersion: data.strategyVersion,
      strategy,
      extractor: data.extractor,
      model: data.model,
      promptHash: data.promptHash,
      prompt: strategy === null ? null : this.deps.prompts.promptOf(strategy, data.promptHash),
      rawAnswer: await this.rawAnswer(event),
      refused: countByReason(data.refused),
    };
  }

  private async rawAnswer({ tenantId, data }: LogEvent<'records.extracted'>): Promise<string | null> {
    const { answerEventId = null } = data;
    const answer = answerEventId === null ? null : await this.deps.provenance.answer(tenantId, answerEventId);
    const text = answerEventId === null ? data.rawAnswer : (answer?.data.rawAnswer ?? '');
    return text === '' ? null : text;
  }
}

const explainSource = (source: RecordSource, traced: readonly TracedSource[]): ExplainedSource => {
  const { state = 'erased', event = null } = traced.find(({ eventId }) => eventId === source.eventId) ?? {};
  const said = event?.type === 'message.appended' || event?.type === 'content.submitted' ? event : null;
  return {
    ...source,
    state,
    content: said?.data.content ?? null,
    actorId: said?.actorId ?? null,
    sessionId: said === null || said.sessionId === null ? null : sessionNameOf(said.sessionId),
    at: said === null ? null : (said.occurredAt ?? said.recordedAt),
  };
};

const didTo = ({ data }: LogEvent<'records.extracted'>, recordId: string): ExplainedRun['did'] => {
  const did: ExplainedRun['did'][number][] = [];
  if (data.records.some((record) => record.recordId === recordId)) did.push('made');
  if (data.confirmed.some((record) => record.recordId === recordId)) did.push('confirmed');
  if (data.continued?.some((record) => record.recordId === recordId) === true) did.push('continued');
  if (data.superseded.some((entry) => entry.recordId === recordId)) did.push('superseded');
  if (data.superseded.some((entry) => entry.by === recordId)) did.push('superseded_another');
  return did;
};

const CHANGES = {
  'records.extracted': null,
  'records.inserted': 'stated',
  'record.corrected': 'corrected',
  'records.carried_over': 'carried_over',
  'supersession.withdrawn': 'supersession_withdrawn',
} as const satisfies { readonly [T in RecordAccount['type']]: ExplainedChange['kind'] | null };

const explainChange = ({ type, eventId, recordedAt }: RecordAccount): ExplainedChange[] => {
  const kind = CHANGES[type];
  return kind === null ? [] : [{ eventId, recordedAt, kind }];
};

const countByReason = (refused: readonly RefusedCandidate[]): ExplainedRun['refused'] => {
  const counts: Partial<Record<RefusedCandidate['reason'], number>> = {};
  for (const { reason } of refused) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
};
