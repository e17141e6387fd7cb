import type { Json } from '../session/session-events.js';

/** One run of a conversational agent, bound to a memory, an actor and a session. */
export interface AgentStarted {
  readonly agentId: string;
  /** Unique among the tenant's running agents. */
  readonly name: string;
  /** Model vendor as the voice platform names it: `openai`, `azure`, `custom`, … */
  readonly vendor: string;
  readonly systemMessages: readonly { readonly [key: string]: Json }[];
  /** Merged into the model request by the client that calls the model. */
  readonly params: { readonly [key: string]: Json };
  /** Maximum number of messages passed to the model; 0–1024 (Agora's `llm.max_history`, ZEGOCLOUD's `WindowSize`). */
  readonly maxHistory: number;
  /** Arbitrary key-value pairs, echoed in every webhook. */
  readonly labels: { readonly [key: string]: Json };
  /** The voice channel, or null. */
  readonly channel: string | null;
  /** Stops the agent after this many seconds without a new event in its session. Absent or 0: never. */
  readonly idleTimeoutSeconds?: number;
  /** Number of earlier messages of the session to include in the agent's window. Default: 0. */
  readonly loadHistory?: number;
  /** App id on the voice platform; absent or null for agents started through Turnkeeper's own routes. */
  readonly appId?: string | null;
}

/** Each given field replaces the previous value as a whole. */
export interface AgentUpdated {
  readonly agentId: string;
  readonly systemMessages?: AgentStarted['systemMessages'];
  readonly params?: AgentStarted['params'];
}

export interface AgentStopped {
  readonly agentId: string;
  /** `requested`, `idle`, or the caller's own text. */
  readonly reason: string;
}

/** The agent ended because of an error, not on request. */
export interface AgentFailed {
  readonly agentId: string;
  /** What went wrong, as the caller reported it. */
  readonly reason: string;
}
