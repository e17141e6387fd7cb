import { Badge, Button, Group, NativeSelect, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask, type Schemas } from '../../api/client';
import { useFilters } from '../../app/filters';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { ConfirmByName } from '../../ui/confirm';
import { FormDialog } from '../../ui/form-dialog';
import { Id, Rows, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';
import { SecretOnce } from '../webhooks/list';
import { NewKey } from './new-key';

/** The keys of a tenant. */
export const Tenants = () => {
  const t = useT();
  const { caller } = useSession();
  const [filters, setFilters] = useFilters();
  const tenants = useQuery({
    queryKey: ['tenants'],
    queryFn: () => ask(api.GET('/v1/admin/tenants', { params: { query: { limit: 100 } } })),
  });
  return (
    <Asked query={tenants}>
      {({ items }) => {
        const tenantId = filters['tenant'] ?? caller?.tenantId ?? items[0]?.id ?? '';
        return (
          <>
            <Group mb="md" align="flex-end">
              <NativeSelect
                label={t('tenant')}
                value={tenantId}
                onChange={(event) => setFilters({ tenant: event.currentTarget.value })}
                data={items.map(({ id, name }) => ({ value: id, label: name }))}
              />
              <NewKey tenantId={tenantId} />
              <NewTenant onCreated={(tenant) => setFilters({ tenant })} />
            </Group>
            <Text size="xs" c="dimmed" mb="sm">
              {t('tenantId')} <Id>{tenantId}</Id>
            </Text>
            <Keys tenantId={tenantId} />
          </>
        );
      }}
    </Asked>
  );
};

const NewTenant = ({ onCreated }: { readonly onCreated: (tenantId: string) => void }) => {
  const t = useT();
  const queryClient = useQueryClient();
  const create = async ({ name = '', requestsPerSecond = '' }: Readonly<Record<string, string>>): Promise<void> => {
    const rate = requestsPerSecond === '' ? null : Number(requestsPerSecond);
    const { id } = await ask(api.POST('/v1/admin/tenants', { body: { name, requestsPerSecond: rate, limits: {} } }));
    await queryClient.invalidateQueries({ queryKey: ['tenants'] });
    onCreated(id);
  };
  return (
    <FormDialog
      title={t('createTenant')}
      run={create}
      fields={[
        { name: 'name', label: t('name') },
        {
          ...{ name: 'requestsPerSecond', label: t('limit_requestsPerSecond'), kind: 'number' },
          description: t('ownLimitAbout'),
        },
      ]}
    />
  );
};

type ApiKey = Schemas['ApiKey'];

/** The memory and the actor that a key is limited to. */
const Reach = ({ apiKey: { memoryId, actorId } }: { readonly apiKey: ApiKey }) => {
  const t = useT();
  if (memoryId === null && actorId === null) return <>{t('all')}</>;
  return (
    <>
      {memoryId !== null && <Id>{memoryId}</Id>} {actorId !== null && <StoredText inline text={actorId} />}
    </>
  );
};

const Keys = ({ tenantId }: { readonly tenantId: string }) => {
  const t = useT();
  const queryClient = useQueryClient();
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const keys = useQuery({
    queryKey: ['keys', tenantId],
    queryFn: () =>
      ask(api.GET('/v1/admin/tenants/{tenantId}/keys', { params: { path: { tenantId }, query: { limit: 100 } } })),
  });
  const revoke = async (): Promise<void> => {
    const path = { tenantId, keyId: revoking?.id ?? '' };
    await ask(api.DELETE('/v1/admin/tenants/{tenantId}/keys/{keyId}', { params: { path }, parseAs: 'text' }));
    await queryClient.invalidateQueries({ queryKey: ['keys', tenantId] });
  };
  const rotate = async (keyId: string, { overlapHours }: Readonly<Record<string, string>>) => {
    const made = await ask(
      api.POST('/v1/admin/tenants/{tenantId}/keys/{keyId}/rotate', {
        params: { path: { tenantId, keyId } },
        body: { overlapHours: Number(overlapHours) },
      }),
    );
    await queryClient.invalidateQueries({ queryKey: ['keys', tenantId] });
    return made;
  };
  return (
    <>
      <Asked query={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('noKeys')} />
          ) : (
            <Rows
              label={t('keys')}
              columns={[t('key'), t('description'), t('scopes'), t('reach'), t('lastUsed'), t('expires'), t('action')]}
              minWidth={1_000}
            >
              {items.map((key) => (
                <Table.Tr key={key.id}>
                  <Table.Td>
                    <Id whole>{key.prefix}</Id>
                  </Table.Td>
                  <Table.Td maw={240}>
                    <StoredText inline text={key.description} />
                  </Table.Td>
                  <Table.Td>
                    <Group gap={4}>
                      {key.scopes.map((scope) => (
                        <Badge key={scope} variant="outline" color="gray" tt="none">
                          {scope}
                        </Badge>
                      ))}
                    </Group>
                  </Table.Td>
                  <Table.Td maw={200}>
                    <Reach apiKey={key} />
                  </Table.Td>
                  <Table.Td>
                    <When at={key.lastUsedAt} />
                  </Table.Td>
                  <Table.Td>
                    <When at={key.expiresAt} />
                  </Table.Td>
                  <Table.Td>
                    {key.revokedAt === null ? (
                      <Group gap="xs" wrap="nowrap">
                        <FormDialog
                          compact
                          // Not left out: the dialog shows the new key after this one has been replaced.
                          disabled={key.replacedBy !== null}
                          title={t('rotate')}
                          about={t('rotateKeyAbout')}
                          action={t('rotate')}
                          fields={[
                            { name: 'overlapHours', label: t('overlapHoursOfKey'), kind: 'number', initial: '24' },
                          ]}
                          run={(values) => rotate(key.id, values)}
                          done={({ apiKey }, close) => <SecretOnce secret={apiKey} onClose={close} />}
                        />
                        <Button size="compact-sm" variant="outline" color="red" onClick={() => setRevoking(key)}>
                          {t('revoke')}
                        </Button>
                      </Group>
                    ) : (
                      t('revoked')
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Rows>
          )
        }
      </Asked>
      <ConfirmByName
        opened={revoking !== null}
        onClose={() => setRevoking(null)}
        name={revoking?.prefix ?? ''}
        title={t('revoke')}
        warning={t('revokeWarning')}
        action={t('revoke')}
        run={revoke}
      />
    </>
  );
};
