import type { Json } from '../session/session-events.js';

/** One run of a conversational agent, bound to a memory, an actor and a session. */
export interface AgentStarted {
  readonly agentId: string;
  /** Unique among the tenant's running agents. */
  readonly name: string;
  /** `openai`, `azure`, `custom`, … as voice platforms name the model's side. */
  readonly vendor: string;
  readonly systemMessages: readonly { readonly [key: string]: Json }[];
  /** Merged into the model request by the caller of the model. */
  readonly params: { readonly [key: string]: Json };
  /** Most messages that the model is handed; 0–1024 (Agora's `llm.max_history`, ZEGOCLOUD's `WindowSize`). */
  readonly maxHistory: number;
  /** Free keys and values, echoed in every webhook. */
  readonly labels: { readonly [key: string]: Json };
  /** The voice channel, where there is one. */
  readonly channel: string | null;
  /** Seconds without a new event in its session after which it is stopped; absent or 0: never. */
  readonly idleTimeoutSeconds?: number;
  /** How many of the session's messages from before its start belong to its window; absent: none. */
  readonly loadHistory?: number;
  /** The voice platform's project that it was started under; absent or null for our own routes. */
  readonly appId?: string | null;
}

/** What was given replaces what was there, as a whole. */
export interface AgentUpdated {
  readonly agentId: string;
  readonly systemMessages?: AgentStarted['systemMessages'];
  readonly params?: AgentStarted['params'];
}

export interface AgentStopped {
  readonly agentId: string;
  /** Why: `requested`, `idle`, or the caller's own word. */
  readonly reason: string;
}

/** It ended by a fault and not because anybody wanted it to. */
export interface AgentFailed {
  readonly agentId: string;
  /** What went wrong, in the caller's own words. */
  readonly reason: string;
}
