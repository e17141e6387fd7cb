import { Anchor, Group, NativeSelect, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, ask } from '../../api/client';
import { useFilters } from '../../app/filters';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { NextPage, PageHead, Rows, Status, When } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';

const STATUSES = ['RUNNING', 'STOPPED', 'FAILED'] as const;

export const Agents = () => {
  const t = useT();
  const [filters, setFilters] = useFilters();
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
        <NativeSelect
          label={t('status')}
          value={status ?? ''}
          onChange={(event) => setFilters({ status: event.currentTarget.value || undefined })}
          data={[{ value: '', label: t('all') }, ...STATUSES]}
        />
      </Group>
      <Asked query={agents}>
        {({ items, next }) =>
          items.length === 0 ? (
            <Empty title={t('noAgents')} />
          ) : (
            <>
              <Rows
                label={t('agents')}
                columns={[t('name'), t('status'), t('vendor'), t('actorId'), t('startedAt'), t('stoppedAt')]}
              >
                {items.map((agent) => (
                  <Table.Tr key={agent.agentId}>
                    <Table.Td maw={300}>
                      <Anchor component={Link} size="sm" to={`/agents/${encodeURIComponent(agent.agentId)}`}>
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
                ))}
              </Rows>
              <NextPage next={next} />
            </>
          )
        }
      </Asked>
    </>
  );
};
