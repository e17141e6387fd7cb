import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TooMuchWork } from '../auth/auth-errors.js';
import type { Admitted } from '../edge/admit-on-headers.js';
import type { TakesTurn } from '../edge/read-body.js';
import { specOf } from '../edge/route-config.js';
import type { FairWork, Work, WorkKinds } from './fair-work.js';

/** How long work waits for its turn before the request is rejected. */
const MAX_WAIT_MS = 2_000;
/** Writes with larger bodies are work like reads, of one kind: their cost depends on their size more than on their route. */
const LARGE_BYTES = 65_536;
const LARGE_WRITE = 'large write';
/** An export reads much, page by page. */
export const WORK_KINDS: WorkKinds = { bulk: new Set(['exportMemory']), writes: new Set([LARGE_WRITE]) };

/** Kept open, shared page by page by their handlers, or done by further requests that are shared themselves. */
const SHARED_OTHERWISE: ReadonlySet<string> = new Set([
  ...['followEvents', 'followMemoryState'],
  ...['exportMemory', 'importMemory'],
  'callMcp',
  // Waits for a model; its context is built in turn.
  'createChatCompletion',
]);

/** Their handlers call `doInTurn` if the request waits for an extraction first, which is no work. */
const MAY_WAIT_FIRST: ReadonlySet<string> = new Set(['listRecords', 'searchRecords', 'getProfile']);

const waitsFirst = (name: string, { query }: FastifyRequest): boolean =>
  MAY_WAIT_FIRST.has(name) && (query as { afterSequence?: string }).afterSequence !== undefined;

/** The kind of work of a request, whose cost is measured; null for small writes, which never wait. */
const kindOf = (request: FastifyRequest): string | null => {
  const spec = specOf(request);
  const name = spec?.id;
  if (name === undefined || SHARED_OTHERWISE.has(name) || waitsFirst(name, request)) return null;
  if (request.method === 'GET' || spec?.scope?.endsWith(':read') === true) return name;
  return isLarge(request) ? LARGE_WRITE : null;
};

/** Or may be: the size of a body that is compressed or sent in chunks is not announced. */
const isLarge = ({ headers }: FastifyRequest): boolean =>
  Number(headers['content-length'] ?? 0) > LARGE_BYTES ||
  headers['transfer-encoding'] !== undefined ||
  headers['content-encoding'] !== undefined;

/**
 * Lets reads and large writes of a tenant above its share wait for their turn (`FairWork`), after their body was read. A heavy
 * body is parsed only then: until then it is bytes, not thousands of objects that the garbage collector copies. Call before
 * routes are registered.
 */
export const shareWork = (server: FastifyInstance, fairWork: FairWork): void => {
  const take = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { tenantId } = request as Admitted;
    if (tenantId === undefined) return done();
    fairWork.seen(tenantId);
    const kind = kindOf(request);
    if (kind === null) return done();
    const begun = (work: Work): void => {
      // Fires once per response, whether it was sent or the client disconnected.
      if (reply.raw.closed) fairWork.end(work);
      else reply.raw.once('close', () => fairWork.end(work));
      done();
    };
    const work = fairWork.begin(tenantId, kind);
    if (work !== null) return begun(work);
    inTurn(fairWork, tenantId, kind, reply).then(begun, done);
  };
  server.addHook('preParsing', (request: FastifyRequest & TakesTurn, reply, payload, done) => {
    if (isLarge(request)) {
      request.takeTurn = (then) => {
        request.hasTurn = true;
        take(request, reply, then);
      };
    }
    done(null, payload);
  });
  server.addHook('preHandler', (request: FastifyRequest & TakesTurn, reply, done) => {
    if (request.hasTurn === true) return done();
    take(request, reply, done);
  });
};

/** Begins work in its turn. Rejects with `TooMuchWork` if that does not come in time, or the client disconnects. */
const inTurn = async (fairWork: FairWork, tenantId: string, kind: string, reply?: FastifyReply): Promise<Work> => {
  const giveUp = new AbortController();
  const refuse = (): void => giveUp.abort(new TooMuchWork(fairWork.retryAfterSeconds(tenantId)));
  const timer = setTimeout(refuse, MAX_WAIT_MS);
  reply?.raw.once('close', refuse);
  try {
    return await fairWork.wait(tenantId, kind, giveUp.signal);
  } finally {
    clearTimeout(timer);
    reply?.raw.removeListener('close', refuse);
  }
};

/** Does work in its turn, for a request that waited for something else first. */
export const doInTurn = async <T>(
  fairWork: FairWork,
  tenantId: string,
  kind: string,
  task: () => Promise<T>,
): Promise<T> => {
  const work = fairWork.begin(tenantId, kind) ?? (await inTurn(fairWork, tenantId, kind));
  try {
    return await task();
  } finally {
    fairWork.end(work);
  }
};

/** Yields items in pages; reading each page is work of the tenant, which waits for its turn. */
export async function* inShare<T>(
  items: AsyncIterable<T>,
  tenantId: string,
  kind: string,
  pageSize: number,
  fairWork: Pick<FairWork, 'begin' | 'wait' | 'end'>,
): AsyncGenerator<readonly T[]> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (let isDone = false; !isDone;) {
      const work = fairWork.begin(tenantId, kind) ?? (await fairWork.wait(tenantId, kind));
      const page: T[] = [];
      try {
        while (!isDone && page.length < pageSize) {
          const next = await iterator.next();
          if (next.done === true) isDone = true;
          else page.push(next.value);
        }
      } finally {
        fairWork.end(work);
      }
      yield page;
    }
  } finally {
    await iterator.return?.();
  }
}
