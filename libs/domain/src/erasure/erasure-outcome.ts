/** Number of rows that an erasure removed, by store. */
export interface ErasedCounts {
  readonly sessions: number;
  /** Events of the log. Events left by a process that died are deleted by the next sweep and not counted here. */
  readonly events: number;
  readonly records: number;
  readonly agents: number;
  readonly extractionStates: number;
  readonly rollingMemories: number;
  readonly webhookDeliveries: number;
  /** Vendor callbacks whose bodies were removed, including parked ones. */
  readonly vendorCallbacks: number;
  /** Sessions with checkpoints of agent graphs. */
  readonly graphThreads: number;
  /** Items of agent graphs in namespaces with the actor's id as a label. */
  readonly graphItems: number;
}

/** Records that the erasure did not remove although they may be about the actor. */
export interface LeftRecords {
  /** They also have sources from other actors. */
  readonly withOtherSources: number;
  /** Inserted manually into a namespace that contains the actor's name but matches no strategy's template. */
  readonly inNamedNamespaces: number;
  /** Those namespaces; at most 100. */
  readonly namespaces: readonly string[];
}

export interface ErasureOutcome {
  readonly erased: ErasedCounts;
  readonly left: LeftRecords;
}

export const NOTHING_ERASED: ErasedCounts = {
  sessions: 0,
  events: 0,
  records: 0,
  agents: 0,
  extractionStates: 0,
  rollingMemories: 0,
  webhookDeliveries: 0,
  vendorCallbacks: 0,
  graphThreads: 0,
  graphItems: 0,
};

const ZERO: ErasureOutcome = {
  erased: NOTHING_ERASED,
  left: { withOtherSources: 0, inNamedNamespaces: 0, namespaces: [] },
};

/** Sums the outcomes of erasures in several memories. */
export const sumOfOutcomes = (outcomes: readonly ErasureOutcome[]): ErasureOutcome =>
  outcomes.reduce(
    (sum, { erased, left }) => ({
      erased: Object.fromEntries(
        Object.entries(sum.erased).map(([store, count]) => [store, count + erased[store as keyof ErasedCounts]]),
      ) as unknown as ErasedCounts,
      left: {
        withOtherSources: sum.left.withOtherSources + left.withOtherSources,
        inNamedNamespaces: sum.left.inNamedNamespaces + left.inNamedNamespaces,
        namespaces: [...sum.left.namespaces, ...left.namespaces].slice(0, 100),
      },
    }),
    ZERO,
  );
