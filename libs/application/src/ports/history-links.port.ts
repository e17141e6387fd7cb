/** A link to one agent's history that grants access to its holder until it expires. */
export interface HistoryLink {
  readonly tenantId: string;
  readonly agentId: string;
  /** Seconds since 1970. */
  readonly expires: number;
  readonly signature: string;
}

/** Makes and checks links to histories that can be followed without a key. */
export interface HistoryLinks {
  /** The whole URL, valid from now on for as long as the installation is set to. */
  urlOf(agent: { readonly tenantId: string; readonly agentId: string }, now: Date): Promise<string>;
  /** Whether we made it, and its time has not run out. */
  isValid(link: HistoryLink, now: Date): Promise<boolean>;
}
