import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { AuthConfigController } from './auth/auth-config.controller.js';
import { AuthGuard } from './auth/auth.guard.js';
import { APP, type App } from './composition.js';
import { ProblemFilter } from './http/problem.filter.js';
import { ActivityController } from './admin/activity.controller.js';
import { KeysController } from './admin/keys.controller.js';
import { ParkedWorkController } from './admin/parked-work.controller.js';
import { StreamController } from './admin/stream.controller.js';
import { TenantsController } from './admin/tenants.controller.js';
import { AgentsController } from './agents/agents.controller.js';
import { ConversationController } from './agents/conversation.controller.js';
import { AgoraConversationController } from './agora/agora-conversation.controller.js';
import { AgoraController } from './agora/agora.controller.js';
import { AuditController } from './audit/audit.controller.js';
import { CallerController } from './auth/caller.controller.js';
import { TokenController } from './auth/token.controller.js';
import { ChatController } from './chat/chat.controller.js';
import { CALLBACK_CONTROLLERS } from './connectors/callbacks.controller.js';
import { ConnectorsController } from './connectors/connectors.controller.js';
import { ConsoleController } from './console/console.controller.js';
import { DocsController } from './docs/docs.controller.js';
import { ContextController } from './events/context.controller.js';
import { EventsController } from './events/events.controller.js';
import { TurnSearchController } from './events/turn-search.controller.js';
import { ExtractionController } from './extraction/progress.controller.js';
import { SessionExtractionController } from './extraction/session-extraction.controller.js';
import { CheckpointsController } from './graphs/checkpoints.controller.js';
import { GraphStoreController } from './graphs/graph-store.controller.js';
import { LimitsController } from './limits/limits.controller.js';
import { McpController } from './mcp/mcp.controller.js';
import { MemoriesController } from './memories/memories.controller.js';
import { StrategiesController } from './memories/strategies.controller.js';
import { BeliefController } from './records/belief.controller.js';
import { MakeRecordsController } from './records/make-records.controller.js';
import { RecordDeletionsController } from './records/record-deletions.controller.js';
import { RecordsController } from './records/records.controller.js';
import { RollingMemoryController } from './rolling-memory/rolling-memory.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { ShortTermController } from './short-term/short-term.controller.js';
import { StreamsController } from './streams/streams.controller.js';
import { TransferController } from './transfer/transfer.controller.js';
import { VendorAppsController } from './vendor-apps/vendor-apps.controller.js';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './webhooks/webhook-endpoints.controller.js';
import { ZegoController } from './zego/zego.controller.js';

@Module({
  controllers: [
    ActivityController,
    KeysController,
    ParkedWorkController,
    StreamController,
    TenantsController,
    AgentsController,
    ConversationController,
    AgoraConversationController,
    AgoraController,
    AuditController,
    AuthConfigController,
    CallerController,
    TokenController,
    ChatController,
    ConnectorsController,
    ConsoleController,
    DocsController,
    ContextController,
    EventsController,
    TurnSearchController,
    ExtractionController,
    SessionExtractionController,
    CheckpointsController,
    GraphStoreController,
    LimitsController,
    McpController,
    MemoriesController,
    StrategiesController,
    BeliefController,
    MakeRecordsController,
    RecordDeletionsController,
    RecordsController,
    RollingMemoryController,
    SessionsController,
    ShortTermController,
    StreamsController,
    TransferController,
    VendorAppsController,
    WebhookDeliveriesController,
    WebhookEndpointsController,
    ZegoController,
    ...CALLBACK_CONTROLLERS,
  ],
  providers: [{ provide: APP_GUARD, useClass: AuthGuard }],
})
export class IngestModule implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(@Inject(APP) private readonly app: Pick<App, 'stopping' | 'eventStreams' | 'chatModel'>) {}

  static with(app: App): DynamicModule {
    const providers = [
      { provide: APP, useValue: app },
      { provide: APP_FILTER, useValue: new ProblemFilter(app.logger) },
    ];
    return { module: IngestModule, providers };
  }

  /** Nest calls this before it closes the server, which waits for requests in flight and responses in progress. */
  beforeApplicationShutdown(): void {
    this.app.stopping.abort();
    this.app.eventStreams.closeAll();
  }

  onApplicationShutdown(): Promise<void> {
    return this.app.chatModel.close();
  }
}
