import { useGet } from '../../api/use-get';
import { useFilters } from '../../app/filters';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { DataTable } from '../../ui/data-table';
import { Id, NextPage, When } from '../../ui/parts';

export const AuditLog = () => {
  const t = useT();
  const [{ after }] = useFilters();
  const log = useGet(['audit', after], '/v1/audit-log', {
    query: { limit: 50, ...(after ? { after: Number(after) } : {}) },
  });
  return (
    <Asked query={log}>
      {({ items, next }) => (
        <DataTable
          label={t('auditLog')}
          minWidth={900}
          items={items}
          keyOf={({ entry }) => entry}
          empty={<Empty title={t('nothingFound')} />}
          more={<NextPage next={next} />}
          columns={[
            { title: t('time'), cell: ({ at }) => <When at={at} /> },
            { title: t('action'), cell: ({ action }) => action },
            { title: t('resource'), cell: ({ resource }) => <Id>{resource}</Id> },
            { title: t('status'), cell: ({ status }) => status },
            { title: t('key'), cell: ({ keyId }) => <Id>{keyId}</Id> },
            { title: t('address'), cell: ({ address }) => address },
          ]}
        />
      )}
    </Asked>
  );
};
