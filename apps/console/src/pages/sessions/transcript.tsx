import { Button, Group, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { api, ask, type Schemas } from '../../api/client';
import { useGet } from '../../api/use-get';
import { useFilters } from '../../app/filters';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, Empty, ProblemAlert } from '../../ui/ask';
import { ConfirmButton } from '../../ui/confirm';
import { StoredText } from '../../ui/stored-text';
import { MemoryHead, useStrategies } from '../memory-head';
import { useLiveTail } from './live-tail';
import classes from './sessions.module.css';
import { TurnView } from './turn-view';
import { allTurns, useHeard, useQuotes, useTurns, useTurnSpan, type SessionPath, type TurnSpan } from './use-turns';

const save = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};

export const Transcript = () => {
  const t = useT();
  const { can } = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { memoryId = '', actorId = '', sessionId = '' } = useParams({ strict: false });
  const path: SessionPath = { memoryId, actorId, sessionId };
  const [filters, setFilters] = useFilters();
  const isLive = filters['live'] !== 'off';
  const [isStreaming, setStreaming] = useState(false);
  const span = useTurnSpan(path, isLive && !isStreaming);
  const onEvents = (): void => {
    void queryClient.invalidateQueries({ queryKey: ['turn-span', path] });
    void queryClient.invalidateQueries({ queryKey: ['session-extraction', path] });
  };
  const isOpen = useLiveTail(path, isLive, span.data?.newest, onEvents);
  useEffect(() => setStreaming(isOpen), [isOpen]);
  const extraction = useGet(
    ['session-extraction', path],
    '/v1/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/extraction',
    {
      path: { ...path },
      refetchInterval: ({ state: { data } }) =>
        !isLive ? false : data !== undefined && unreadOf(data) === 0 ? 10_000 : 2_000,
    },
  );
  const readThrough = Math.min(...(extraction.data?.strategies.map((each) => each.readThrough) ?? [0]));
  const download = useMutation({
    mutationFn: () => allTurns(path),
    onSuccess: (turns) => save(`${sessionId}.json`, JSON.stringify(turns, null, 2)),
  });
  const base = `/memories/${memoryId}/actors`;
  const actorPage = `${base}/${encodeURIComponent(actorId)}`;
  const remove = async (): Promise<void> => {
    await ask(
      api.DELETE('/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}', {
        params: { path: { ...path } },
      }),
    );
    await navigate({ to: actorPage as never });
    await queryClient.invalidateQueries({ queryKey: ['memory', memoryId] });
  };
  return (
    <>
      <MemoryHead
        memoryId={memoryId}
        section="actors"
        trail={[
          { label: t('actors'), to: base },
          { label: actorId, to: actorPage },
        ]}
        title={<StoredText inline text={sessionId} />}
      >
        <Switch
          label={t('live')}
          checked={isLive}
          onChange={(event) => setFilters({ live: event.currentTarget.checked ? undefined : 'off' }, { replace: true })}
        />
        <Button variant="default" onClick={() => download.mutate()} loading={download.isPending}>
          {t('download')}
        </Button>
        {can('memory:delete') && (
          <ConfirmButton
            label={t('deleteSession')}
            name={sessionId}
            warning={t('deleteSessionWarning')}
            action={t('delete')}
            run={remove}
          />
        )}
      </MemoryHead>
      {download.isError && <ProblemAlert error={download.error} />}
      <Asked query={span}>
        {(found) =>
          found.turns === 0 ? (
            <Empty title={t('noTurns')} />
          ) : (
            <>
              <Progress turns={found.turns} extraction={extraction.data} />
              <Turns path={path} span={found} readThrough={readThrough} isLive={isLive} />
            </>
          )
        }
      </Asked>
    </>
  );
};

/** Strategies that have not read all turns. */
const unreadOf = ({ strategies, newestSequence }: Schemas['SessionExtraction']): number =>
  strategies.filter(({ readThrough }) => readThrough < newestSequence).length;

/** What was skipped, refused or kept with a doubt, by reason. */
const notKeptOf = (strategies: Schemas['SessionExtraction']['strategies']): string => {
  const counts = new Map<string, number>();
  for (const [reason, count] of strategies.flatMap(({ skipped }) => Object.entries(skipped)))
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts].map(([reason, count]) => `${reason} ${count.toLocaleString()}`).join(', ');
};

interface ProgressProps {
  readonly turns: number;
  readonly extraction: Schemas['SessionExtraction'] | undefined;
}

const Progress = ({ turns, extraction }: ProgressProps) => {
  const t = useT();
  const unread = extraction === undefined ? 0 : unreadOf(extraction);
  const records = extraction?.strategies.reduce((sum, each) => sum + each.records, 0) ?? 0;
  const notKept = notKeptOf(extraction?.strategies ?? []);
  return (
    <Group gap="md" mb="xs">
      <Text size="sm">{t('turnCount', { n: turns.toLocaleString() })}</Text>
      {extraction !== undefined && (
        <Text size="sm" role="status">
          {extraction.strategies.length === 0
            ? t('noStrategies')
            : t(unread === 0 ? 'allRead' : 'notAllRead', { records: records.toLocaleString() })}
        </Text>
      )}
      {notKept !== '' && (
        <Text size="sm" c="dimmed">
          {t('notKept', { reasons: notKept })}
        </Text>
      )}
    </Group>
  );
};

interface TurnsProps {
  readonly path: SessionPath;
  readonly span: TurnSpan;
  readonly readThrough: number;
  readonly isLive: boolean;
}

/** Only the turns on the screen exist in the page. */
const Turns = ({ path, span, readThrough, isLive }: TurnsProps) => {
  const t = useT();
  const strategies = useStrategies(path.memoryId);
  const namespaces = (strategies.data ?? []).map(({ id, namespaceTemplate }) =>
    namespaceTemplate
      .replaceAll('{memoryStrategyId}', id)
      .replaceAll('{actorId}', path.actorId)
      .replaceAll('{sessionId}', path.sessionId),
  );
  const quotes = useQuotes(path, [...new Set(namespaces)]);
  const { can } = useSession();
  const heard = useHeard(path, can('agents:read'));
  const scroller = useRef<HTMLDivElement>(null);
  // One row for each sequence: those without a turn take no space.
  const { oldest, newest } = span;
  const count = newest - oldest + 1;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => 96,
    overscan: 6,
    initialOffset: count * 96,
  });
  const rows = virtual.getVirtualItems();
  const size = virtual.getTotalSize();
  const { turnAt, error } = useTurns(
    ...([path, span, oldest + (rows[0]?.index ?? count - 1), oldest + (rows.at(-1)?.index ?? count - 1)] as const),
  );
  // Follows the end while live, unless the reader has scrolled up.
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isLive && isAtEnd.current) virtual.scrollToIndex(count - 1, { align: 'end' });
  }, [count, size, isLive, virtual]);
  return (
    <>
      {error !== null && <ProblemAlert error={error} />}
      <div
        ref={scroller}
        className={classes['scroller']}
        tabIndex={0}
        role="log"
        aria-label={t('turns')}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 80;
        }}
      >
        <div style={{ height: size, position: 'relative' }}>
          {rows.map(({ index, start }) => {
            const turn = turnAt(oldest + index);
            return (
              <div
                key={index}
                ref={virtual.measureElement}
                data-index={index}
                className={classes['row']}
                style={{ transform: `translateY(${start}px)` }}
              >
                {turn !== null && (
                  <TurnView
                    memoryId={path.memoryId}
                    turn={turn}
                    quotes={(turn && quotes.data?.get(turn.id)) ?? []}
                    heard={heard.data?.get(turn?.payload.message ?? '')}
                    isRead={turn !== undefined && oldest + index <= readThrough}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
};
