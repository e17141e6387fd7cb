import { Badge, Button, Group, NativeSelect, Table } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask, type Schemas } from '../../api/client';
import { useFilters } from '../../app/filters';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { ConfirmByName } from '../../ui/confirm';
import { Id, Rows, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';
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
            </Group>
            <Keys tenantId={tenantId} />
          </>
        );
      }}
    </Asked>
  );
};

type ApiKey = Schemas['ApiKey'];

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
  return (
    <>
      <Asked query={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('noKeys')} />
          ) : (
            <Rows
              label={t('keys')}
              columns={[t('key'), t('description'), t('scopes'), t('lastUsed'), t('expires'), t('action')]}
              minWidth={900}
            >
              {items.map((key) => (
                <Table.Tr key={key.id}>
                  <Table.Td>
                    <Id>{key.prefix}</Id>
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
                  <Table.Td>
                    <When at={key.lastUsedAt} />
                  </Table.Td>
                  <Table.Td>
                    <When at={key.expiresAt} />
                  </Table.Td>
                  <Table.Td>
                    {key.revokedAt === null ? (
                      <Button size="compact-sm" variant="outline" color="red" onClick={() => setRevoking(key)}>
                        {t('revoke')}
                      </Button>
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
