import { assertReaches, contextBlock, type ContextBlock, type Reach } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { besideRequireMemory } from '../memories/require-memory.js';
import { RankItems } from './rank-items.js';
import type { RecallScope } from './recall-records.js';

/** What the model sees beside the block, which does not repeat it. */
export interface ShownToModel {
  readonly eventIds: ReadonlySet<string>;
  /** The model sees the turns of this session after this sequence. */
  readonly except?: { readonly sessionId: string; readonly after: number };
}

type Deps = Pick<Ports, 'memories' | 'records' | 'turns' | 'eventStore' | 'rollingMemory' | 'tokens' | 'inSteps'>;

/** Builds a context block of earlier conversations for a model: the best turns and records within a token budget. */
export class BuildContext {
  private readonly ranking: RankItems;

  constructor(private readonly deps: Deps) {
    this.ranking = new RankItems(deps);
  }

  /**
   * @param reach what the caller reaches; throws `OutOfReach` if the scope is beyond it
   * @param words the user's message or question; without words or matches, the block holds the newest turns and records,
   *   and both if no match is likely to be wanted
   * @param budget maximum number of tokens of the block
   */
  async execute(
    reach: Reach,
    scope: RecallScope,
    words: string,
    budget: number,
    shown?: ShownToModel | Promise<ShownToModel>,
  ): Promise<ContextBlock> {
    assertReaches(reach, scope);
    const { memories, tokens, inSteps } = this.deps;
    const { tenantId, memoryId } = scope;
    // Each step waits only for what it needs: a caller waits for the first word of a model meanwhile.
    const [{ matches, newest }, beside] = await besideRequireMemory(memories, tenantId, memoryId, () => {
      const [strategies, beside] = [memories.strategies(tenantId, memoryId), Promise.resolve(shown)];
      const except = beside.then((known) => known?.except);
      return Promise.all([this.ranking.execute(scope, { reach, words, strategies, turns: true, except }), beside]);
    });
    const limits = { budget, shown: beside?.eventIds };
    return inSteps(contextBlock([...matches, ...newest], limits, (text) => tokens.count(text)));
  }
}
