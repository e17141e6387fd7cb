import type { PublishedLog, ReconcileReport, ReferenceReader, StreamMark } from '@turnkeeper/application';
import { NatsError, type JetStreamManager } from 'nats';
import type { EventStream } from '../event-stream.js';
import { BrokerUnavailable, type JetStreamPublisher } from '../jetstream-publisher.js';
import type { NatsConnectionProvider } from '../nats-connection.js';
import { Coverage } from './coverage.js';
import { LostNotices } from './lost-notices.js';
import { mayHaveLost, readCoverage, readStreamState, type StreamState } from './stream-state.js';

export interface ReconcilerPorts {
  readonly log: ReferenceReader;
  readonly published: PublishedLog;
  readonly publisher: JetStreamPublisher;
  readonly broker: NatsConnectionProvider;
  readonly stream: EventStream;
}

/** References read from the log per page. */
const PAGE = 2_000;
/** Messages published per batch. */
const AT_ONCE = 100;

/**
 * Finds events that are missing from the stream (it was wiped, deleted or purged, or a message was deleted) and
 * republishes them. Compares the ids and headers of messages with the log's references. Republished messages arrive after newer ones:
 * subscribers must order by position and deduplicate by event id.
 */
export class JetStreamReconciler {
  private running: Promise<ReconcileReport> | null = null;

  constructor(
    private readonly ports: ReconcilerPorts,
    private readonly onReport: (report: ReconcileReport) => void = () => undefined,
  ) {}

  /**
   * Compares the stream with the log and republishes missing messages. One run at a time per process: concurrent calls share
   * the result. Rejects while the broker is unreachable.
   */
  reconcile(): Promise<ReconcileReport> {
    this.running ??= this.compare()
      .catch((error: unknown) => {
        if (error instanceof NatsError) throw new BrokerUnavailable('JetStream does not answer.', { cause: error });
        throw error;
      })
      .finally(() => (this.running = null));
    return this.running;
  }

  /** Reconciles only if the stream's state indicates lost messages. Resolves to null otherwise. */
  async check(nowMs: number): Promise<ReconcileReport | null> {
    const state = await readStreamState(await this.manager(), this.ports.stream);
    const mark = await this.ports.published.mark();
    if (mayHaveLost(mark, state, this.ports.stream.maxAgeMs, nowMs)) return this.reconcile();
    if (!isSameMark(mark, state)) await this.setMark(state);
    return null;
  }

  private async compare(): Promise<ReconcileReport> {
    const { log, published, broker, stream } = this.ports;
    // The order matters: everything published up to this position is in the stream state read afterwards.
    const through = await published.position();
    const jsm = await this.manager();
    const state = await readStreamState(jsm, stream);
    const coverage =
      state.messages === 0
        ? new Coverage()
        : await readCoverage(await broker.connection(), jsm, stream, state.lastSequence);
    const oldest = await log.positionSince(stream.maxAgeMs);
    const from = state.isBounded ? Math.max(oldest, Math.min(coverage.lowestPosition, through + 1)) : oldest;
    const report = { from, through, events: 0, missing: 0, republished: 0, refused: 0 };
    const lost = new LostNotices(coverage, await published.pageEnds(from - 1, through));
    for (let after = from - 1; after < through;) {
      const page = (await log.readReferences(after, PAGE)).filter(({ position }) => position <= through);
      for (const reference of page) lost.look(reference);
      report.events += page.length;
      await this.publish(lost.take(), report);
      after = page.length < PAGE ? through : (page.at(-1)?.position ?? through);
    }
    await this.publish(lost.end(), report);
    report.missing = lost.missing;
    // Otherwise the next check retries.
    if (report.refused === 0) await this.setMark(state);
    this.onReport(report);
    return report;
  }

  private async publish(
    notices: Parameters<JetStreamPublisher['republish']>[0],
    report: { republished: number; refused: number },
  ): Promise<void> {
    for (let start = 0; start < notices.length; start += AT_ONCE) {
      const some = notices.slice(start, start + AT_ONCE);
      const refused = await this.ports.publisher.republish(some);
      report.refused += refused;
      report.republished += some.length - refused;
    }
  }

  private async manager(): Promise<JetStreamManager> {
    const { broker } = this.ports;
    if (!broker.isConnected()) throw new BrokerUnavailable('NATS is not connected.');
    return (await broker.connection()).jetstreamManager({ checkAPI: false });
  }

  private async setMark({ created, firstSequence, lastSequence, deleted }: StreamState): Promise<void> {
    const { published, stream } = this.ports;
    await published.setMark({ created, firstSequence, lastSequence, deleted }, stream.maxAgeMs);
  }
}

const isSameMark = (mark: StreamMark | null, state: StreamState): boolean =>
  mark?.firstSequence === state.firstSequence &&
  mark.lastSequence === state.lastSequence &&
  mark.deleted === state.deleted;
