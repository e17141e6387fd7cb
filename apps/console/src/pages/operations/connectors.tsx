import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ask, type Paths, type Schemas } from '../../api/client';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, Empty, ProblemAlert } from '../../ui/ask';
import { ConfirmByName } from '../../ui/confirm';
import { FormDialog } from '../../ui/form-dialog';
import { Id, Panel, Rows, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';

type Connector = Schemas['Connector'];
type VendorApp = Schemas['VendorApp'];
/** Platforms whose projects can be registered. The response names the vendor as text. */
type AppVendor = Paths['/v1/vendor-apps/{vendor}/{appId}']['put']['parameters']['path']['vendor'];
const APP_VENDORS = Object.keys({ agora: true, zegocloud: true } satisfies Record<AppVendor, true>);
type ConnectorVendor = Paths['/v1/connectors']['post']['requestBody']['content']['application/json']['vendor'];
const CONNECTOR_VENDORS = Object.keys({
  agora: true,
  zegocloud: true,
  'openai-realtime': true,
} satisfies Record<ConnectorVendor, true>);
const choicesOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

/** Memories to choose from; a key without the scope types the id. */
const useMemoryField = () => {
  const t = useT();
  const { can } = useSession();
  const memories = useQuery({
    queryKey: ['memories', 'choices'],
    queryFn: () => ask(api.GET('/memory/memories', { params: { query: { size: 100 } } })),
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
  const queryClient = useQueryClient();
  const memoryField = useMemoryField();
  const [deleting, setDeleting] = useState<Connector | null>(null);
  const connectors = useQuery({
    queryKey: ['connectors'],
    queryFn: () => ask(api.GET('/v1/connectors', { params: { query: { limit: 100 } } })),
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['connectors'] });
  const create = async (values: Readonly<Record<string, string>>): Promise<void> => {
    await ask(api.POST('/v1/connectors', { body: values as never }));
    await refresh();
  };
  const retrying = useMutation({
    mutationFn: ({ id: connectorId }: Connector) =>
      ask(api.POST('/v1/connectors/{connectorId}/notices/retry', { params: { path: { connectorId } } })),
  });
  const remove = async (): Promise<void> => {
    const path = { connectorId: deleting?.id ?? '' };
    await ask(api.DELETE('/v1/connectors/{connectorId}', { params: { path }, parseAs: 'text' }));
    await refresh();
  };
  const rotate = async (
    connectorId: string,
    { secret = '', hours }: Readonly<Record<string, string>>,
  ): Promise<void> => {
    await ask(
      api.POST('/v1/connectors/{connectorId}/rotate-secret', {
        params: { path: { connectorId } },
        body: { secret, overlapSeconds: Math.round(Number(hours) * 3_600) },
      }),
    );
    await refresh();
  };
  const secretField = { name: 'secret', label: t('secret'), kind: 'secret', description: t('secretOfVendor') } as const;
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
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('noConnectors')} />
          ) : (
            <Rows
              label={t('connectors')}
              columns={[t('vendor'), t('description'), t('callbackUrl'), t('createdAt'), t('action')]}
              minWidth={960}
            >
              {items.map((connector) => (
                <Table.Tr key={connector.id}>
                  <Table.Td>{connector.vendor}</Table.Td>
                  <Table.Td maw={240}>
                    <StoredText inline text={connector.description} />
                  </Table.Td>
                  <Table.Td maw={320}>
                    <Id>{connector.callbackUrl}</Id>
                  </Table.Td>
                  <Table.Td>
                    <When at={connector.createdAt} />
                  </Table.Td>
                  <Table.Td>
                    <Group gap="xs">
                      <FormDialog
                        compact
                        title={t('rotateSecret')}
                        about={t('rotateConnectorAbout')}
                        action={t('rotateSecret')}
                        fields={[
                          secretField,
                          { name: 'hours', label: t('overlapHours'), kind: 'number', initial: '24' },
                        ]}
                        run={(values) => rotate(connector.id, values)}
                      />
                      <Button size="compact-sm" variant="default" onClick={() => retrying.mutate(connector)}>
                        {t('retryParked')}
                      </Button>
                      <Button size="compact-sm" variant="outline" color="red" onClick={() => setDeleting(connector)}>
                        {t('delete')}
                      </Button>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Rows>
          )
        }
      </Asked>
      <ConfirmByName
        opened={deleting !== null}
        onClose={() => setDeleting(null)}
        name={deleting?.id ?? ''}
        title={t('deleteConnector')}
        warning={t('deleteConnectorWarning')}
        action={t('delete')}
        run={remove}
      />
    </Panel>
  );
};

/** Projects of voice platforms whose requests are served. */
const Apps = () => {
  const t = useT();
  const queryClient = useQueryClient();
  const memoryField = useMemoryField();
  const [deleting, setDeleting] = useState<VendorApp | null>(null);
  const apps = useQuery({
    queryKey: ['vendor-apps'],
    queryFn: () => ask(api.GET('/v1/vendor-apps', { params: { query: { limit: 100 } } })),
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['vendor-apps'] });
  const register = async (values: Readonly<Record<string, string>>): Promise<void> => {
    const { appId = '', memoryId = '', secret = '' } = values;
    const vendor = values['vendor'] as AppVendor;
    await ask(
      api.PUT('/v1/vendor-apps/{vendor}/{appId}', {
        params: { path: { vendor, appId } },
        body: { memoryId, secret: secret === '' ? null : secret },
      }),
    );
    await refresh();
  };
  const remove = async (): Promise<void> => {
    if (deleting === null) return;
    const { appId } = deleting;
    const vendor = deleting.vendor as AppVendor;
    await ask(api.DELETE('/v1/vendor-apps/{vendor}/{appId}', { params: { path: { vendor, appId } }, parseAs: 'text' }));
    await refresh();
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
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('noVendorApps')} />
          ) : (
            <Rows label={t('vendorApps')} columns={[t('vendor'), t('appId'), t('memory'), t('createdAt'), t('action')]}>
              {items.map((app) => (
                <Table.Tr key={`${app.vendor} ${app.appId}`}>
                  <Table.Td>{app.vendor}</Table.Td>
                  <Table.Td maw={240}>
                    <StoredText inline text={app.appId} />
                  </Table.Td>
                  <Table.Td>
                    <Anchor component={Link} size="sm" to={`/memories/${app.memoryId}`}>
                      <Id>{app.memoryId}</Id>
                    </Anchor>
                  </Table.Td>
                  <Table.Td>
                    <When at={app.createdAt} />
                  </Table.Td>
                  <Table.Td>
                    <Button size="compact-sm" variant="outline" color="red" onClick={() => setDeleting(app)}>
                      {t('delete')}
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Rows>
          )
        }
      </Asked>
      <ConfirmByName
        opened={deleting !== null}
        onClose={() => setDeleting(null)}
        name={deleting?.appId ?? ''}
        title={t('deleteApp')}
        warning={t('deleteAppWarning')}
        action={t('delete')}
        run={remove}
      />
    </Panel>
  );
};
