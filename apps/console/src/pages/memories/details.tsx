import { SimpleGrid, Stack, Tabs, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api, ask, type Schemas } from '../../api/client';
import { useGet } from '../../api/use-get';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked, Empty } from '../../ui/ask';
import { ConfirmButton } from '../../ui/confirm';
import { DataTable } from '../../ui/data-table';
import { Fact, Id, Panel, Snippet, Status, When } from '../../ui/parts';
import { ModelDays } from '../../ui/model-days';
import { StoredText } from '../../ui/stored-text';
import { MemoryHead, useMemory, useStrategies } from '../memory-head';
import { appendSnippet, sdkSnippet, searchSnippet } from './snippets';

export const MemoryDetails = () => {
  const t = useT();
  const { can } = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { memoryId = '' } = useParams({ strict: false });
  const memory = useMemory(memoryId);
  const remove = async (): Promise<void> => {
    await ask(api.DELETE('/memory/memories/{memoryId}', { params: { path: { memoryId } }, parseAs: 'text' }));
    await navigate({ to: '/memories' });
    queryClient.removeQueries({ queryKey: ['memory', memoryId] });
    await queryClient.invalidateQueries({ queryKey: ['memories'] });
  };
  return (
    <>
      <MemoryHead memoryId={memoryId} section="details">
        {can('memory:delete') && (
          <ConfirmButton
            label={t('delete')}
            disabled={!memory.isSuccess}
            name={memory.data?.name || memoryId}
            title={t('deleteMemory')}
            warning={t('deleteMemoryWarning')}
            run={remove}
          />
        )}
      </MemoryHead>
      <Asked query={memory}>
        {(found) => (
          <>
            <Panel>
              <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
                <Fact label={t('memoryId')}>
                  <Id>{found.id}</Id>
                </Fact>
                <Fact label={t('status')}>
                  <Status value={found.status} />
                </Fact>
                <Fact label={t('eventExpiry')}>{t('days', { n: found.eventExpiryDuration })}</Fact>
                <Fact label={t('lastUpdated')}>
                  <When at={found.updatedAt} />
                </Fact>
              </SimpleGrid>
              {found.description !== '' && (
                <Stack mt="md" gap={2}>
                  <Text size="xs" c="dimmed">
                    {t('description')}
                  </Text>
                  <StoredText text={found.description} />
                </Stack>
              )}
            </Panel>
            <Usage memoryId={memoryId} />
            <Strategies memoryId={memoryId} />
            <UseIt memoryId={memoryId} />
          </>
        )}
      </Asked>
    </>
  );
};

const Usage = ({ memoryId }: { readonly memoryId: string }) => {
  const t = useT();
  const usage = useGet(['memory', memoryId, 'usage'], '/memory/memories/{memoryId}/usage', {
    path: { memoryId },
    refetchInterval: 5_000,
  });
  const COUNTS = ['actors', 'sessions', 'messages', 'records', 'supersededRecords'] as const;
  return (
    <Panel title={t('usage')}>
      <Asked query={usage} rows={1}>
        {(counts) => (
          <>
            <SimpleGrid cols={{ base: 2, xs: 3, md: 5 }}>
              {COUNTS.map((name) => (
                <Fact key={name} label={t(name)}>
                  <Text fw={700} size="xl" span>
                    {counts[name].toLocaleString()}
                  </Text>
                </Fact>
              ))}
            </SimpleGrid>
            {counts.modelUsage.length > 0 && <ModelUsage memoryId={memoryId} days={counts.modelUsage} />}
          </>
        )}
      </Asked>
    </Panel>
  );
};

interface ModelUsageProps {
  readonly memoryId: string;
  readonly days: Schemas['MemoryUsage']['modelUsage'];
}

const ModelUsage = ({ memoryId, days }: ModelUsageProps) => {
  const t = useT();
  const strategies = useStrategies(memoryId);
  const nameOf = (strategyId: string) => strategies.data?.find(({ id }) => id === strategyId)?.name ?? strategyId;
  return (
    <ModelDays
      days={days}
      keyOf={({ day, strategyId }) => `${day} ${strategyId}`}
      of={[{ title: t('strategy'), cell: ({ strategyId }) => <StoredText inline text={nameOf(strategyId)} /> }]}
    />
  );
};

const Strategies = ({ memoryId }: { readonly memoryId: string }) => {
  const t = useT();
  const strategies = useStrategies(memoryId);
  return (
    <Panel title={t('strategies')}>
      <Asked query={strategies} rows={2}>
        {(list) => (
          <DataTable
            label={t('strategies')}
            items={list}
            keyOf={({ id }) => id}
            empty={<Empty title={t('noStrategies')} />}
            columns={[
              { title: t('name'), text: ({ name }) => name },
              { title: t('type'), cell: ({ type }) => type },
              { title: t('namespaceTemplate'), cell: ({ namespaceTemplate }) => <Id>{namespaceTemplate}</Id> },
              {
                title: t('autoGenerate'),
                cell: ({ enableAutomaticMemoryRecordGeneration: isOn }) => t(isOn ? 'on' : 'off'),
              },
              { title: 'ID', cell: ({ id }) => <Id>{id}</Id> },
            ]}
          />
        )}
      </Asked>
    </Panel>
  );
};

const UseIt = ({ memoryId }: { readonly memoryId: string }) => {
  const t = useT();
  const strategies = useStrategies(memoryId);
  const template = strategies.data?.[0]?.namespaceTemplate ?? '/facts/{actorId}';
  const namespace = template
    .replaceAll('{memoryStrategyId}', strategies.data?.[0]?.id ?? '')
    .replaceAll('{actorId}', 'linh')
    .replaceAll('{sessionId}', 'call-1');
  const origin = window.location.origin;
  const samples = [
    { label: t('appendSnippet'), code: appendSnippet(origin, memoryId) },
    { label: t('searchSnippet'), code: searchSnippet(origin, memoryId, namespace) },
    { label: 'JavaScript', code: sdkSnippet(origin, memoryId) },
  ];
  return (
    <Panel title={t('useIt')}>
      <Tabs defaultValue="0" keepMounted={false}>
        <Tabs.List mb="sm">
          {samples.map(({ label }, index) => (
            <Tabs.Tab key={label} value={String(index)}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {samples.map(({ label, code }, index) => (
          <Tabs.Panel key={label} value={String(index)}>
            <Snippet label={label} code={code} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Panel>
  );
};
