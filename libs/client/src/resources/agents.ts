import type { Agent, AppendedEvent, BodyOf, QueryOf } from '../api/types.js';
import { isTurnkeeperError } from '../http/errors.js';
import { List } from '../http/list.js';
import type { Result, Operation } from '../http/operations.js';
import { withKey, type CallOptions, type Transport } from '../http/transport.js';

const AGENTS = '/v1/agents';
const AGENT = `${AGENTS}/{agentId}` as const;

export type AgentMessage = BodyOf<'post', `${typeof AGENT}/messages`>['contents'][number];
export type AgentHistory = Result<Operation<'get', `${typeof AGENT}/history`>>;
export type LlmRequest = Result<Operation<'get', `${typeof AGENT}/llm-request`>>;
export type Interruption = Result<Operation<'post', `${typeof AGENT}/interrupt`>>;
export type ListAgentsFilter = Omit<QueryOf<'get', typeof AGENTS>, 'after' | 'limit'>;
export type LlmRequestOptions = QueryOf<'get', `${typeof AGENT}/llm-request`>;

interface Idempotent extends CallOptions {
  /** Default: a new key for each call. */
  readonly idempotencyKey?: string;
}

/** Voice agents in sessions. */
export class Agents {
  constructor(private readonly transport: Transport) {}

  /** Starts an agent. Its name must be unique while it runs: `agent.name_taken`. */
  start(body: BodyOf<'post', typeof AGENTS>, call?: CallOptions): Promise<Agent> {
    return this.transport.request('post', AGENTS, { body }, call);
  }

  list(filter: ListAgentsFilter = {}, call?: CallOptions): List<Agent> {
    return List.of<Agent, string>((after) => {
      const query = { ...filter, limit: 100, ...(after === undefined ? {} : { after }) };
      return this.transport.request('get', AGENTS, { query }, call);
    });
  }

  get(agentId: string, call?: CallOptions): Promise<Agent> {
    return this.transport.request('get', AGENT, { path: { agentId } }, call);
  }

  update(agentId: string, body: BodyOf<'post', `${typeof AGENT}/update`>, call?: CallOptions): Promise<Agent> {
    return this.transport.request('post', `${AGENT}/update`, { path: { agentId }, body }, call);
  }

  /** Stops an agent; its history webhook follows. */
  stop(agentId: string, { reason = 'requested', ...call }: CallOptions & { reason?: string } = {}): Promise<Agent> {
    const send = (options: CallOptions) =>
      this.transport.request('post', `${AGENT}/stop`, { path: { agentId }, body: { reason } }, options);
    return this.endedOnce(agentId, call, send);
  }

  /** Ends an agent as failed. */
  fail(agentId: string, reason: string, call: CallOptions = {}): Promise<Agent> {
    const send = (options: CallOptions) =>
      this.transport.request('post', `${AGENT}/fail`, { path: { agentId }, body: { reason } }, options);
    return this.endedOnce(agentId, call, send);
  }

  /** Appends messages to the agent's session atomically. */
  async append(
    agentId: string,
    contents: readonly AgentMessage[],
    { idempotencyKey, ...call }: Idempotent = {},
  ): Promise<AppendedEvent[]> {
    const input = { path: { agentId }, body: { contents: [...contents] } };
    const options = withKey(call, idempotencyKey);
    return (await this.transport.request('post', `${AGENT}/messages`, input, options)).messages;
  }

  /** Cuts the agent's last message to the part that was heard. Omit `content` if it is unknown. */
  interrupt(
    agentId: string,
    body: BodyOf<'post', `${typeof AGENT}/interrupt`> = {},
    { idempotencyKey, ...call }: Idempotent = {},
  ): Promise<Interruption> {
    const input = { path: { agentId }, body };
    return this.transport.request('post', `${AGENT}/interrupt`, input, withKey(call, idempotencyKey));
  }

  /** Empties the agent's window. */
  async reset(agentId: string, call?: CallOptions): Promise<void> {
    await this.transport.request('post', `${AGENT}/reset`, { path: { agentId }, body: {} }, call);
  }

  /** Everything the agent heard and said. */
  history(agentId: string, call?: CallOptions): Promise<AgentHistory> {
    return this.transport.request('get', `${AGENT}/history`, { path: { agentId } }, call);
  }

  /** The next input of its model: system messages, memories, the newest messages. */
  llmRequest(agentId: string, query: LlmRequestOptions = {}, call?: CallOptions): Promise<LlmRequest> {
    return this.transport.request('get', `${AGENT}/llm-request`, { path: { agentId }, query }, call);
  }

  /** A repeated request that finds the agent ended was successful the first time. */
  private async endedOnce(
    agentId: string,
    call: CallOptions,
    send: (options: CallOptions) => Promise<Agent>,
  ): Promise<Agent> {
    try {
      return await send({ repeatable: true, ...call });
    } catch (error) {
      if (!isTurnkeeperError(error, 'agent.not_running') || error.attempts === 1) throw error;
      return this.get(agentId, call);
    }
  }
}
