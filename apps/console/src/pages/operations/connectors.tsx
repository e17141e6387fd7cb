import { Anchor, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, ask } from '../../api/client';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { Id, Panel, Rows, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';

/** Registered callbacks and apps of voice vendors. */
export const Connectors = () => {
  const t = useT();
  const connectors = useQuery({
    queryKey: ['connectors'],
    queryFn: () => ask(api.GET('/v1/connectors', { params: { query: { limit: 100 } } })),
  });
  const apps = useQuery({
    queryKey: ['vendor-apps'],
    queryFn: () => ask(api.GET('/v1/vendor-apps', { params: { query: { limit: 100 } } })),
  });
  return (
    <>
      <Panel title={t('connectors')}>
        <Asked query={connectors} rows={2}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={t('noConnectors')} />
            ) : (
              <Rows label={t('connectors')} columns={[t('vendor'), t('description'), t('callbackUrl'), t('createdAt')]}>
                {items.map((connector) => (
                  <Table.Tr key={connector.id}>
                    <Table.Td>{connector.vendor}</Table.Td>
                    <Table.Td>
                      <StoredText inline text={connector.description} />
                    </Table.Td>
                    <Table.Td>
                      <Id>{connector.callbackUrl}</Id>
                    </Table.Td>
                    <Table.Td>
                      <When at={connector.createdAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Rows>
            )
          }
        </Asked>
      </Panel>
      <Panel title={t('vendorApps')}>
        <Asked query={apps} rows={2}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={t('noVendorApps')} />
            ) : (
              <Rows label={t('vendorApps')} columns={[t('vendor'), 'ID', t('memory'), t('createdAt')]}>
                {items.map((app) => (
                  <Table.Tr key={`${app.vendor} ${app.appId}`}>
                    <Table.Td>{app.vendor}</Table.Td>
                    <Table.Td>
                      <StoredText inline text={app.appId} />
                    </Table.Td>
                    <Table.Td>
                      <Anchor component={Link} size="sm" to={`/memories/${app.memoryId}`}>
                        {app.memoryId}
                      </Anchor>
                    </Table.Td>
                    <Table.Td>
                      <When at={app.createdAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Rows>
            )
          }
        </Asked>
      </Panel>
    </>
  );
};
