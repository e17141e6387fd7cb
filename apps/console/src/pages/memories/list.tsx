import { Anchor, Button, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, ask } from '../../api/client';
import { pageOf, useFilters } from '../../app/filters';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { PageHead, Pages, Listing, Status, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';

const SIZE = 25;

export const Memories = () => {
  const t = useT();
  const { can } = useSession();
  const [filters] = useFilters();
  const page = pageOf(filters);
  const memories = useQuery({
    queryKey: ['memories', page],
    queryFn: () => ask(api.GET('/memory/memories', { params: { query: { page, size: SIZE } } })),
  });
  const create = can('memory:write') && (
    <Button renderRoot={(props) => <Link {...props} to="/memories/new" />}>{t('createMemory')}</Button>
  );
  return (
    <>
      <PageHead title={t('memories')} about={t('memoriesAbout')}>
        {create}
      </PageHead>
      <Asked query={memories}>
        {({ listData, totalPage }) => (
          <Listing
            label={t('memories')}
            columns={[t('name'), t('status'), t('description'), t('eventExpiry'), t('lastUpdated')]}
            items={listData}
            empty={<Empty title={t('noMemories')}>{create}</Empty>}
            more={<Pages page={page} total={totalPage} />}
          >
            {(memory) => (
              <Table.Tr key={memory.id}>
                <Table.Td maw={280}>
                  <Anchor component={Link} to={`/memories/${memory.id}`} fw={600} size="sm">
                    <StoredText inline text={memory.name || memory.id} />
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <Status value={memory.status} />
                </Table.Td>
                <Table.Td maw={420}>
                  <StoredText inline text={memory.description} />
                </Table.Td>
                <Table.Td>{t('days', { n: memory.eventExpiryDuration })}</Table.Td>
                <Table.Td>
                  <When at={memory.updatedAt} />
                </Table.Td>
              </Table.Tr>
            )}
          </Listing>
        )}
      </Asked>
    </>
  );
};
