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
  /** The agent's id on the voice platform that runs it; absent for agents started here. */
  readonly vendorAgentId?: string;
  /** When the voice platform started it (ISO 8601). Absent: when the event was recorded. */
  readonly startedAt?: string;
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
  /** When the voice platform stopped it (ISO 8601). Absent: when the event was recorded. */
  readonly stoppedAt?: string;
}

/** The agent ended because of an error, not on request. */
export interface AgentFailed {
  readonly agentId: string;
  /** What went wrong, as the caller reported it. */
  readonly reason: string;
  /** As in `AgentStopped`. */
  readonly stoppedAt?: string;
}

/** What a client asks the agent's speech engine to do, in Agora's terms. */
export const AGENT_ACTIONS = ['speak', 'interrupt', 'think'] as const;
export type AgentAction = (typeof AGENT_ACTIONS)[number];

/** A client asked the agent's engine to act. Forwarded to the endpoints that subscribe to actions. */
export interface AgentInstructed {
  readonly agentId: string;
  readonly action: AgentAction;
  /** What to say or to think about; null if the action has no text. */
  readonly text: string | null;
  /** The request's other fields (`priority`, `interruptable`, …), unchanged. */
  readonly options: { readonly [key: string]: Json };
}
