import type { AppendRequest, AppendingTransaction, Ending, UnitOfWork } from '@turnkeeper/application';
import type { EventType } from '@turnkeeper/domain';
import type { Span, SpanOptions, Tracing } from '@turnkeeper/platform';
import type { AroundAppend, PgTraceContexts } from '@turnkeeper/postgres';

/** Longest delay of an append by its trace context. The context is lost then, not the append. */
const NOTE_MS = 250;

/** Traces appends: a child span of the request, and its context for the jobs that process the events. */
export const aroundAppends =
  (tracing: Tracing, contexts: PgTraceContexts): AroundAppend =>
  (request, append) =>
    tracing.within('append', appendOptions, async (span) => {
      if (span !== undefined) await note(contexts, span, [request]);
      return append();
    });

/** The same for transactions that end with an append. Without tracing, returns the unit of work itself. */
export const tracedUnitOfWork = (
  unitOfWork: UnitOfWork,
  tracing: Tracing | undefined,
  contexts: PgTraceContexts | undefined,
): UnitOfWork => {
  if (tracing?.on !== true || contexts === undefined) return unitOfWork;
  const traced = <T>(
    work: (tx: AppendingTransaction) => Promise<Ending<T>>,
    run: (work: (tx: AppendingTransaction) => Promise<Ending<T>>) => Promise<T>,
  ): Promise<T> =>
    tracing.within('transaction', appendOptions, (span) =>
      run(async (tx) => {
        const ending = await work(tx);
        if (span !== undefined && ending.append.length > 0) await note(contexts, span, ending.append);
        return ending;
      }),
    );
  return {
    run: (work) => unitOfWork.run(work),
    runFor: (tenantId, work) => unitOfWork.runFor(tenantId, work),
    append: (work) => traced(work, (inner) => unitOfWork.append(inner)),
    appendFor: (tenantId, work) => traced(work, (inner) => unitOfWork.appendFor(tenantId, inner)),
  };
};

const appendOptions: SpanOptions = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } };

/** Written for one event of each request, except for those that cause work by themselves: an import has thousands. */
const IN_BULK: ReadonlySet<EventType> = new Set(['message.appended', 'binary.appended']);

const note = async (contexts: PgTraceContexts, span: Span, requests: readonly AppendRequest[]): Promise<void> => {
  span.set({ 'turnkeeper.events': requests.reduce((sum, { events }) => sum + events.length, 0) });
  const eventIds = requests.flatMap(({ events }) =>
    events.filter(({ type }, index) => index === events.length - 1 || !IN_BULK.has(type)).map(({ eventId }) => eventId),
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, NOTE_MS)));
  await Promise.race([contexts.note(eventIds, span.traceparent).catch(() => undefined), late]);
  clearTimeout(timer);
};
