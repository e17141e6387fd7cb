import { Anchor, Button, Group, Table, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ask } from '../../api/client';
import { pageOf, useFilters } from '../../app/filters';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { ConfirmByName } from '../../ui/confirm';
import { Pages, Listing, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';
import { MemoryHead } from '../memory-head';

const SIZE = 25;

/** Opens an actor or a session whose id is known. */
const OpenById = ({ label, to }: { readonly label: string; readonly to: (id: string) => string }) => {
  const t = useT();
  const navigate = useNavigate();
  const [id, setId] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (id !== '') void navigate({ to: to(encodeURIComponent(id)) as never });
      }}
    >
      <Group gap="xs" mb="md" align="flex-end">
        <TextInput label={label} value={id} onChange={(event) => setId(event.currentTarget.value)} />
        <Button type="submit" variant="default">
          {t('open')}
        </Button>
      </Group>
    </form>
  );
};

export const Actors = () => {
  const t = useT();
  const { memoryId = '' } = useParams({ strict: false });
  const [filters] = useFilters();
  const page = pageOf(filters);
  const actors = useQuery({
    queryKey: ['memory', memoryId, 'actors', page],
    queryFn: () =>
      ask(
        api.GET('/memory/memories/{memoryId}/actors', { params: { path: { memoryId }, query: { page, size: SIZE } } }),
      ),
  });
  return (
    <>
      <MemoryHead memoryId={memoryId} section="actors" />
      <OpenById label={t('actorId')} to={(id) => `/memories/${memoryId}/actors/${id}`} />
      <Asked query={actors}>
        {({ listData, totalPage }) => (
          <Listing
            label={t('actors')}
            columns={[t('actorId'), t('sessions'), t('createdAt')]}
            minWidth={420}
            items={listData}
            empty={<Empty title={t('noActors')} />}
            more={<Pages page={page} total={totalPage} />}
          >
            {({ actorId, sessions, createdAt }) => (
              <Table.Tr key={actorId}>
                <Table.Td maw={420}>
                  <Anchor
                    component={Link}
                    size="sm"
                    to="/memories/$memoryId/actors/$actorId"
                    params={{ memoryId, actorId } as never}
                  >
                    <StoredText inline text={actorId} />
                  </Anchor>
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
    </>
  );
};

export const Sessions = () => {
  const t = useT();
  const { can } = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { memoryId = '', actorId = '' } = useParams({ strict: false });
  const [filters] = useFilters();
  const [isDeleting, deletion] = useDisclosure();
  const page = pageOf(filters);
  const path = { memoryId, actorId };
  const sessions = useQuery({
    queryKey: ['memory', memoryId, 'actors', actorId, 'sessions', page],
    queryFn: () =>
      ask(
        api.GET('/memory/memories/{memoryId}/actors/{actorId}/sessions', {
          params: { path, query: { page, size: SIZE } },
        }),
      ),
  });
  const remove = async (): Promise<void> => {
    await ask(api.DELETE('/memory/memories/{memoryId}/actors/{actorId}', { params: { path } }));
    await navigate({ to: `/memories/${memoryId}/actors` as never });
    await queryClient.invalidateQueries({ queryKey: ['memory', memoryId] });
  };
  const base = `/memories/${memoryId}/actors`;
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
      <OpenById label={t('sessionId')} to={(id) => `${base}/${encodeURIComponent(actorId)}/sessions/${id}`} />
      <Asked query={sessions}>
        {({ listData, totalPage }) => (
          <Listing
            label={t('sessions')}
            columns={[t('sessionId'), t('createdAt')]}
            minWidth={420}
            items={listData}
            empty={<Empty title={t('noSessions')} />}
            more={<Pages page={page} total={totalPage} />}
          >
            {({ sessionId, createdAt }) => (
              <Table.Tr key={sessionId}>
                <Table.Td maw={420}>
                  <Anchor
                    component={Link}
                    size="sm"
                    to="/memories/$memoryId/actors/$actorId/sessions/$sessionId"
                    params={{ memoryId, actorId, sessionId } as never}
                  >
                    <StoredText inline text={sessionId} />
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <When at={createdAt} />
                </Table.Td>
              </Table.Tr>
            )}
          </Listing>
        )}
      </Asked>
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
