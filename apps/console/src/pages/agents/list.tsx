import { Anchor, Group, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, ask } from '../../api/client';
import { useFilters } from '../../app/filters';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { NextPage, PageHead, Listing, Status, When } from '../../ui/parts';
import { ChoiceFilter } from '../../ui/choice-filter';
import { StoredText } from '../../ui/stored-text';

const STATUSES = ['running', 'stopped', 'failed'] as const;

export const Agents = () => {
  const t = useT();
  const [filters] = useFilters();
  const { after } = filters;
  const status = STATUSES.find((each) => each === filters['status']);
  const agents = useQuery({
    queryKey: ['agents', filters],
    queryFn: () =>
      ask(
        api.GET('/v1/agents', {
          params: { query: { limit: 50, ...(status ? { status } : {}), ...(after ? { after } : {}) } },
        }),
      ),
    refetchInterval: after === undefined ? 5_000 : false,
  });
  return (
    <>
      <PageHead title={t('agents')} about={t('agentsAbout')} />
      <Group mb="md">
        <ChoiceFilter label={t('status')} name="status" choices={STATUSES} />
      </Group>
      <Asked query={agents}>
        {({ items, next }) => (
          <Listing
            label={t('agents')}
            columns={[t('name'), t('status'), t('vendor'), t('actorId'), t('startedAt'), t('stoppedAt')]}
            items={items}
            empty={<Empty title={t('noAgents')} />}
            more={<NextPage next={next} />}
          >
            {(agent) => (
              <Table.Tr key={agent.id}>
                <Table.Td maw={300}>
                  <Anchor component={Link} size="sm" to={`/agents/${encodeURIComponent(agent.id)}`}>
                    <StoredText inline text={agent.name} />
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <Status value={agent.status} />
                </Table.Td>
                <Table.Td>{agent.vendor}</Table.Td>
                <Table.Td maw={240}>
                  <StoredText inline text={agent.actorId} />
                </Table.Td>
                <Table.Td>
                  <When at={agent.startedAt} />
                </Table.Td>
                <Table.Td>
                  <When at={agent.stoppedAt} />
                </Table.Td>
              </Table.Tr>
            )}
          </Listing>
        )}
      </Asked>
    </>
  );
};
