import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { Logger } from '@turnkeeper/platform';
import { AdminModule } from './admin/admin.module.js';
import { AgentsModule } from './agents/agents.module.js';
import { AgoraModule } from './agora/agora.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ChatModule } from './chat/chat.module.js';
import { ConnectorsModule } from './connectors/connectors.module.js';
import { ConsoleModule } from './console/console.module.js';
import { DocsModule } from './docs/docs.module.js';
import { EventsModule } from './events/events.module.js';
import { ExtractionModule } from './extraction/extraction.module.js';
import { GraphsModule } from './graphs/graphs.module.js';
import { ProblemFilter } from './http/problem.filter.js';
import { LimitsModule } from './limits/limits.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MemoriesModule } from './memories/memories.module.js';
import { RecordsModule } from './records/records.module.js';
import { RelayModule } from './relay/relay.module.js';
import type { IngestResources } from './resources.js';
import { RollingMemoryModule } from './rolling-memory/rolling-memory.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { ShortTermModule } from './short-term/short-term.module.js';
import { StreamsModule } from './streams/streams.module.js';
import { LOGGER, RuntimeModule } from '@turnkeeper/runtime/nest';
import { TransferModule } from './transfer/transfer.module.js';
import { VendorAppsModule } from './vendor-apps/vendor-apps.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { ZegoModule } from './zego/zego.module.js';

@Module({
  imports: [
    RelayModule,
    AuthModule,
    LimitsModule,
    MemoriesModule,
    SessionsModule,
    EventsModule,
    RecordsModule,
    ExtractionModule,
    RollingMemoryModule,
    StreamsModule,
    AgentsModule,
    ShortTermModule,
    AgoraModule,
    ZegoModule,
    VendorAppsModule,
    WebhooksModule,
    ConnectorsModule,
    TransferModule,
    McpModule,
    ChatModule,
    GraphsModule,
    AuditModule,
    AdminModule,
    DocsModule,
    ConsoleModule,
  ],
  providers: [{ provide: APP_FILTER, inject: [LOGGER], useFactory: (logger: Logger) => new ProblemFilter(logger) }],
})
export class IngestModule {
  static with(resources: IngestResources): DynamicModule {
    return { module: IngestModule, imports: [RuntimeModule.with(resources)] };
  }
}
