import { Anchor, Button, Checkbox, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ask, type Schemas } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useFilters } from '../../app/filters';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { FormEnd } from '../../ui/form-end';
import { NextPage, PageHead, Listing, Snippet, Status, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';

type EventType = NonNullable<Schemas['WebhookEndpoint']['events']>[number];

/** The compiler names one that is missing. */
const EVENTS = {
  'agent.started': true,
  'agent.stopped': true,
  'agent.history': true,
  'agent.action': true,
  'records.extracted': true,
  'memory_state.updated': true,
  'memory.deleted': true,
  'erasure.completed': true,
} satisfies Record<EventType, true>;

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

export const Webhooks = () => {
  const t = useT();
  const [{ after }] = useFilters();
  const [isCreating, creation] = useDisclosure();
  const endpoints = useQuery({
    queryKey: ['webhooks', after],
    queryFn: () =>
      ask(api.GET('/v1/webhook-endpoints', { params: { query: { limit: 50, ...(after ? { after } : {}) } } })),
  });
  const create = <Button onClick={creation.open}>{t('addEndpoint')}</Button>;
  return (
    <>
      <PageHead title={t('webhooks')} about={t('webhooksAbout')}>
        {create}
      </PageHead>
      <Asked query={endpoints}>
        {({ items, next }) => (
          <Listing
            label={t('webhooks')}
            columns={['URL', t('status'), t('events'), t('createdAt')]}
            items={items}
            empty={<Empty title={t('noEndpoints')}>{create}</Empty>}
            more={<NextPage next={next} />}
          >
            {(endpoint) => (
              <Table.Tr key={endpoint.id}>
                <Table.Td maw={420}>
                  <Anchor component={Link} size="sm" to={`/webhooks/${endpoint.id}`}>
                    <StoredText inline text={endpoint.url} />
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <Status value={endpoint.status} />
                </Table.Td>
                <Table.Td>{endpoint.events === null ? t('all') : endpoint.events.join(', ')}</Table.Td>
                <Table.Td>
                  <When at={endpoint.createdAt} />
                </Table.Td>
              </Table.Tr>
            )}
          </Listing>
        )}
      </Asked>
      <NewEndpoint opened={isCreating} onClose={creation.close} />
    </>
  );
};

const NewEndpoint = ({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) => {
  const t = useT();
  const queryClient = useQueryClient();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [events, setEvents] = useState<string[]>([]);
  const creating = useMutation({
    mutationFn: () =>
      ask(
        api.POST('/v1/webhook-endpoints', {
          body: { url, description, ...(events.length === 0 ? {} : { events: events as EventType[] }) } as never,
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const close = (): void => {
    creating.reset();
    onClose();
  };
  const rule = (field: string) => problemOf(creating.error)?.ruleFor(field);
  return (
    <Modal opened={opened} onClose={close} title={t('addEndpoint')} closeButtonProps={{ 'aria-label': t('close') }}>
      {creating.isSuccess ? (
        <SecretOnce secret={creating.data.secret} onClose={close} />
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            creating.mutate();
          }}
        >
          <Stack>
            <TextInput
              label="URL"
              value={url}
              onChange={(event) => setUrl(event.currentTarget.value)}
              error={rule('url')}
              placeholder="https://example.com/turnkeeper"
              data-autofocus
            />
            <TextInput
              label={t('description')}
              value={description}
              onChange={(event) => setDescription(event.currentTarget.value)}
              error={rule('description')}
            />
            <Checkbox.Group label={t('events')} description={t('eventsAbout')} value={events} onChange={setEvents}>
              <Stack gap="xs" mt="xs">
                {EVENT_TYPES.map((type) => (
                  <Checkbox key={type} value={type} label={type} />
                ))}
              </Stack>
            </Checkbox.Group>
            <FormEnd creating={creating} onCancel={close} />
          </Stack>
        </form>
      )}
    </Modal>
  );
};

/** A secret is shown only once. */
export const SecretOnce = ({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) => {
  const t = useT();
  return (
    <Stack>
      <Text size="sm">{t('secretOnce')}</Text>
      <Snippet label={t('secret')} code={secret} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('done')}</Button>
      </Group>
    </Stack>
  );
};
