import { Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, ask, type Paths, type Schemas } from '../../api/client';
import { useChange } from '../../api/use-change';
import { useGet } from '../../api/use-get';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, Empty, ProblemAlert } from '../../ui/ask';
import { ConfirmButton } from '../../ui/confirm';
import { FormDialog } from '../../ui/form-dialog';
import { DataTable } from '../../ui/data-table';
import { Id, Panel, When } from '../../ui/parts';
import { OVERLAP_HOURS, overlapInSeconds } from '../overlap';

type VendorApp = Schemas['VendorApp'];
/** Platforms whose projects can be registered. The response names the vendor as text. */
type AppVendor = Paths['/v1/vendor-apps/{vendor}/{appId}']['put']['parameters']['path']['vendor'];
const APP_VENDORS = Object.keys({ agora: true, zegocloud: true } satisfies Record<AppVendor, true>);
type ConnectorVendor = Paths['/v1/connectors']['post']['requestBody']['content']['application/json']['vendor'];
const CONNECTOR_VENDORS = Object.keys({
  agora: true,
  zegocloud: true,
  'openai-realtime': true,
  livekit: true,
  pipecat: true,
} satisfies Record<ConnectorVendor, true>);
const choicesOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

/** Memories to choose from; a key without the scope types the id. */
const useMemoryField = () => {
  const t = useT();
  const { can } = useSession();
  const memories = useGet(['memories', 'choices'], '/memory/memories', {
    query: { size: 100 },
    enabled: can('memory:read'),
  });
  const choices = (memories.data?.listData ?? []).map(({ id, name }) => ({ value: id, label: name || id }));
  return choices.length === 0
    ? ({ name: 'memoryId', label: t('memoryId') } as const)
    : ({ name: 'memoryId', label: t('memory'), kind: 'choice', choices } as const);
};

export const Connectors = () => (
  <>
    <Callbacks />
    <Apps />
  </>
);

/** Endpoints for callbacks of voice vendors. */
const Callbacks = () => {
  const t = useT();
  const change = useChange('connectors');
  const memoryField = useMemoryField();
  const connectors = useGet(['connectors'], '/v1/connectors', { query: { limit: 100 } });
  const create = (values: Readonly<Record<string, string>>) =>
    change(api.POST('/v1/connectors', { body: values as never }));
  const retrying = useMutation({
    mutationFn: (connectorId: string) =>
      ask(api.POST('/v1/connectors/{connectorId}/notices/retry', { params: { path: { connectorId } } })),
  });
  const secretField = useSecretField();
  return (
    <Panel title={t('connectors')}>
      <Group mb="sm">
        <FormDialog
          title={t('createConnector')}
          run={create}
          fields={[
            { name: 'vendor', label: t('vendor'), kind: 'choice', choices: choicesOf(CONNECTOR_VENDORS) },
            memoryField,
            secretField,
            { name: 'description', label: t('description') },
          ]}
        />
      </Group>
      {retrying.isError && <ProblemAlert error={retrying.error} />}
      {retrying.isSuccess && (
        <Text size="sm" role="status">
          {t('replayed', { n: retrying.data.retried })}
        </Text>
      )}
      <Asked query={connectors} rows={2}>
        {({ items }) => (
          <DataTable
            label={t('connectors')}
            minWidth={960}
            items={items}
            keyOf={({ id }) => id}
            empty={<Empty title={t('noConnectors')} />}
            columns={[
              { title: t('vendor'), cell: ({ vendor }) => vendor },
              { title: t('description'), maxWidth: 240, text: ({ description }) => description },
              { title: t('callbackUrl'), maxWidth: 320, cell: ({ callbackUrl }) => <Id>{callbackUrl}</Id> },
              { title: t('createdAt'), cell: ({ createdAt }) => <When at={createdAt} /> },
              {
                title: t('action'),
                cell: ({ id }) => <ConnectorActions id={id} retry={() => retrying.mutate(id)} />,
              },
            ]}
          />
        )}
      </Asked>
    </Panel>
  );
};

/** The secret that a vendor's console signs callbacks with. */
const useSecretField = () => {
  const t = useT();
  return { name: 'secret', label: t('secret'), kind: 'secret', description: t('secretOfVendor') } as const;
};

const ConnectorActions = ({ id, retry }: { readonly id: string; readonly retry: () => void }) => {
  const t = useT();
  const change = useChange('connectors');
  const secretField = useSecretField();
  const path = { connectorId: id };
  const remove = () => change(api.DELETE('/v1/connectors/{connectorId}', { params: { path }, parseAs: 'text' }));
  const rotate = ({ secret = '', overlapSeconds: hours }: Readonly<Record<string, string>>) =>
    change(
      api.POST('/v1/connectors/{connectorId}/rotate-secret', {
        params: { path },
        body: { secret, ...overlapInSeconds(hours) },
      }),
    );
  return (
    <Group gap="xs">
      <FormDialog
        compact
        title={t('rotateSecret')}
        about={t('rotateConnectorAbout')}
        action={t('rotateSecret')}
        fields={[secretField, { name: 'overlapSeconds', label: t('overlapHours'), ...OVERLAP_HOURS }]}
        run={rotate}
      />
      <Button size="compact-sm" variant="default" onClick={retry}>
        {t('retryParked')}
      </Button>
      <ConfirmButton
        compact
        label={t('delete')}
        name={id}
        title={t('deleteConnector')}
        warning={t('deleteConnectorWarning')}
        run={remove}
      />
    </Group>
  );
};

/** Projects of voice platforms whose requests are served. */
const Apps = () => {
  const t = useT();
  const change = useChange('vendor-apps');
  const memoryField = useMemoryField();
  const apps = useGet(['vendor-apps'], '/v1/vendor-apps', { query: { limit: 100 } });
  const register = (values: Readonly<Record<string, string>>) => {
    const { appId = '', memoryId = '', secret = '' } = values;
    const vendor = values['vendor'] as AppVendor;
    return change(
      api.PUT('/v1/vendor-apps/{vendor}/{appId}', {
        params: { path: { vendor, appId } },
        body: { memoryId, secret: secret === '' ? null : secret },
      }),
    );
  };
  const remove = ({ vendor, appId }: VendorApp) => {
    const path = { vendor: vendor as AppVendor, appId };
    return change(api.DELETE('/v1/vendor-apps/{vendor}/{appId}', { params: { path }, parseAs: 'text' }));
  };
  return (
    <Panel title={t('vendorApps')}>
      <Group mb="sm">
        <FormDialog
          title={t('registerApp')}
          run={register}
          fields={[
            { name: 'vendor', label: t('vendor'), kind: 'choice', choices: choicesOf(APP_VENDORS) },
            { name: 'appId', label: t('appId') },
            memoryField,
            { name: 'secret', label: t('secret'), kind: 'secret', description: t('optional') },
          ]}
        />
      </Group>
      <Asked query={apps} rows={2}>
        {({ items }) => (
          <DataTable
            label={t('vendorApps')}
            items={items}
            keyOf={({ vendor, appId }) => `${vendor} ${appId}`}
            empty={<Empty title={t('noVendorApps')} />}
            columns={[
              { title: t('vendor'), cell: ({ vendor }) => vendor },
              { title: t('appId'), maxWidth: 240, text: ({ appId }) => appId },
              {
                title: t('memory'),
                cell: ({ memoryId }) => (
                  <Anchor component={Link} size="sm" to={`/memories/${memoryId}`}>
                    <Id>{memoryId}</Id>
                  </Anchor>
                ),
              },
              { title: t('createdAt'), cell: ({ createdAt }) => <When at={createdAt} /> },
              {
                title: t('action'),
                cell: (app) => (
                  <ConfirmButton
                    compact
                    label={t('delete')}
                    name={app.appId}
                    title={t('deleteApp')}
                    warning={t('deleteAppWarning')}
                    run={() => remove(app)}
                  />
                ),
              },
            ]}
          />
        )}
      </Asked>
    </Panel>
  );
};
