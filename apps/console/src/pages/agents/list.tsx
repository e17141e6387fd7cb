import { Anchor, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useGet } from '../../api/use-get';
import { useFilters } from '../../app/filters';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { DataTable } from '../../ui/data-table';
import { NextPage, PageHead, Status, When } from '../../ui/parts';
import { ChoiceFilter } from '../../ui/choice-filter';
import { StoredText } from '../../ui/stored-text';

const STATUSES = ['running', 'stopped', 'failed'] as const;

export const Agents = () => {
  const t = useT();
  const [filters] = useFilters();
  const { after } = filters;
  const status = STATUSES.find((each) => each === filters['status']);
  const agents = useGet(['agents', filters], '/v1/agents', {
    query: { limit: 50, status, after },
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
          <DataTable
            label={t('agents')}
            items={items}
            keyOf={({ id }) => id}
            empty={<Empty title={t('noAgents')} />}
            more={<NextPage next={next} />}
            columns={[
              {
                title: t('name'),
                maxWidth: 300,
                cell: ({ id, name }) => (
                  <Anchor component={Link} size="sm" to={`/agents/${encodeURIComponent(id)}`}>
                    <StoredText inline text={name} />
                  </Anchor>
                ),
              },
              { title: t('status'), cell: ({ status: value }) => <Status value={value} /> },
              { title: t('vendor'), cell: ({ vendor }) => vendor },
              { title: t('actorId'), maxWidth: 240, text: ({ actorId }) => actorId },
              { title: t('startedAt'), cell: ({ startedAt }) => <When at={startedAt} /> },
              { title: t('stoppedAt'), cell: ({ stoppedAt }) => <When at={stoppedAt} /> },
            ]}
          />
        )}
      </Asked>
    </>
  );
};
