import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, ask, type Schemas } from '../../api/client';

export interface SessionPath {
  readonly memoryId: string;
  readonly actorId: string;
  readonly sessionId: string;
}

export type Turn = Schemas['Event'];

export const PAGE_SIZE = 100;
/** How often the newest turn is asked for while the event stream is not open. */
const TAIL_MS = 2_000;

const EVENTS = '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/events';

/** Number of turns in the session and the sequence of the newest, polled while `polling`. */
export const useTurnCount = (path: SessionPath, polling: boolean) =>
  useQuery({
    queryKey: ['turn-count', path],
    queryFn: () =>
      ask(api.GET(EVENTS, { params: { path: { ...path }, query: { page: 1, size: 1, order: 'desc' } } })).then(
        ({ totalItem, listData }) => ({ turns: totalItem ?? 0, newest: listData[0]?.sequence ?? 0 }),
      ),
    refetchInterval: polling ? TAIL_MS : false,
  });

/** Loads only the pages of turns that are on the screen, so a session of any length opens at once. */
export const useTurns = (path: SessionPath, count: number, from: number, to: number) => {
  const queryClient = useQueryClient();
  const first = Math.floor(from / PAGE_SIZE);
  const last = Math.floor(Math.max(from, to) / PAGE_SIZE);
  const pages = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const { memoryId, actorId, sessionId } = path;
  // The last page grows. Pages before it are full, but retention and erasure may shift them.
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: ['turns', { memoryId, actorId, sessionId }] });
  }, [queryClient, count, memoryId, actorId, sessionId]);
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['turns', { memoryId, actorId, sessionId }, page],
      queryFn: () =>
        ask(
          api.GET(EVENTS, {
            params: { path: { ...path }, query: { page: page + 1, size: PAGE_SIZE, order: 'asc' as const } },
          }),
        ).then(({ listData }) => listData),
      enabled: count > 0,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const turnAt = (index: number): Turn | undefined =>
    results[Math.floor(index / PAGE_SIZE) - first]?.data?.[index % PAGE_SIZE];
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
    const query = { order: 'asc' as const, size: PAGE_SIZE, after };
    const page: { listData: Turn[]; next: number | null } = await ask(
      api.GET(EVENTS, { params: { path: { ...path }, query } }),
    );
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
