import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { adminFeature } from './admin/admin.feature.js';
import { agentsFeature } from './agents/agents.feature.js';
import { auditFeature } from './audit/audit.feature.js';
import { agoraFeature } from './agora/agora.feature.js';
import { authFeature } from './auth/auth.feature.js';
import { consoleFeature } from './console/console.feature.js';
import { connectorsFeature } from './connectors/connectors.feature.js';
import { docsFeature } from './docs/docs.feature.js';
import { eventsFeature } from './events/events.feature.js';
import { extractionFeature } from './extraction/extraction.feature.js';
import type { Feature } from './feature.js';
import { ProblemFilter } from './http/problem.filter.js';
import { mcpFeature } from './mcp/mcp.feature.js';
import { memoriesFeature } from './memories/memories.feature.js';
import { recordsFeature } from './records/records.feature.js';
import type { IngestResources } from './resources.js';
import { sessionsFeature } from './sessions/sessions.feature.js';
import { rollingMemoryFeature } from './rolling-memory/rolling-memory.feature.js';
import { shortTermFeature } from './short-term/short-term.feature.js';
import { KnownLimits } from './limits/known-limits.js';
import { graphsFeature } from './graphs/graphs.feature.js';
import { limitsFeature } from './limits/limits.feature.js';
import { standardLimits } from './limits/standard-limits.js';
import { createStores } from './stores.js';
import { APPENDED, FIRST_ANSWERS, LOGGER } from './tokens.js';
import { transferFeature } from './transfer/transfer.feature.js';
import { vendorAppsFeature } from './vendor-apps/vendor-apps.feature.js';
import { webhooksFeature } from './webhooks/webhooks.feature.js';
import { zegoFeature } from './zego/zego.feature.js';

const FEATURES: readonly Feature[] = [
  authFeature,
  memoriesFeature,
  sessionsFeature,
  eventsFeature,
  recordsFeature,
  extractionFeature,
  rollingMemoryFeature,
  agentsFeature,
  shortTermFeature,
  agoraFeature,
  zegoFeature,
  vendorAppsFeature,
  webhooksFeature,
  connectorsFeature,
  transferFeature,
  mcpFeature,
  graphsFeature,
  limitsFeature,
  auditFeature,
  adminFeature,
  docsFeature,
  consoleFeature,
];

/** The vendors' ways to report errors. */
export const DIALECTS = FEATURES.flatMap(({ dialect }) => dialect ?? []);

@Module({})
export class IngestModule {
  static with(resources: IngestResources): DynamicModule {
    const stores = createStores(resources);
    const limits = new KnownLimits(standardLimits(resources.settings), stores.tenants);
    return {
      module: IngestModule,
      controllers: FEATURES.flatMap((feature) => [...feature.controllers]),
      providers: [
        { provide: APPENDED, useValue: () => resources.relay.notify() },
        { provide: FIRST_ANSWERS, useValue: stores.firstAnswers },
        { provide: LOGGER, useValue: resources.logger },
        { provide: APP_FILTER, useValue: new ProblemFilter(resources.logger, DIALECTS) },
        ...FEATURES.flatMap((feature) => [...feature.providers(stores, resources, limits)]),
      ],
    };
  }
}
