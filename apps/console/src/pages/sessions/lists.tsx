import { Anchor, Button, Group, SegmentedControl, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { api, ask } from '../../api/client';
import { problemOf } from '../../api/problem';
import { pageOf, useFilters } from '../../app/filters';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { ConfirmByName } from '../../ui/confirm';
import { SearchBox } from '../../ui/search-box';
import { Listing, NextPage, Pages, When } from '../../ui/parts';
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
        <Listing
          label={t('actors')}
          columns={[t('actorId'), t('sessions'), t('createdAt')]}
          minWidth={420}
          items={listData}
          empty={<Empty title={t(wanted === undefined ? 'noActors' : 'nothingFound')} />}
          more={<Pages page={page} total={totalPage} />}
        >
          {({ actorId, sessions, createdAt }) => (
            <Table.Tr key={actorId}>
              <Table.Td maw={420}>
                <ActorLink memoryId={memoryId} actorId={actorId} />
              </Table.Td>
              <Table.Td>{sessions.toLocaleString()}</Table.Td>
              <Table.Td>
                <When at={createdAt} />
              </Table.Td>
            </Table.Tr>
          )}
        </Listing>
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
  const sessions = useQuery({
    queryKey: ['memory', memoryId, 'recent-sessions', actorId, after],
    queryFn: () =>
      ask(
        api.GET('/v1/memories/{memoryId}/sessions', {
          params: {
            path: { memoryId },
            query: { limit: SIZE, ...(actorId ? { actorId } : {}), ...(after ? { after } : {}) },
          },
        }),
      ),
    refetchInterval: after === undefined ? 5_000 : false,
  });
  return (
    <Asked query={sessions}>
      {({ items, next }) => (
        <Listing
          label={t('recentSessions')}
          columns={[
            t('sessionId'),
            ...(ofOneActor ? [] : [t('actorId')]),
            t('messages'),
            t('lastEvent'),
            t('createdAt'),
          ]}
          minWidth={680}
          items={items}
          empty={<Empty title={t(actorId === undefined || ofOneActor ? 'noSessions' : 'nothingFound')} />}
          more={<NextPage next={next} />}
        >
          {(session) => (
            <Table.Tr key={`${session.actorId} ${session.sessionId}`}>
              <Table.Td maw={320}>
                <Anchor
                  component={Link}
                  size="sm"
                  to="/memories/$memoryId/actors/$actorId/sessions/$sessionId"
                  params={{ memoryId, actorId: session.actorId, sessionId: session.sessionId } as never}
                >
                  <StoredText inline text={session.sessionId} />
                </Anchor>
              </Table.Td>
              {!ofOneActor && (
                <Table.Td maw={240}>
                  <ActorLink memoryId={memoryId} actorId={session.actorId} />
                </Table.Td>
              )}
              <Table.Td>{session.messages.toLocaleString()}</Table.Td>
              <Table.Td>
                <When at={session.lastEventAt} />
              </Table.Td>
              <Table.Td>
                <When at={session.createdAt} />
              </Table.Td>
            </Table.Tr>
          )}
        </Listing>
      )}
    </Asked>
  );
};

/** One actor with its sessions. */
export const Sessions = () => {
  const t = useT();
  const { can } = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { memoryId = '', actorId = '' } = useParams({ strict: false });
  const [isDeleting, deletion] = useDisclosure();
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
        {can('memory:write') && (
          <Button color="red" variant="outline" onClick={deletion.open}>
            {t('deleteActor')}
          </Button>
        )}
      </MemoryHead>
      <Group mb="md">
        <SearchBox label={t('sessionId')} value="" action={t('open')} onSearch={open} />
      </Group>
      <RecentSessions memoryId={memoryId} actorId={actorId} ofOneActor />
      <ConfirmByName
        opened={isDeleting}
        onClose={deletion.close}
        name={actorId}
        title={t('deleteActor')}
        warning={t('deleteActorWarning')}
        action={t('delete')}
        run={remove}
      />
    </>
  );
};
