import { Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useGet } from '../../api/use-get';
import { pageOf, useFilters } from '../../app/filters';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { DataTable } from '../../ui/data-table';
import { PageHead, Pages, Status, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';

const SIZE = 25;

export const Memories = () => {
  const t = useT();
  const { can } = useSession();
  const [filters] = useFilters();
  const page = pageOf(filters);
  const memories = useGet(['memories', page], '/memory/memories', { query: { page, size: SIZE } });
  const create = can('memory:configure') && (
    <Button renderRoot={(props) => <Link {...props} to="/memories/new" />}>{t('createMemory')}</Button>
  );
  return (
    <>
      <PageHead title={t('memories')} about={t('memoriesAbout')}>
        {create}
      </PageHead>
      <Asked query={memories}>
        {({ listData, totalPage }) => (
          <DataTable
            label={t('memories')}
            items={listData}
            keyOf={({ id }) => id}
            empty={<Empty title={t('noMemories')}>{create}</Empty>}
            more={<Pages page={page} total={totalPage} />}
            columns={[
              {
                title: t('name'),
                maxWidth: 280,
                cell: ({ id, name }) => (
                  <Anchor component={Link} to={`/memories/${id}`} fw={600} size="sm">
                    <StoredText inline text={name || id} />
                  </Anchor>
                ),
              },
              { title: t('status'), cell: ({ status }) => <Status value={status} /> },
              { title: t('description'), maxWidth: 420, text: ({ description }) => description },
              { title: t('eventExpiry'), cell: ({ eventExpiryDuration: n }) => t('days', { n }) },
              { title: t('lastUpdated'), cell: ({ updatedAt }) => <When at={updatedAt} /> },
            ]}
          />
        )}
      </Asked>
    </>
  );
};
