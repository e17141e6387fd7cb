/** A signed link that grants its holder access to one agent's history until it expires. */
export interface HistoryLink {
  readonly tenantId: string;
  readonly agentId: string;
  /** Seconds since 1970. */
  readonly expires: number;
  readonly signature: string;
}

/** Creates and verifies links to histories that work without an API key. */
export interface HistoryLinks {
  /** The full URL, valid from `now` for the configured duration. */
  urlOf(agent: { readonly tenantId: string; readonly agentId: string }, now: Date): Promise<string>;
  /** True if we signed the link and it has not expired. */
  isValid(link: HistoryLink, now: Date): Promise<boolean>;
}
