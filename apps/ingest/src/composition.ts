import { setTimeout as delay } from 'node:timers/promises';
import {
  AddStrategy,
  AppendEvents,
  AppendToAgent,
  AwaitExtraction,
  BrowseMemory,
  BuildContext,
  CaptureMemoryState,
  ChangeMemory,
  ChangeStrategy,
  ChangeWebhookEndpoint,
  ClearSession,
  CorrectRecord,
  CreateMemory,
  CreateWebhookEndpoint,
  DeleteMemory,
  DeleteRecord,
  DeleteStrategy,
  DeleteTenant,
  EraseActor,
  EraseEvent,
  EraseSessions,
  ExplainRecord,
  ExportMemory,
  ExtractionStatus,
  FailAgent,
  FindEarlierAnswer,
  FollowSession,
  GetContext,
  GetLlmRequest,
  GetRecord,
  GraphCheckpoints,
  ImportMemory,
  InsertRecords,
  InstructAgent,
  InterruptAgent,
  ListEvents,
  ListRecords,
  ManageConnectors,
  ManageKeys,
  ManageTenants,
  ParkedWindows,
  PrepareChat,
  ReadLinkedHistory,
  ReadMemoryState,
  ReadProfile,
  ReadSessionExtraction,
  ReceiveNotice,
  RegisterVendorApp,
  ReinstateRecord,
  ReplayDeliveries,
  RequestExtraction,
  RequestRecordDeletion,
  ResetAgent,
  RestoreActor,
  SearchRecords,
  SearchTurns,
  SendDeliveriesNow,
  SessionWatch,
  StartAgent,
  StopAgent,
  StoreChat,
  SubmitContent,
  TestWebhookEndpoint,
  UpdateAgent,
} from '@turnkeeper/application';
import { allowsScope } from '@turnkeeper/contracts';
import { every, newApiKeyToken } from '@turnkeeper/platform';
import { PgAuditLog } from '@turnkeeper/postgres';
import { createStores } from '@turnkeeper/runtime';
import { AgoraAgents, CreateZegoInstance, JoinAgoraAgent, zegoActions, ZegoGate } from '@turnkeeper/vendors';
import { AccessTokens } from './auth/access-tokens.js';
import { TooManyStreams, Unauthenticated } from './auth/auth-errors.js';
import { Authenticator, TRUST_MS } from './auth/authenticator.js';
import { FailedKeys } from './auth/failed-keys.js';
import { KeyReach } from './auth/key-reach.js';
import { ownersIn } from './auth/owners.js';
import { RuntimeHeaders } from './auth/runtime-headers.js';
import { tokenSettings } from './auth/token-settings.js';
import { TokenVerifier } from './auth/token-verifier.js';
import { ChatModel } from './chat/chat-model.js';
import { openConsole } from './console/console-files.js';
import { Admission } from './edge/admit-on-headers.js';
import { BodyBudget } from './edge/body-budget.js';
import { ServerStopping } from './http/server-stopping.js';
import { DueWorkGate } from './limits/due-work.js';
import { FairWork } from './limits/fair-work.js';
import { InFlight } from './limits/in-flight.js';
import { KnownLimits } from './limits/known-limits.js';
import { RateLimiter } from './limits/rate-limiter.js';
import { ReadLimits } from './limits/read-limits.js';
import { WORK_KINDS } from './limits/share-work.js';
import { standardLimits } from './limits/standard-limits.js';
import { McpGate } from './mcp/mcp-gate.js';
import type { IngestResources } from './resources.js';
import { ErasureReceipts } from './sessions/erasure-receipts.js';
import { EventStreams } from './streams/event-streams.js';

/** What controllers, the guard and the edge may use, by name. */
export type App = ReturnType<typeof compose>;
/** Injection token of `App`. */
export const APP = Symbol('app');

/** Everything in the process that is made of what it opened before Nest started: stores, use cases, limits, callers. */
export const compose = (resources: IngestResources) => {
  const { settings, logger, metrics, dataSource, relay, reconciler, erasureKey, historyLinks } = resources;
  const { webhookRules: rules, webhookTransport: transport } = resources;
  const stores = createStores(resources);
  const { clock, ids, usage } = stores;
  const limits = new KnownLimits(standardLimits(settings), stores.tenants);
  const inFlight = new InFlight((tenantId) => limits.of(tenantId).requestsInFlight);
  const rateLimiter = new RateLimiter(limits, stores.rateBudgets, ids.next(), (error) =>
    logger.warn({ err: error }, 'rate_budgets.not_leased'),
  );

  const issuer = tokenSettings(settings);
  const accessTokens = new AccessTokens(erasureKey);
  const authenticator = new Authenticator(stores.keys, clock, {
    tokens: issuer === null ? null : new TokenVerifier(issuer, stores.tenants, clock),
    accessTokens,
    onTouchFailed: (error) => logger.warn({ err: error }, 'key.not_touched'),
  });
  const owners = ownersIn(stores);

  const eraseSessions = new EraseSessions(stores);
  const deleteMemory = new DeleteMemory(stores);
  const readMemoryState = new ReadMemoryState(stores);
  const agents = {
    startAgent: new StartAgent(stores),
    updateAgent: new UpdateAgent(stores),
    stopAgent: new StopAgent(stores),
    appendToAgent: new AppendToAgent(stores),
    resetAgent: new ResetAgent(stores),
    instructAgent: new InstructAgent(stores),
  };
  const stopping = new AbortController();

  return {
    ...stores,
    settings,
    logger,
    metrics,
    /** Aborted when the server closes: pending long polls are then rejected. */
    stopping,
    /** Called after this process has appended events. */
    appended: () => relay.notify(),
    reconciler,
    auditLog: new PgAuditLog(dataSource),
    /** Public base URL of this service, without a trailing slash. */
    publicUrl: (settings.PUBLIC_URL ?? '').replace(/(?<!\/)\/+$/, ''),
    consoleFiles: openConsole(settings, logger),

    // Callers and their limits.
    accessTokens,
    admission: new Admission(authenticator, rateLimiter, new FailedKeys(settings.AUTH_FAILURES_PER_MINUTE), inFlight),
    keyReach: new KeyReach(owners),
    runtimeHeaders: new RuntimeHeaders(owners, settings.RUNTIME_HEADERS === 'required'),
    bodyBudget: new BodyBudget(settings.MAX_BODY_BYTES_IN_FLIGHT, settings.TENANT_MAX_BODY_BYTES_IN_FLIGHT),
    dueWorkGate: new DueWorkGate(limits, usage),
    fairWork: new FairWork(settings.TENANT_WORK_SLOTS, WORK_KINDS),
    rateLimiter,
    readLimits: new ReadLimits({ limits, usage, budgets: stores.rateBudgets, inFlight }),

    // Memories, sessions and events.
    createMemory: new CreateMemory({ ...stores, mostMemories: limits.mostOf('memories') }),
    changeMemory: new ChangeMemory(stores),
    deleteMemory,
    addStrategy: new AddStrategy(stores),
    changeStrategy: new ChangeStrategy(stores),
    deleteStrategy: new DeleteStrategy(stores),
    browseMemory: new BrowseMemory(stores),
    eraseSessions,
    eraseEvent: new EraseEvent(stores),
    eraseActor: new EraseActor(eraseSessions, stores.keys),
    erasureReceipts: new ErasureReceipts(erasureKey, clock, settings.BACKUP_DAYS === 0 ? null : settings.BACKUP_DAYS),
    appendEvents: new AppendEvents(stores),
    listEvents: new ListEvents(stores),
    searchTurns: new SearchTurns(stores),
    buildContext: new BuildContext(stores),
    followSession: new FollowSession({
      ...stores,
      readMemoryState,
      watch: new SessionWatch({
        ...stores,
        pause: (ms) => delay(ms),
        onFailed: (error) => logger.warn({ err: error }, 'event_streams.not_looked'),
      }),
    }),
    eventStreams: new EventStreams({
      slots: new InFlight(
        () => settings.TENANT_MAX_EVENT_STREAMS,
        () => new TooManyStreams(),
      ),
      // Not from the cache: its two seconds and the time between two checks would add up.
      stillAllowed: ({ headers, caller }) =>
        authenticator.lookUp(headers.authorization ?? '', 'shared').then(
          (now) => now.tenantId === caller?.tenantId && allowsScope(now.scopes, 'memory:read'),
          (error: unknown) => {
            if (error instanceof Unauthenticated) return false;
            throw error;
          },
        ),
      logger,
      every,
    }),
    exportMemory: new ExportMemory(stores),
    importMemory: new ImportMemory({ ...stores, mostMemories: limits.mostOf('memories') }),
    graphCheckpoints: new GraphCheckpoints(stores),
    getContext: new GetContext(stores),
    clearSession: new ClearSession(stores),
    findEarlierAnswer: new FindEarlierAnswer(stores),
    captureMemoryState: new CaptureMemoryState(stores),
    readMemoryState,
    restoreActor: new RestoreActor(stores),

    // Records and their extraction.
    searchRecords: new SearchRecords(stores),
    listRecords: new ListRecords(stores),
    readProfile: new ReadProfile(stores),
    getRecord: new GetRecord(stores),
    insertRecords: new InsertRecords(stores),
    correctRecord: new CorrectRecord(stores),
    reinstateRecord: new ReinstateRecord(stores),
    explainRecord: new ExplainRecord(stores),
    deleteRecord: new DeleteRecord(stores),
    requestRecordDeletion: new RequestRecordDeletion(stores),
    requestExtraction: new RequestExtraction(stores),
    submitContent: new SubmitContent(stores),
    extractionStatus: new ExtractionStatus(stores),
    readSessionExtraction: new ReadSessionExtraction(stores),
    parkedWindows: new ParkedWindows(stores),
    awaitExtraction: new AwaitExtraction({
      ...stores,
      monotonicMs: () => performance.now(),
      pause: (ms) =>
        delay(ms, undefined, { signal: stopping.signal }).catch(() => {
          throw new ServerStopping();
        }),
    }),

    // Agents and vendors.
    ...agents,
    failAgent: new FailAgent(stores),
    interruptAgent: new InterruptAgent(stores),
    getLlmRequest: new GetLlmRequest(stores),
    agoraAgents: new AgoraAgents(stores.agents),
    joinAgoraAgent: new JoinAgoraAgent(agents.startAgent, stores),
    zegoGate: new ZegoGate(stores),
    zegoActions: zegoActions({
      ...stores,
      ...agents,
      create: new CreateZegoInstance(agents.startAgent, stores.vendorAgents, ids),
      mostAgents: limits.mostOf('vendorAgents'),
    }),
    registerVendorApp: new RegisterVendorApp({ ...stores, mostConnectors: limits.mostOf('connectors') }),
    manageConnectors: new ManageConnectors({
      ...stores,
      mostConnectors: limits.mostOf('connectors'),
      mostMappings: limits.mostOf('instanceMappings'),
    }),
    receiveNotice: new ReceiveNotice(stores),
    prepareChat: new PrepareChat(stores),
    storeChat: new StoreChat(stores),
    chatModel: new ChatModel(settings),
    mcpGate: new McpGate(settings),

    // Webhooks.
    createWebhookEndpoint: new CreateWebhookEndpoint({
      ...stores,
      rules,
      mostEndpoints: limits.mostOf('webhookEndpoints'),
    }),
    changeWebhookEndpoint: new ChangeWebhookEndpoint({ ...stores, rules }),
    testWebhookEndpoint: new TestWebhookEndpoint({ ...stores, transport }),
    readLinkedHistory: new ReadLinkedHistory({ ...stores, historyLinks }),
    replayDeliveries: new ReplayDeliveries(stores),
    sendDeliveriesNow: new SendDeliveriesNow(stores),

    // The installation.
    manageTenants: new ManageTenants(stores),
    deleteTenant: new DeleteTenant({ ...stores, deleteMemory, keysForgotten: () => delay(TRUST_MS) }),
    manageKeys: new ManageKeys({ ...stores, drawKey: newApiKeyToken, mostKeys: limits.mostOf('keys') }),
  };
};
