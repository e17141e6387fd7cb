import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { useChange } from '../../api/use-change';
import { useGet } from '../../api/use-get';
import { useFilters } from '../../app/filters';
import { useT } from '../../text/text';
import { Asked, Empty, ProblemAlert } from '../../ui/ask';
import { DataTable } from '../../ui/data-table';
import { Id, NextPage, Panel, Status, When } from '../../ui/parts';
import { ChoiceFilter } from '../../ui/choice-filter';
import { DeliveryDetails } from './delivery';
import { EVENT_TYPES } from './list';

type Delivery = Schemas['WebhookDelivery'];
const STATUSES = ['pending', 'delivered', 'parked'] as const;

export const Deliveries = ({ endpointId }: { readonly endpointId: string }) => {
  const t = useT();
  const change = useChange('webhook', endpointId);
  const [filters, setFilters] = useFilters();
  const { after, delivery: shown } = filters;
  const show = (delivery: string | undefined): void => setFilters({ after, delivery });
  const status = STATUSES.find((each) => each === filters['status']);
  const eventType = EVENT_TYPES.find((each) => each === filters['event']);
  const deliveries = useGet(
    ['webhook', endpointId, 'deliveries', status, eventType, after],
    '/v1/webhook-endpoints/{endpointId}/deliveries',
    {
      path: { endpointId },
      query: { limit: 25, status, eventType, after },
      refetchInterval: after === undefined ? 3_000 : false,
    },
  );
  /** A pending delivery is tried now; another one is sent again. */
  const sending = useMutation({
    mutationFn: ({ id: deliveryId, status: was }: Delivery): Promise<unknown> => {
      const params = { path: { endpointId, deliveryId } };
      if (was === 'pending')
        return change(api.POST('/v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/send-now', { params }));
      return change(
        api.POST('/v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay', {
          params,
          body: { includeDelivered: was === 'delivered' },
        }),
      );
    },
  });
  return (
    <Panel title={t('deliveries')}>
      <Group mb="sm" align="flex-end">
        <ChoiceFilter label={t('status')} name="status" choices={STATUSES} />
        <ChoiceFilter label={t('event')} name="event" choices={EVENT_TYPES} />
        <ReplaySince endpointId={endpointId} />
      </Group>
      {sending.isError && <ProblemAlert error={sending.error} />}
      <Asked query={deliveries}>
        {({ items, next }) => (
          <DataTable
            label={t('deliveries')}
            items={items}
            keyOf={({ id }) => id}
            empty={<Empty title={t('noDeliveries')} />}
            more={<NextPage next={next} />}
            columns={[
              {
                title: t('event'),
                cell: ({ eventType, messageId }) => (
                  <>
                    {eventType}
                    <br />
                    <Id>{messageId}</Id>
                  </>
                ),
              },
              {
                title: t('status'),
                cell: (delivery) => <DeliveryStatus delivery={delivery} />,
              },
              { title: t('attempts'), cell: ({ attempts }) => attempts },
              { title: t('createdAt'), cell: ({ createdAt }) => <When at={createdAt} /> },
              {
                title: t('action'),
                cell: (delivery) => (
                  <Group gap="xs" wrap="nowrap">
                    <Button size="compact-sm" variant="default" onClick={() => show(delivery.id)}>
                      {t('details')}
                    </Button>
                    <Button
                      size="compact-sm"
                      variant="default"
                      loading={sending.isPending && sending.variables.id === delivery.id}
                      onClick={() => sending.mutate(delivery)}
                      disabled={delivery.purgedAt !== null}
                    >
                      {t(delivery.status === 'pending' ? 'sendNow' : 'replay')}
                    </Button>
                  </Group>
                ),
              },
            ]}
          />
        )}
      </Asked>
      <DeliveryDetails endpointId={endpointId} deliveryId={shown} onClose={() => show(undefined)} />
    </Panel>
  );
};

const DeliveryStatus = ({ delivery: { status, parkReason, dueAt } }: { readonly delivery: Delivery }) => {
  const t = useT();
  return (
    <>
      <Status value={status} />
      {parkReason !== null && <Text size="xs">{parkReason}</Text>}
      {status === 'pending' && dueAt !== null && (
        <Text size="xs" c="dimmed">
          {t('nextTry')} <When at={dueAt} />
        </Text>
      )}
    </>
  );
};

/** Everything that was not delivered since a time. */
const ReplaySince = ({ endpointId }: { readonly endpointId: string }) => {
  const t = useT();
  const change = useChange('webhook', endpointId);
  const [since, setSince] = useState('');
  const replaying = useMutation({
    mutationFn: () =>
      change(
        api.POST('/v1/webhook-endpoints/{endpointId}/replay', {
          params: { path: { endpointId } },
          body: { since: new Date(since).toISOString(), includeDelivered: false },
        }),
      ),
  });
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        type="datetime-local"
        label={t('replaySince')}
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={since === ''}
        loading={replaying.isPending}
        onClick={() => replaying.mutate()}
      >
        {t('replay')}
      </Button>
      {replaying.isSuccess && (
        <Text size="sm" role="status">
          {t('replayed', { n: replaying.data.replayed })}
        </Text>
      )}
      {replaying.isError && <ProblemAlert error={replaying.error} />}
    </Group>
  );
};
