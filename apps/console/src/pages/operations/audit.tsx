import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, ask } from '../../api/client';
import { useFilters } from '../../app/filters';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { Id, NextPage, Listing, When } from '../../ui/parts';

export const AuditLog = () => {
  const t = useT();
  const [{ after }] = useFilters();
  const log = useQuery({
    queryKey: ['audit', after],
    queryFn: () =>
      ask(api.GET('/v1/audit-log', { params: { query: { limit: 50, ...(after ? { after: Number(after) } : {}) } } })),
  });
  return (
    <Asked query={log}>
      {({ items, next }) => (
        <Listing
          label={t('auditLog')}
          columns={[t('time'), t('action'), t('resource'), t('status'), t('key'), t('address')]}
          minWidth={900}
          items={items}
          empty={<Empty title={t('nothingFound')} />}
          more={<NextPage next={next} />}
        >
          {(entry) => (
            <Table.Tr key={entry.entry}>
              <Table.Td>
                <When at={entry.at} />
              </Table.Td>
              <Table.Td>{entry.action}</Table.Td>
              <Table.Td>
                <Id>{entry.resource}</Id>
              </Table.Td>
              <Table.Td>{entry.status}</Table.Td>
              <Table.Td>
                <Id>{entry.keyId}</Id>
              </Table.Td>
              <Table.Td>{entry.address}</Table.Td>
            </Table.Tr>
          )}
        </Listing>
      )}
    </Asked>
  );
};
