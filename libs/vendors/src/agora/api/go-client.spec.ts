import { parseOrRefuse } from '@turnkeeper/contracts';
import { messageOfContent, type Agent, type MessageEvent } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { agoraJoinBody, agoraUpdateBody, agoraChangeOf, labelsOf } from './bodies.js';
import { agoraRefusal } from './errors.js';
import { actionResponse, agentDetail, agentHistory, agentList, taskResponse, updateResponse } from './responses.js';
import { AGORA_ROUTES } from './routes.js';

/**
 * Names and types of the structs in `services/convoai` of Agora's Go client (AgoraIO-Community/agora-rest-client-go,
 * commit 2afc9fb). `?` after a name is Go's `omitempty`; a list or map without it is sent as null when it is not set.
 */
type GoType = 'string' | 'int' | 'bool' | '[]string' | '[]map' | 'map' | readonly [GoStruct] | GoStruct;
interface GoStruct {
  readonly [field: string]: GoType;
}

const MODEL: GoStruct = {
  url: 'string',
  api_key: 'string',
  params: 'map',
  'max_history?': 'int',
  'greeting_message?': 'string',
  'input_modalities?': '[]string',
  'output_modalities?': '[]string',
  'vendor?': 'string',
  'style?': 'string',
};
const DETECTION = {
  'interrupt_duration_ms?': 'int',
  'prefix_padding_ms?': 'int',
  'silence_duration_ms?': 'int',
  'threshold?': 'int',
} as const;

const REQUESTS: Readonly<Record<string, GoStruct>> = {
  agoraJoin: {
    name: 'string',
    properties: {
      token: 'string',
      channel: 'string',
      agent_rtc_uid: 'string',
      remote_rtc_uids: '[]string',
      'enable_string_uid?': 'bool',
      'idle_timeout?': 'int',
      'silence_timeout?': 'int',
      'agent_rtm_uid?': 'string',
      'advanced_features?': { 'enable_aivad?': 'bool', 'enable_rtm?': 'bool', 'enable_mllm?': 'bool' },
      'llm?': { ...MODEL, system_messages: '[]map', 'failure_message?': 'string', 'silence_message?': 'string' },
      'mllm?': { ...MODEL, messages: '[]map' },
      'tts?': { vendor: 'string', params: 'map', 'skip_patterns?': '[]string' },
      'vad?': DETECTION,
      'asr?': { 'language?': 'string', 'vendor?': 'string', 'params?': 'map' },
      'turn_detection?': {
        ...DETECTION,
        type: 'string',
        'interrupt_mode?': 'string',
        'create_response?': 'bool',
        'interrupt_response?': 'bool',
        'eagerness?': 'string',
      },
      'parameters?': 'map',
    },
  },
  agoraUpdate: { token: 'string', 'llm?': { 'system_messages?': '[]map', 'params?': 'map' } },
  agoraSpeak: { text: 'string', 'priority?': 'string', 'interrupt?': 'bool' },
  agoraInterrupt: {},
};

const TASK = { agent_id: 'string', create_ts: 'int', status: 'string' } as const;
const ACTION = { channel: 'string', agent_id: 'string', start_ts: 'int' } as const;
const LISTED = { start_ts: 'int', status: 'string', agent_id: 'string' } as const;
const ERROR = { detail: 'string', reason: 'string' } as const;

/** What the client sends for a struct: everything set, or only what it cannot leave out. */
const encode = (type: GoType, isSet: boolean, name = ''): unknown => {
  if (typeof type === 'object') {
    if (Array.isArray(type)) return isSet ? [encode(type[0] as GoType, isSet)] : null;
    const fields = Object.entries(type as GoStruct)
      // A pointer to a struct is set, so that the fields in it are seen.
      .filter(([field, of]) => isSet || !field.endsWith('?') || typeof of === 'object')
      .map(([field, of]) => [field.replace('?', ''), encode(of, isSet, field.replace('?', ''))]);
    return Object.fromEntries(fields) as unknown;
  }
  switch (type) {
    case 'string':
      if (!isSet) return ['name', 'text'].includes(name) ? 'x' : '';
      return name === 'priority' ? 'APPEND' : 'x';
    case 'int':
      return isSet ? 3 : 0;
    case 'bool':
      return isSet;
    case 'map':
      return isSet ? { model: 'm' } : null;
    case '[]string':
      return isSet ? ['x'] : null;
    case '[]map':
      return isSet ? [{ role: 'system', content: 'x' }] : null;
  }
};

/** The fields that Go's decoder would reject or find missing. */
const unreadable = (type: GoType, value: unknown, path = ''): string[] => {
  if (typeof type !== 'object') {
    const fits = type === 'int' ? Number.isSafeInteger(value) : typeof value === type;
    return fits || value === null ? [] : [`${path}: ${type}`];
  }
  if (Array.isArray(type)) {
    if (!Array.isArray(value)) return [`${path}: list`];
    return value.flatMap((each, index) => unreadable(type[0] as GoType, each, `${path}.${index}`));
  }
  if (typeof value !== 'object' || value === null) return [`${path}: object`];
  return Object.entries(type as GoStruct).flatMap(([field, of]) =>
    unreadable(of, (value as Record<string, unknown>)[field], `${path}.${field}`),
  );
};

const AGENT: Agent = {
  agentId: 'a-1',
  tenantId: 't',
  memoryId: 'm',
  actorId: 'u',
  sessionId: 's',
  name: 'desk',
  vendor: 'openai',
  status: 'RUNNING',
  maxHistory: 32,
  channel: null,
  systemMessages: [],
  params: {},
  labels: {},
  startedSequence: 1,
  idleTimeoutSeconds: 0,
  loadHistory: 0,
  appId: 'app',
  vendorAgentId: null,
  startedAt: '2026-11-22T09:00:00.123Z',
  updatedAt: null,
  stoppedSequence: null,
  stoppedAt: null,
  stopReason: null,
};
const said = [null, 'Hello.'].map(
  (content) => ({ data: messageOfContent({ role: 'assistant', content }), sequence: 2 }) as MessageEvent,
);

describe("Agora's Go client", () => {
  it.each(Object.entries(REQUESTS))('sends %s, with every field or none set', (id, struct) => {
    const { body } = AGORA_ROUTES.find((route) => route.id === id)!;
    for (const isSet of [true, false]) {
      const sent = encode(struct, isSet);
      expect(parseOrRefuse('body', body!, sent), id).toMatchObject(sent as object);
    }
  });

  it('lists with every option', () => {
    const { query } = AGORA_ROUTES.find(({ id }) => id === 'agoraList')!;
    const sent = { limit: '20', state: '2', from_time: '1', to_time: '2', cursor: '', channel: 'x' };
    expect(parseOrRefuse('query', query!, sent)).toMatchObject({ limit: 20, state: '2', from_time: 1, to_time: 2 });
  });

  it.each<[string, GoType, unknown]>([
    ['join', TASK, taskResponse(AGENT)],
    ['update', { agent_id: 'string', create_ts: 'int', state: 'string' }, updateResponse(AGENT)],
    ['speak and interrupt', ACTION, actionResponse(AGENT)],
    ['query', { ...LISTED, message: 'string', stop_ts: 'int' }, agentDetail(AGENT)],
    [
      'list',
      { data: { count: 'int', list: [LISTED] }, meta: { cursor: 'string', total: 'int' }, status: 'string' },
      agentList([AGENT], 1, ''),
    ],
    [
      'history',
      { ...LISTED, contents: [{ role: 'string', content: 'string' }] },
      agentHistory(AGENT, said, { limit: undefined, cursor: '', roles: 'dialogue' }),
    ],
    ['an error', ERROR, agoraRefusal({ code: 'agent.not_found', status: 404, title: 'x' } as never).body],
  ])('reads the answer to %s', (_, struct, answer) => {
    expect(unreadable(struct, answer)).toEqual([]);
  });

  it('takes every answer but a 200 for an error', () => {
    expect(AGORA_ROUTES.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('updates without `properties`, which a body without any known field lacks', () => {
    const system_messages = [{ role: 'system', content: 'Be brief.' }];
    const change = (body: unknown) => agoraChangeOf(parseOrRefuse('body', agoraUpdateBody, body));
    const wanted = { systemMessages: system_messages, params: { model: 'm' } };
    const llm = { system_messages, params: { model: 'm' } };
    expect([change({ token: '', llm }), change({ properties: { llm } })]).toEqual([wanted, wanted]);
    expect(change({ token: 'new' })).toEqual({ systemMessages: undefined, params: undefined });
    expect(() => change({ labels: {} })).toThrow('properties is required');
  });

  it('names the user in its free parameters, unless there are labels', () => {
    const labels = { user_id: 'user123' };
    const of = (properties: object) => labelsOf(agoraJoinBody.parse({ name: 'desk', properties }).properties);
    expect(of({ parameters: { labels, silence_config: {} } })).toEqual(labels);
    expect(of({ labels: { user_id: 'other' }, parameters: { labels } })).toEqual({ user_id: 'other' });
    expect([of({ parameters: null }), of({})]).toEqual([{}, {}]);
  });
});
