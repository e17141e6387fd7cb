import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, ask, type Schemas } from '../../api/client';

export interface SessionPath {
  readonly memoryId: string;
  readonly actorId: string;
  readonly sessionId: string;
}

export type Turn = Schemas['Event'];

/** The API's largest page. */
const BLOCK = 100;
/** How often the newest turn is asked for while the event stream is not open. */
const TAIL_MS = 2_000;

const EVENTS = '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/events';

const pageOf = (path: SessionPath, query: Readonly<Record<string, string | number>>) =>
  ask(api.GET(EVENTS, { params: { path: { ...path }, query } }));

/** Sequences of a session's turns, from its oldest to its newest, and how many there are: 0 for an empty session. */
export interface TurnSpan {
  readonly turns: number;
  readonly oldest: number;
  readonly newest: number;
}

/** Polled while `polling`. */
export const useTurnSpan = (path: SessionPath, polling: boolean) =>
  useQuery({
    queryKey: ['turn-span', path],
    queryFn: async (): Promise<TurnSpan> => {
      const [last, first] = await Promise.all([
        pageOf(path, { page: 1, size: 1, order: 'desc' }),
        pageOf(path, { size: 1, order: 'asc', after: 0 }),
      ]);
      const newest = last.listData[0]?.sequence ?? 0;
      return { turns: last.totalItem ?? 0, oldest: first.listData[0]?.sequence ?? newest, newest };
    },
    refetchInterval: polling ? TAIL_MS : false,
  });

/** The turns of a block: sequences `block * BLOCK + 1` to `(block + 1) * BLOCK`. A page may end early by its bytes. */
const turnsOfBlock = async (path: SessionPath, block: number): Promise<ReadonlyMap<number, Turn>> => {
  const turns = new Map<number, Turn>();
  const end = (block + 1) * BLOCK;
  for (let after: number | null = block * BLOCK; after !== null && after < end;) {
    const page: { listData: Turn[]; next: number | null } = await pageOf(path, { size: BLOCK, order: 'asc', after });
    for (const turn of page.listData) {
      if (turn.sequence !== null && turn.sequence <= end) turns.set(turn.sequence, turn);
    }
    after = page.next;
  }
  return turns;
};

/**
 * Loads only the blocks of turns that are on the screen, so a session of any length opens at once.
 *
 * `turnAt` returns undefined while a sequence loads, and null if no turn has it: it was erased, or is of another event.
 */
export const useTurns = (path: SessionPath, span: TurnSpan, from: number, to: number) => {
  const queryClient = useQueryClient();
  const first = Math.floor((from - 1) / BLOCK);
  const last = Math.floor((Math.max(from, to) - 1) / BLOCK);
  const blocks = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const { memoryId, actorId, sessionId } = path;
  // The last block grows, and erasure may take turns from any.
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: ['turns', { memoryId, actorId, sessionId }] });
  }, [queryClient, span.turns, span.newest, memoryId, actorId, sessionId]);
  const results = useQueries({
    queries: blocks.map((block) => ({
      queryKey: ['turns', { memoryId, actorId, sessionId }, block],
      queryFn: () => turnsOfBlock(path, block),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const turnAt = (sequence: number): Turn | null | undefined => {
    const block = results[Math.floor((sequence - 1) / BLOCK) - first];
    if (block?.data === undefined) return undefined;
    // A new turn is known by the stream before its block is read again.
    return block.data.get(sequence) ?? (block.isFetching ? undefined : null);
  };
  return { turnAt, error: results.find(({ isError }) => isError)?.error ?? null };
};

/** What was heard of interrupted messages, by the generated text. Known to the agents of the session only. */
export const useHeard = (path: SessionPath, enabled: boolean) =>
  useQuery({
    queryKey: ['heard', path],
    queryFn: async () => {
      const { items } = await ask(api.GET('/v1/agents', { params: { query: { ...path, limit: 20 } } }));
      const histories = await Promise.all(
        items.map(({ id: agentId }) => ask(api.GET('/v1/agents/{agentId}/history', { params: { path: { agentId } } }))),
      );
      const messages = histories.flatMap(({ contents }) => contents);
      return new Map(
        messages.flatMap(({ content, metadata }) => {
          const generated = metadata?.['original'];
          return metadata?.['interrupted'] === true && typeof generated === 'string'
            ? [[generated, content ?? '']]
            : [];
        }),
      );
    },
    enabled,
    refetchInterval: 5_000,
  });

/** Every turn, oldest first, for the download. */
export const allTurns = async (path: SessionPath): Promise<Turn[]> => {
  const turns: Turn[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: { listData: Turn[]; next: number | null } = await pageOf(path, { order: 'asc', size: BLOCK, after });
    turns.push(...page.listData);
    after = page.next;
  }
  return turns;
};

/** Quotes of the actor's records by the event that they are from. */
export const useQuotes = (path: SessionPath, namespaces: readonly string[]) =>
  useQuery({
    queryKey: ['memory', path.memoryId, 'quotes', namespaces],
    queryFn: async () => {
      const lists = await Promise.all(
        namespaces.map((namespace) =>
          ask(
            api.GET('/memory/memories/{memoryId}/memory-records', {
              params: { path: { memoryId: path.memoryId }, query: { namespace, limit: 1_000 } },
            }),
          ),
        ),
      );
      const quotes = new Map<
        string,
        { readonly recordId: string; readonly memory: string; readonly quote: string }[]
      >();
      for (const { id, memory, sources } of lists.flat()) {
        for (const { eventId, quote, context } of sources) {
          if (context) continue;
          quotes.set(eventId, [...(quotes.get(eventId) ?? []), { recordId: id, memory, quote }]);
        }
      }
      return quotes;
    },
    enabled: namespaces.length > 0,
    refetchInterval: 5_000,
  });
