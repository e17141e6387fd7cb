import { VALUES } from './values.js';

/** One row of each kind, as `GET …:export` writes them. */
const LINES = [
  {
    kind: 'memory',
    format: 1,
    memoryId: VALUES['memoryId'],
    name: 'front-desk',
    description: '',
    eventExpiryDuration: 30,
  },
  {
    kind: 'event',
    type: 'message.appended',
    actorId: 'linh',
    sessionId: 'call-1',
    eventId: VALUES['eventId'],
    at: VALUES['recordedAt'],
    data: { payloadType: 'CONVERSATIONAL', role: 'user', content: VALUES['message'] },
  },
  { kind: 'end', events: 1, records: 0 },
];
const EXPORT = LINES.map((line) => `${JSON.stringify(line)}\n`).join('');

const TURNS = { query: VALUES['query'], limit: 5 };
const SECRET = { secret: 'a-secret-from-the-console' };
const SYSTEM = VALUES['systemMessages'];
const QUESTION = { query: 'When does the pool open?' };
const CHECKPOINTS = { filter: { source: 'loop' }, limit: 10 };
const MCP_PING = { jsonrpc: '2.0', id: 1 };

/** Requests by operation, where the required fields alone would show too little. */
export const REQUESTS: Readonly<Record<string, unknown>> = {
  createMemory: {
    name: 'front-desk',
    description: VALUES['description'],
    eventExpiryDuration: 30,
    longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts/{actorId}' }],
  },
  changeMemory: { description: VALUES['description'], eventExpiryDuration: 90 },
  addStrategy: { name: 'likes', type: 'USER_PREFERENCE', namespaceTemplate: '/likes/{actorId}' },
  changeStrategy: { namespaceTemplate: '/facts/{actorId}', status: 'ACTIVE' },
  appendEvents: { payload: VALUES['payload'], eventTimestamp: VALUES['eventTimestamp'] },
  searchActorTurns: TURNS,
  searchSessionTurns: TURNS,
  searchMemoryTurns: TURNS,
  buildContext: { query: VALUES['query'], budget: 800 },
  searchRecords: { query: VALUES['query'], limit: 10, scoreThreshold: 0.5 },
  deleteRecords: { namespace: VALUES['namespace'], createdTo: VALUES['createdTo'] },
  captureMemoryState: { version: 3, facts: VALUES['facts'], summary: VALUES['summary'] },
  restoreActorFromBody: { memoryId: VALUES['memoryId'], query: VALUES['query'], instructions: VALUES['instructions'] },
  startAgent: {
    memoryId: VALUES['memoryId'],
    actorId: 'linh',
    sessionId: 'call-1',
    name: 'desk-1',
    systemMessages: SYSTEM,
    maxHistory: 32,
    idleTimeoutSeconds: 300,
  },
  failAgent: { reason: 'engine lost' },
  interruptAgent: { content: 'The pool opens' },
  createWebhookEndpoint: { url: VALUES['url'], events: ['agent.history', 'records.extracted'] },
  changeWebhookEndpoint: { events: ['agent.history'] },
  rotateWebhookSecret: { overlapSeconds: 86_400 },
  receiveAgoraNotice: {
    noticeId: '2000001428:4330:107',
    productId: 17,
    eventType: 101,
    notifyMs: 1_795_510_800_000,
    payload: { agent_id: VALUES['callKey'], start_ts: 1_795_510_800, labels: { user_id: 'linh' } },
  },
  receiveZegoCallback: {
    AppId: 1_234_567_890,
    AgentInstanceId: VALUES['instanceId'],
    AgentUserId: 'agent-1',
    RoomId: 'room-1',
    Sequence: 1,
    Event: 'ASRResult',
    Timestamp: 1_795_510_804_000,
    Nonce: '3f9c2a7e',
    Signature: 'c0ffee',
    Data: { Text: VALUES['message'] },
  },
  receiveRealtimeEvents: {
    actor_id: 'linh',
    session_id: 'call-1',
    call_id: 'sess_C1a2b3',
    events: [
      {
        type: 'conversation.item.input_audio_transcription.completed',
        event_id: 'event_7',
        item_id: 'item_1',
        content_index: 0,
        transcript: VALUES['message'],
      },
    ],
  },
  receiveLivekitEvents: {
    actor_id: 'linh',
    session_id: 'room-9',
    call_id: 'RM_C1a2b3',
    events: [
      {
        type: 'conversation_item_added',
        item: { id: 'item_1', type: 'message', role: 'user', content: [VALUES['message']], interrupted: false },
        created_at: 1_795_510_804.2,
      },
    ],
  },
  receivePipecatMessages: {
    actor_id: 'linh',
    session_id: 'call-1',
    call_id: 'b1f0c2',
    position: 7,
    events: [
      {
        label: 'rtvi-ai',
        type: 'user-transcription',
        data: { text: VALUES['message'], user_id: '', timestamp: '2026-11-24T09:00:04.000+00:00', final: true },
      },
    ],
  },
  createConnector: { vendor: 'agora', memoryId: VALUES['memoryId'], ...SECRET },
  changeConnector: { actorLabel: 'user_id', sessionLabel: 'session_id' },
  rotateConnectorSecret: { ...SECRET, overlapSeconds: 86_400 },
  putVendorApp: { memoryId: VALUES['memoryId'], ...SECRET },
  findAnswerOfActorFromBody: QUESTION,
  findAnswerInSessionFromBody: QUESTION,
  findAnswerInMemoryFromBody: QUESTION,
  importMemory: EXPORT,
  createChatCompletion: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: VALUES['message'] }] },
  callMcp: {
    ...MCP_PING,
    method: 'tools/call',
    params: { name: 'search_memory', arguments: { query: VALUES['query'] } },
  },
  searchCheckpoints: CHECKPOINTS,
  searchMemoryCheckpoints: { actorId: 'linh', ...CHECKPOINTS },
  batchGraphStore: {
    operations: [
      { op: 'put', namespace: ['notes', 'linh'], key: 'pool', value: VALUES['value'] },
      { op: 'search', prefix: ['notes'], query: 'pool' },
    ],
  },
  createTenant: { name: 'hotel', limits: VALUES['limits'] },
  createKey: { description: 'Booking service', scopes: VALUES['scopes'], expiresInDays: 90 },
  agoraJoin: {
    name: 'desk-1',
    properties: {
      channel: 'room-1',
      labels: { user_id: 'linh', session_id: 'call-1' },
      llm: { system_messages: SYSTEM, max_history: 32 },
    },
  },
  agoraUpdate: { properties: { llm: { system_messages: SYSTEM } } },
  agoraSpeak: { text: 'One moment, please.', priority: 'APPEND' },
  zegoAction: {
    AgentId: 'agent-1',
    UserId: 'linh',
    RTC: { RoomId: 'room-1' },
    LLM: { SystemPrompt: VALUES['instructions'] },
    MessageHistory: { SyncMode: 0, WindowSize: 20 },
  },
  agoraThink: { text: 'The guest has checked out.', on_speaking_action: 'ignore' },
};

/** Responses by operation, where their schemas leave the interesting part open. */
export const RESPONSES: Readonly<Record<string, unknown>> = {
  restoreActor: {
    actorId: 'linh',
    facts: VALUES['facts'],
    summary: VALUES['summary'],
    messages: [{ type: 'session.update', session: { instructions: VALUES['instructions'] } }],
  },
  getLlmRequest: { messages: [{ role: 'user', content: VALUES['message'] }], model: 'gpt-4o-mini' },
  exportMemory: EXPORT,
  zegoAction: {
    Code: 0,
    Message: 'success',
    RequestId: VALUES['requestId'],
    Data: { AgentInstanceId: VALUES['agentId'] },
  },
  createChatCompletion: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, message: { role: 'assistant', content: 'I have noted that.' }, finish_reason: 'stop' }],
  },
  callMcp: { ...MCP_PING, result: { content: [{ type: 'text', text: VALUES['memory'] }] } },
  batchGraphStore: {
    results: [
      null,
      [
        {
          namespace: ['notes', 'linh'],
          key: 'pool',
          value: VALUES['value'],
          score: VALUES['score'],
          createdAt: VALUES['createdAt'],
          updatedAt: VALUES['updatedAt'],
        },
      ],
    ],
  },
};
