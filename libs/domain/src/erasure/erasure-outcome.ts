/** What an erasure removed, by store. */
export interface ErasedCounts {
  readonly sessions: number;
  /** Events of the log; those of a process that died meanwhile are deleted by the next sweep and not counted here. */
  readonly events: number;
  readonly records: number;
  readonly agents: number;
  readonly extractionStates: number;
  readonly rollingMemories: number;
  readonly webhookDeliveries: number;
  /** Vendors' callbacks whose bodies were dropped, parked ones included. */
  readonly vendorCallbacks: number;
}

/** Records that an erasure did not touch though they may be about the actor. */
export interface LeftRecords {
  /** They rest on what others said as well. */
  readonly withOtherSources: number;
  /** Filed by hand in a namespace that is named after the actor and that no strategy's template gives. */
  readonly inNamedNamespaces: number;
  /** Those namespaces; at most 100. */
  readonly namespaces: readonly string[];
}

export interface ErasureOutcome {
  readonly erased: ErasedCounts;
  readonly left: LeftRecords;
}

const ZERO: ErasureOutcome = {
  erased: {
    ...{ sessions: 0, events: 0, records: 0, agents: 0, extractionStates: 0, rollingMemories: 0 },
    ...{ webhookDeliveries: 0, vendorCallbacks: 0 },
  },
  left: { withOtherSources: 0, inNamedNamespaces: 0, namespaces: [] },
};

/** Of erasures in several memories. */
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
