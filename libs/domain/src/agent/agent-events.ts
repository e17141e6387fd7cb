import type { Json } from '../session/session-events.js';

/** One run of a conversational agent, bound to a memory, an actor and a session. */
export interface AgentStarted {
  readonly agentId: string;
  /** Unique among the tenant's running agents. */
  readonly name: string;
  /** `openai`, `azure`, `custom`, … as voice platforms name the model's side. */
  readonly vendor: string;
  readonly systemMessages: readonly { readonly [key: string]: Json }[];
  /** Merged into the model request by whoever calls the model. */
  readonly params: { readonly [key: string]: Json };
  /** Messages handed to the model and to the history webhook; 1–1024 (Agora's `llm.max_history`). */
  readonly maxHistory: number;
  /** Free keys and values, echoed in every webhook. */
  readonly labels: { readonly [key: string]: Json };
  /** The voice channel, where there is one. */
  readonly channel: string | null;
}

export interface AgentStopped {
  readonly agentId: string;
  /** Why: `requested`, `idle`, or the caller's own word. */
  readonly reason: string;
}
