import { z } from 'zod';
import { route, VENDOR_BODY_BYTES, type RouteSpec } from '@turnkeeper/contracts';
import {
  zegoAddBody,
  zegoAgentBody,
  zegoCreateBody,
  zegoInstanceBody,
  zegoListAgentsBody,
  zegoQueryAgentsBody,
  zegoRegisterBody,
  zegoUpdateAgentBody,
  zegoUpdateBody,
} from './bodies.js';

/** The memory-related actions of ZEGOCLOUD's agent API. */
export const ZEGO_ACTION_NAMES = [
  ...(['RegisterAgent', 'UpdateAgent', 'UnregisterAgent', 'QueryAgents', 'ListAgents'] as const),
  'CreateAgentInstance',
  'DeleteAgentInstance',
  'UpdateAgentInstance',
  'QueryAgentInstanceStatus',
  'InterruptAgentInstance',
  'GetAgentInstanceMsgList',
  'AddAgentInstanceMsg',
  'ResetAgentInstanceMsgList',
] as const;

/** ZEGOCLOUD's envelope. It is always sent with status 200. */
const zegoAnswerView = z
  .object({
    Code: z.int().describe("0, or an error number from ZEGOCLOUD's list of return codes."),
    Message: z.string(),
    RequestId: z.string(),
    Data: z.record(z.string(), z.unknown()).optional().describe('Present for actions that return data.'),
  })
  .meta({ id: 'ZegoAnswer' });

/** For the OpenAPI document only: the gate parses the query itself, because each error has its own return code. */
const signedQuery = z.object({
  Action: z.enum(ZEGO_ACTION_NAMES),
  AppId: z.string().describe('The project, registered with `PUT /v1/vendor-apps/zegocloud/{appId}`.'),
  SignatureNonce: z.string().describe('1 to 64 letters or digits, new for each request.'),
  Timestamp: z.string().describe('Seconds since 1970.'),
  Signature: z.string().describe('MD5 in hex of AppId, SignatureNonce, the ServerSecret and Timestamp.'),
  SignatureVersion: z.literal('2.0'),
});

/** All actions have one path. It is also served at `/`, where ZEGOCLOUD's own clients send them. */
export const ZEGO_ROUTES: readonly RouteSpec[] = [
  route({
    id: 'zegoAction',
    method: 'POST',
    path: '/zegocloud',
    tag: 'ZEGOCLOUD',
    summary: 'Run an action on an agent or an agent instance. Also served at `/`.',
    scope: null,
    query: signedQuery,
    body: z.union([
      zegoCreateBody,
      zegoUpdateBody,
      zegoAddBody,
      zegoInstanceBody,
      zegoRegisterBody,
      zegoUpdateAgentBody,
      zegoAgentBody,
      zegoQueryAgentsBody,
      zegoListAgentsBody,
    ]),
    bodyBytes: VENDOR_BODY_BYTES,
    status: 200,
    response: zegoAnswerView,
    refusal: zegoAnswerView,
    refusalsAreInBody: true,
  }),
];
