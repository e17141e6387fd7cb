import { Anchor, Group, SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { api, ask, type Schemas } from '../../api/client';
import { useGet } from '../../api/use-get';
import { problemOf } from '../../api/problem';
import { pageOf, useFilters } from '../../app/filters';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { ConfirmButton } from '../../ui/confirm';
import { DataTable } from '../../ui/data-table';
import { SearchBox } from '../../ui/search-box';
import { Fact, NextPage, Pages, Panel, SessionLink, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';
import { MemoryHead } from '../memory-head';

const SIZE = 25;
const VIEWS = ['recent', 'actors'] as const;

/** The sessions of a memory by recency, or its actors by id. */
export const Actors = () => {
  const t = useT();
  const { memoryId = '' } = useParams({ strict: false });
  const [filters, setFilters] = useFilters();
  const view = VIEWS.find((each) => each === filters['view']) ?? 'recent';
  return (
    <>
      <MemoryHead memoryId={memoryId} section="actors" />
      <Group mb="md" align="flex-end">
        <SegmentedControl
          value={view}
          aria-label={t('show')}
          onChange={(next) => setFilters({ view: next === 'recent' ? undefined : next, q: undefined })}
          data={[
            { value: 'recent', label: t('recentSessions') },
            { value: 'actors', label: t('actors') },
          ]}
        />
        <SearchBox
          key={`${view} ${filters['q']}`}
          label={t('actorId')}
          value={filters['q'] ?? ''}
          onSearch={(q) => setFilters({ q })}
        />
      </Group>
      {view === 'recent' ? (
        <RecentSessions memoryId={memoryId} actorId={filters['q']} />
      ) : (
        <ActorsById memoryId={memoryId} actorId={filters['q']} />
      )}
    </>
  );
};

interface ActorsByIdProps {
  readonly memoryId: string;
  /** Only this one. */
  readonly actorId: string | undefined;
}

const ActorsById = ({ memoryId, actorId: wanted }: ActorsByIdProps) => {
  const t = useT();
  const [filters] = useFilters();
  const page = pageOf(filters);
  const actors = useQuery({
    queryKey: ['memory', memoryId, 'actors', page, wanted],
    queryFn: async () => {
      if (wanted === undefined) {
        const params = { path: { memoryId }, query: { page, size: SIZE } };
        return ask(api.GET('/memory/memories/{memoryId}/actors', { params }));
      }
      const path = { memoryId, actorId: wanted };
      const found = await ask(api.GET('/memory/memories/{memoryId}/actors/{actorId}', { params: { path } })).catch(
        (error: unknown) => {
          if (problemOf(error)?.status === 404) return null;
          throw error;
        },
      );
      return { listData: found === null ? [] : [found], totalPage: 1 };
    },
  });
  return (
    <Asked query={actors}>
      {({ listData, totalPage }) => (
        <DataTable
          label={t('actors')}
          minWidth={420}
          items={listData}
          keyOf={({ actorId }) => actorId}
          empty={<Empty title={t(wanted === undefined ? 'noActors' : 'nothingFound')} />}
          more={<Pages page={page} total={totalPage} />}
          columns={[
            {
              title: t('actorId'),
              maxWidth: 420,
              cell: ({ actorId }) => <ActorLink memoryId={memoryId} actorId={actorId} />,
            },
            { title: t('sessions'), cell: ({ sessions }) => sessions.toLocaleString() },
            { title: t('createdAt'), cell: ({ createdAt }) => <When at={createdAt} /> },
          ]}
        />
      )}
    </Asked>
  );
};

const ActorLink = (params: { readonly memoryId: string; readonly actorId: string }) => (
  <Anchor component={Link} size="sm" to="/memories/$memoryId/actors/$actorId" params={params as never}>
    <StoredText inline text={params.actorId} />
  </Anchor>
);

interface RecentSessionsProps {
  readonly memoryId: string;
  /** Only sessions of this actor. */
  readonly actorId: string | undefined;
  /** On the page of the actor, whose id need not be repeated. */
  readonly ofOneActor?: boolean;
}

/** Most recently active first. The first page follows new sessions. */
const RecentSessions = ({ memoryId, actorId, ofOneActor = false }: RecentSessionsProps) => {
  const t = useT();
  const [{ after }] = useFilters();
  const sessions = useGet(['memory', memoryId, 'recent-sessions', actorId, after], '/v1/memories/{memoryId}/sessions', {
    path: { memoryId },
    query: { limit: SIZE, actorId, after },
    refetchInterval: after === undefined ? 5_000 : false,
  });
  const actorColumn = {
    title: t('actorId'),
    maxWidth: 240,
    cell: (session: Schemas['RecentSession']) => <ActorLink memoryId={memoryId} actorId={session.actorId} />,
  };
  return (
    <Asked query={sessions}>
      {({ items, next }) => (
        <DataTable
          label={t('recentSessions')}
          minWidth={680}
          items={items}
          keyOf={(session) => `${session.actorId} ${session.sessionId}`}
          empty={<Empty title={t(actorId === undefined || ofOneActor ? 'noSessions' : 'nothingFound')} />}
          more={<NextPage next={next} />}
          columns={[
            {
              title: t('sessionId'),
              maxWidth: 320,
              cell: (session) => <SessionLink session={session} underline="hover" />,
            },
            ...(ofOneActor ? [] : [actorColumn]),
            { title: t('messages'), cell: ({ messages }) => messages.toLocaleString() },
            { title: t('lastEvent'), cell: ({ lastEventAt }) => <When at={lastEventAt} /> },
            { title: t('createdAt'), cell: ({ createdAt }) => <When at={createdAt} /> },
          ]}
        />
      )}
    </Asked>
  );
};

/** The current typed values of an actor, each linked to the record that states it. */
const KnownValues = ({ memoryId, actorId }: { readonly memoryId: string; readonly actorId: string }) => {
  const t = useT();
  const profile = useGet(['memory', memoryId, 'profile', actorId], '/v1/memories/{memoryId}/actors/{actorId}/profile', {
    path: { memoryId, actorId },
  });
  return (
    <Panel title={t('knownValues')}>
      <Asked query={profile} rows={1}>
        {({ attributes }) =>
          attributes.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('noKnownValues')}
            </Text>
          ) : (
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
              {attributes.map(({ name, value, subject, recordId }) => (
                <Fact
                  key={`${name} ${value} ${subject ?? ''}`}
                  label={`${name.replaceAll('_', ' ')}${subject === null ? '' : ` (${subject})`}`}
                >
                  <Anchor component={Link} size="sm" to={`/memories/${memoryId}/records/${recordId}`}>
                    <StoredText inline text={value} />
                  </Anchor>
                </Fact>
              ))}
            </SimpleGrid>
          )
        }
      </Asked>
    </Panel>
  );
};

/** One actor with its sessions. */
export const Sessions = () => {
  const t = useT();
  const { can } = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { memoryId = '', actorId = '' } = useParams({ strict: false });
  const remove = async (): Promise<void> => {
    const path = { memoryId, actorId };
    await ask(api.DELETE('/memory/memories/{memoryId}/actors/{actorId}', { params: { path } }));
    await navigate({ to: `/memories/${memoryId}/actors` as never });
    await queryClient.invalidateQueries({ queryKey: ['memory', memoryId] });
  };
  const base = `/memories/${memoryId}/actors`;
  const open = (sessionId: string | undefined): void => {
    if (sessionId === undefined) return;
    const to = `${base}/${encodeURIComponent(actorId)}/sessions/${encodeURIComponent(sessionId)}`;
    void navigate({ to: to as never });
  };
  return (
    <>
      <MemoryHead
        memoryId={memoryId}
        section="actors"
        trail={[{ label: t('actors'), to: base }]}
        title={<StoredText inline text={actorId} />}
      >
        {can('memory:delete') && (
          <ConfirmButton
            label={t('deleteActor')}
            name={actorId}
            warning={t('deleteActorWarning')}
            action={t('delete')}
            run={remove}
          />
        )}
      </MemoryHead>
      <KnownValues memoryId={memoryId} actorId={actorId} />
      <Group mb="md">
        <SearchBox label={t('sessionId')} value="" action={t('open')} onSearch={open} />
      </Group>
      <RecentSessions memoryId={memoryId} actorId={actorId} ofOneActor />
    </>
  );
};
