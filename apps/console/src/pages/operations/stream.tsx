import { Button, Group, SimpleGrid, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, ask } from '../../api/client';
import { useT } from '../../text/text';
import { Asked, ProblemAlert } from '../../ui/ask';
import { DataTable } from '../../ui/data-table';
import { Fact, Panel, Snippet } from '../../ui/parts';

const FOLLOWERS = [
  { name: 'relay', text: 'lagRelay' },
  { name: 'dispatcher', text: 'lagDispatcher' },
  { name: 'turnIndex', text: 'lagTurnIndex' },
  { name: 'sessionIndex', text: 'lagSessionIndex' },
] as const;

/** What follows the log, and how its copies are repaired. */
export const LogCopies = () => {
  const t = useT();
  const newest = useQuery({
    queryKey: ['activity', 'newest'],
    queryFn: () => {
      const after = new Date(Date.now() - 60_000).toISOString();
      return ask(api.GET('/v1/admin/activity', { params: { query: { after } } })).then(
        ({ samples }) => samples.at(-1) ?? null,
      );
    },
    refetchInterval: 10_000,
  });
  const reconciling = useMutation({ mutationFn: () => ask(api.POST('/v1/admin/reconcile')) });
  return (
    <>
      <Panel title={t('lag')}>
        <Asked query={newest} rows={4}>
          {(sample) =>
            sample === null ? (
              <Text size="sm">{t('noSamples')}</Text>
            ) : (
              <DataTable
                label={t('lag')}
                minWidth={320}
                items={FOLLOWERS}
                keyOf={({ name }) => name}
                columns={[
                  { title: t('name'), cell: ({ text }) => t(text) },
                  { title: t('events'), cell: ({ name }) => sample.lag[name].events.toLocaleString() },
                  {
                    title: t('seconds'),
                    cell: ({ name }) =>
                      sample.lag[name].seconds.toLocaleString(undefined, { maximumFractionDigits: 1 }),
                  },
                ]}
              />
            )
          }
        </Asked>
      </Panel>
      <Panel title={t('reconcile')}>
        <Text size="sm" mb="sm">
          {t('reconcileAbout')}
        </Text>
        <Group mb={reconciling.isIdle ? 0 : 'sm'}>
          <Button variant="default" loading={reconciling.isPending} onClick={() => reconciling.mutate()}>
            {t('reconcile')}
          </Button>
        </Group>
        {reconciling.isError && <ProblemAlert error={reconciling.error} />}
        {reconciling.isSuccess && (
          <SimpleGrid cols={{ base: 2, md: 4 }} role="status">
            {(['events', 'missing', 'republished', 'refused'] as const).map((name) => (
              <Fact key={name} label={t(`reconciled_${name}`)}>
                {reconciling.data[name].toLocaleString()}
              </Fact>
            ))}
          </SimpleGrid>
        )}
      </Panel>
      <Panel title={t('rebuild')}>
        <Text size="sm" mb="sm">
          {t('rebuildAbout')}
        </Text>
        <Snippet label={t('rebuild')} code={'turnkeeper rebuild --check\nturnkeeper rebuild'} />
      </Panel>
    </>
  );
};
