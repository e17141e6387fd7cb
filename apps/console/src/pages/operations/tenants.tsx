import { Group, NativeSelect, Text } from '@mantine/core';
import { api, type Schemas } from '../../api/client';
import { useChange } from '../../api/use-change';
import { useGet } from '../../api/use-get';
import { useFilters } from '../../app/filters';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { ConfirmButton } from '../../ui/confirm';
import { DataTable } from '../../ui/data-table';
import { FormDialog } from '../../ui/form-dialog';
import { Id, Tag, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';
import { OVERLAP_HOURS, overlapInHours } from '../overlap';
import { SecretOnce } from '../webhooks/list';
import { NewKey } from './new-key';

/** The keys of a tenant. */
export const Tenants = () => {
  const t = useT();
  const { caller } = useSession();
  const [filters, setFilters] = useFilters();
  const tenants = useGet(['tenants'], '/v1/admin/tenants', { query: { limit: 100 } });
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
  const change = useChange('tenants');
  const create = async ({ name = '', requestsPerSecond = '' }: Readonly<Record<string, string>>): Promise<void> => {
    const rate = requestsPerSecond === '' ? null : Number(requestsPerSecond);
    const { id } = await change(api.POST('/v1/admin/tenants', { body: { name, requestsPerSecond: rate, limits: {} } }));
    onCreated(id);
  };
  return (
    <FormDialog
      title={t('createTenant')}
      run={create}
      fields={[
        { name: 'name', label: t('name') },
        {
          name: 'requestsPerSecond',
          label: t('limit_requestsPerSecond'),
          kind: 'number',
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
  const change = useChange('keys', tenantId);
  const keys = useGet(['keys', tenantId], '/v1/admin/tenants/{tenantId}/keys', {
    path: { tenantId },
    query: { limit: 100 },
  });
  const revoke = (keyId: string) => {
    const path = { tenantId, keyId };
    return change(api.DELETE('/v1/admin/tenants/{tenantId}/keys/{keyId}', { params: { path }, parseAs: 'text' }));
  };
  const rotate = (keyId: string, { overlapHours }: Readonly<Record<string, string>>) =>
    change(
      api.POST('/v1/admin/tenants/{tenantId}/keys/{keyId}/rotate', {
        params: { path: { tenantId, keyId } },
        body: overlapInHours(overlapHours),
      }),
    );
  return (
    <Asked query={keys}>
      {({ items }) => (
        <DataTable
          label={t('keys')}
          minWidth={1_000}
          items={items}
          keyOf={({ id }) => id}
          empty={<Empty title={t('noKeys')} />}
          columns={[
            { title: t('key'), cell: ({ prefix }) => <Id whole>{prefix}</Id> },
            { title: t('description'), maxWidth: 240, text: ({ description }) => description },
            {
              title: t('scopes'),
              cell: ({ scopes }) => (
                <Group gap={4}>
                  {scopes.map((scope) => (
                    <Tag key={scope}>{scope}</Tag>
                  ))}
                </Group>
              ),
            },
            { title: t('reach'), maxWidth: 200, cell: (key) => <Reach apiKey={key} /> },
            { title: t('lastUsed'), cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
            { title: t('expires'), cell: ({ expiresAt }) => <When at={expiresAt} /> },
            {
              title: t('action'),
              cell: ({ id, prefix, replacedBy, revokedAt }) =>
                revokedAt === null ? (
                  <Group gap="xs" wrap="nowrap">
                    <FormDialog
                      compact
                      // Not left out: the dialog shows the new key after this one has been replaced.
                      disabled={replacedBy !== null}
                      title={t('rotate')}
                      about={t('rotateKeyAbout')}
                      action={t('rotate')}
                      fields={[{ name: 'overlapHours', label: t('overlapHoursOfKey'), ...OVERLAP_HOURS }]}
                      run={(values) => rotate(id, values)}
                      done={({ apiKey }, close) => <SecretOnce secret={apiKey} onClose={close} />}
                    />
                    <ConfirmButton
                      compact
                      label={t('revoke')}
                      name={prefix}
                      warning={t('revokeWarning')}
                      run={() => revoke(id)}
                    />
                  </Group>
                ) : (
                  t('revoked')
                ),
            },
          ]}
        />
      )}
    </Asked>
  );
};
