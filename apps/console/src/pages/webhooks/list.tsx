import { Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { useChange } from '../../api/use-change';
import { useGet } from '../../api/use-get';
import { useFilters } from '../../app/filters';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { DataTable } from '../../ui/data-table';
import { FormDialog } from '../../ui/form-dialog';
import { NextPage, PageHead, Snippet, Status, When } from '../../ui/parts';
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
/** What the API takes without `events`. */
const DEFAULT_EVENTS: string[] = ['agent.history' satisfies EventType];

export const Webhooks = () => {
  const t = useT();
  const [{ after }] = useFilters();
  const endpoints = useGet(['webhooks', after], '/v1/webhook-endpoints', { query: { limit: 50, after } });
  return (
    <>
      <PageHead title={t('webhooks')} about={t('webhooksAbout')}>
        <NewEndpoint />
      </PageHead>
      <Asked query={endpoints}>
        {({ items, next }) => (
          <DataTable
            label={t('webhooks')}
            items={items}
            keyOf={({ id }) => id}
            // No button here: its open dialog, with the secret, would vanish with the first row.
            empty={<Empty title={t('noEndpoints')} />}
            more={<NextPage next={next} />}
            columns={[
              {
                title: 'URL',
                maxWidth: 420,
                cell: ({ id, url }) => (
                  <Anchor component={Link} size="sm" to={`/webhooks/${id}`}>
                    <StoredText inline text={url} />
                  </Anchor>
                ),
              },
              { title: t('status'), cell: ({ status }) => <Status value={status} /> },
              { title: t('events'), cell: ({ events }) => events?.join(', ') ?? t('all') },
              { title: t('createdAt'), cell: ({ createdAt }) => <When at={createdAt} /> },
            ]}
          />
        )}
      </Asked>
    </>
  );
};

const NewEndpoint = () => {
  const t = useT();
  const change = useChange('webhooks');
  const [events, setEvents] = useState(DEFAULT_EVENTS);
  const create = ({ url = '', description = '' }: Readonly<Record<string, string>>) => {
    const body = { url, description, events: events as EventType[] };
    return change(api.POST('/v1/webhook-endpoints', { body: body as never }));
  };
  const eventsInput = (
    <Checkbox.Group label={t('events')} value={events} onChange={setEvents}>
      <Stack gap="xs" mt="xs">
        {EVENT_TYPES.map((type) => (
          <Checkbox key={type} value={type} label={type} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
  return (
    <FormDialog
      primary
      title={t('addEndpoint')}
      run={create}
      onClose={() => setEvents(DEFAULT_EVENTS)}
      done={({ secret }, close) => <SecretOnce secret={secret} onClose={close} />}
      fields={[
        { name: 'url', label: 'URL', placeholder: 'https://example.com/turnkeeper' },
        { name: 'description', label: t('description') },
        { name: 'events', input: eventsInput },
      ]}
    />
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
