import { promptBook } from '@turnkeeper/extraction/prompts';
import { systemIds } from '@turnkeeper/platform';
import {
  PgAgentIdleStore,
  PgConnectorStore,
  PgDeliveryStore,
  PgDispatchCursor,
  PgExtractionStore,
  PgLineageStore,
  PgNoticeStore,
  PgParkedWorkStore,
  PgPersonalRows,
  PgRateBudgets,
  PgRecordChanges,
  PgRecordStore,
  PgRollingMemoryStore,
  PgTenantUsage,
  PgVendorAppStore,
  PgWebhookEndpointStore,
  TypeOrmAgentStore,
  TypeOrmKeyStore,
  TypeOrmMemoryStore,
  TypeOrmTenantStore,
  TypeOrmUnitOfWork,
} from '@turnkeeper/read-models';
import { tokenCounter } from '@turnkeeper/search/tokens';
import type { IngestResources } from './resources.js';

/** The adapters of the use cases' ports, created once. */
export const createStores = ({
  dataSource,
  cipher,
  eventStore,
  clock,
}: Pick<IngestResources, 'dataSource' | 'cipher' | 'eventStore' | 'clock'>) => ({
  eventStore,
  questions: eventStore.questions,
  turns: eventStore.turns,
  tokens: tokenCounter,
  unitOfWork: new TypeOrmUnitOfWork(dataSource, eventStore.staging),
  memories: new TypeOrmMemoryStore(dataSource),
  agents: new TypeOrmAgentStore(dataSource),
  agentIdle: new PgAgentIdleStore(dataSource),
  records: new PgRecordStore(dataSource),
  recordChanges: new PgRecordChanges(dataSource),
  lineage: new PgLineageStore(dataSource),
  provenance: eventStore.provenance,
  prompts: promptBook,
  personalRows: new PgPersonalRows(dataSource),
  directory: eventStore.directory,
  erasure: eventStore.erasure,
  rollingMemory: new PgRollingMemoryStore(dataSource),
  extractions: new PgExtractionStore(dataSource),
  vendorApps: new PgVendorAppStore(dataSource, cipher),
  endpoints: new PgWebhookEndpointStore(dataSource, cipher),
  deliveries: new PgDeliveryStore(dataSource),
  connectors: new PgConnectorStore(dataSource, cipher),
  notices: new PgNoticeStore(dataSource),
  parkedWork: new PgParkedWorkStore(dataSource),
  cursor: new PgDispatchCursor(dataSource),
  keys: new TypeOrmKeyStore(dataSource),
  tenants: new TypeOrmTenantStore(dataSource),
  usage: new PgTenantUsage(dataSource),
  rateBudgets: new PgRateBudgets(dataSource),
  ids: systemIds,
  clock,
});

export type Stores = ReturnType<typeof createStores>;
