import { Anchor, Button, List, SimpleGrid, Table, Text, ThemeIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Schemas } from '../../api/client';
import { useGet } from '../../api/use-get';
import { useSession } from '../../app/session';
import { useT } from '../../text/text';
import { Asked } from '../../ui/ask';
import { Rows } from '../../ui/data-table';
import { Fact, PageHead, Panel, Status } from '../../ui/parts';
import { StoredText } from '../../ui/stored-text';
import { Activity } from './activity';
import { Limits } from '../operations/limits';

const EVERY_MS = 5_000;
const DEPENDENCIES_EVERY_MS = 15_000;
/** Extraction is shown for the newest memories; each needs a separate request. */
const SHOWN = 10;

/** What runs, what waits and what failed, as far as the key may read it. */
export const Overview = () => {
  const t = useT();
  const { can } = useSession();
  const mayRead = can('memory:read');
  const memories = useGet(['memories', 'overview'], '/memory/memories', { query: { size: SHOWN }, enabled: mayRead });
  return (
    <>
      <PageHead title={t('overview')} />
      {can('admin') && <Activity />}
      {mayRead && (
        <Asked query={memories}>
          {({ listData, totalItem }) =>
            totalItem === 0 ? <FirstSteps /> : <Extraction memories={listData} total={totalItem} />
          }
        </Asked>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 4 }} spacing="md" verticalSpacing={0}>
        {can('agents:read') && <RunningAgents />}
        {can('webhooks:admin') && <WebhookHealth />}
        {can('admin') && <ParkedCount />}
        {can('admin') && <Dependencies />}
      </SimpleGrid>
      {mayRead && (
        <Panel title={t('limits')}>
          <Limits />
        </Panel>
      )}
    </>
  );
};

/** On the first run: the way to the first memory. */
const FirstSteps = () => {
  const t = useT();
  const { can } = useSession();
  return (
    <Panel title={t('firstSteps')}>
      <List spacing="sm" type="ordered" mb="md">
        {(['firstStep1', 'firstStep2', 'firstStep3'] as const).map((step, index) => (
          <List.Item
            key={step}
            icon={
              <ThemeIcon size={24} radius="xl" variant="outline">
                {index + 1}
              </ThemeIcon>
            }
          >
            {t(step)}
          </List.Item>
        ))}
      </List>
      {can('memory:configure') && (
        <Button renderRoot={(props) => <Link {...props} to="/memories/new" />}>{t('createMemory')}</Button>
      )}
    </Panel>
  );
};

interface ExtractionProps {
  readonly memories: readonly Schemas['Memory'][];
  readonly total: number;
}

const Extraction = ({ memories, total }: ExtractionProps) => {
  const t = useT();
  return (
    <Panel title={t('extraction')}>
      <Rows
        label={t('extraction')}
        columns={[t('memory'), t('status'), t('pendingSessions'), t('parkedSessions'), t('records'), t('modelCalls')]}
      >
        {memories.map((memory) => (
          <ExtractionRow key={memory.id} memory={memory} />
        ))}
      </Rows>
      {total > memories.length && (
        <Anchor component={Link} to="/memories" size="sm">
          {t('allMemories', { n: total.toLocaleString() })}
        </Anchor>
      )}
    </Panel>
  );
};

const ExtractionRow = ({ memory }: { readonly memory: Schemas['Memory'] }) => {
  const t = useT();
  const progress = useGet(['memory', memory.id, 'extraction'], '/v1/memories/{memoryId}/extraction', {
    path: { memoryId: memory.id },
    refetchInterval: EVERY_MS,
  });
  const sum = (name: 'pendingSessions' | 'parkedSessions' | 'records' | 'modelCalls'): string =>
    progress.data?.strategies.reduce((total, each) => total + each[name], 0).toLocaleString() ?? '–';
  return (
    <Table.Tr>
      <Table.Td maw={320}>
        <Anchor component={Link} to={`/memories/${memory.id}`} size="sm">
          <StoredText inline text={memory.name || memory.id} />
        </Anchor>
      </Table.Td>
      <Table.Td>
        {progress.isError
          ? t('failed')
          : t(progress.data === undefined || progress.data.caughtUp ? 'caughtUp' : 'reading')}
      </Table.Td>
      <Table.Td>{sum('pendingSessions')}</Table.Td>
      <Table.Td>{sum('parkedSessions')}</Table.Td>
      <Table.Td>{sum('records')}</Table.Td>
      <Table.Td>{sum('modelCalls')}</Table.Td>
    </Table.Tr>
  );
};

interface CountProps {
  readonly page: { readonly items: readonly unknown[]; readonly next: unknown };
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

/** The length of a list (`100+` if there are more), as a link to it. */
const Count = ({ page: { items, next }, to, search }: CountProps) => (
  <Anchor component={Link} to={to} search={search as never} fw={700} size="xl">
    {items.length}
    {next !== null && '+'}
  </Anchor>
);

const RunningAgents = () => {
  const t = useT();
  const agents = useGet(['agents', 'running'], '/v1/agents', {
    query: { status: 'running', limit: 100 },
    refetchInterval: EVERY_MS,
  });
  return (
    <Panel title={t('agents')}>
      <Asked query={agents} rows={1}>
        {(page) => (
          <Fact label={t('runningAgents')}>
            <Count page={page} to="/agents" search={{ status: 'running' }} />
          </Fact>
        )}
      </Asked>
    </Panel>
  );
};

const WebhookHealth = () => {
  const t = useT();
  const endpoints = useGet(['webhooks', 'overview'], '/v1/webhook-endpoints', {
    query: { limit: 10 },
    refetchInterval: EVERY_MS,
  });
  return (
    <Panel title={t('webhooks')}>
      <Asked query={endpoints} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm">{t('noEndpoints')}</Text>
          ) : (
            <>
              {items.map((endpoint) => (
                <EndpointHealth key={endpoint.id} endpoint={endpoint} />
              ))}
            </>
          )
        }
      </Asked>
    </Panel>
  );
};

/** How many of the last deliveries arrived. */
const EndpointHealth = ({ endpoint }: { readonly endpoint: Schemas['WebhookEndpoint'] }) => {
  const t = useT();
  const deliveries = useGet(['webhook', endpoint.id, 'health'], '/v1/webhook-endpoints/{endpointId}/deliveries', {
    path: { endpointId: endpoint.id },
    query: { limit: 100 },
    refetchInterval: EVERY_MS,
  });
  const items = deliveries.data?.items ?? [];
  const delivered = items.filter(({ status }) => status === 'delivered').length;
  return (
    <Text size="sm" component="div" mb={4}>
      <Status value={endpoint.status} />{' '}
      <Anchor component={Link} to={`/webhooks/${endpoint.id}`} size="sm" maw={300}>
        <StoredText inline text={endpoint.url} />
      </Anchor>{' '}
      {t('deliveredOf', { n: delivered, of: items.length })}
    </Text>
  );
};

const ParkedCount = () => {
  const t = useT();
  const parked = useGet(['parked', 'overview'], '/v1/admin/parked', {
    query: { limit: 100 },
    refetchInterval: EVERY_MS,
  });
  return (
    <Panel title={t('parkedWork')}>
      <Asked query={parked} rows={1}>
        {(page) => (
          <Fact label={t('parkedWorkAbout')}>
            <Count page={page} to="/operations" search={{ section: 'parkedWork' }} />
          </Fact>
        )}
      </Asked>
    </Panel>
  );
};

interface Readiness {
  readonly dependencies: Readonly<Record<string, { readonly status: 'up' | 'down'; readonly required: boolean }>>;
}

/** What ingest needs, by its health probe. The probe may be served on a separate port, which a browser cannot reach. */
const Dependencies = () => {
  const t = useT();
  const readiness = useQuery({
    queryKey: ['readiness'],
    queryFn: async (): Promise<Readiness | null> => {
      const response = await fetch('/readyz', { credentials: 'omit' });
      // 503 has the same body.
      return response.status === 404 ? null : ((await response.json()) as Readiness);
    },
    refetchInterval: ({ state }) => (state.data === null ? false : DEPENDENCIES_EVERY_MS),
  });
  if (readiness.data === null) return null;
  return (
    <Panel title={t('dependencies')}>
      <Asked query={readiness} rows={2}>
        {(found) =>
          Object.entries(found?.dependencies ?? {}).map(([name, { status, required }]) => (
            <Text key={name} size="sm" component="div" mb={4}>
              <Status value={status} /> {name} {!required && `(${t('optional')})`}
            </Text>
          ))
        }
      </Asked>
    </Panel>
  );
};
