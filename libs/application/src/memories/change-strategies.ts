import {
  assertNamespaceTemplate,
  assertTakesSchema,
  DEFAULT_NAMESPACE_TEMPLATE,
  keepsRollingMemory,
  ROLLING_DEFAULTS,
  MAX_STRATEGIES,
  reviseStrategy,
  strategyKind,
  TooManyStrategies,
  type Memory,
  type RollingSettings,
  type Strategy,
} from '@turnkeeper/domain';
import type { ChangeStrategyBody, StrategyBody } from '@turnkeeper/contracts';
import type { Ids } from '../shared/clock.port.js';
import type { ExtractionSchedule } from '../extraction/extraction-schedule.port.js';
import type { StrategyView } from './memory-store.port.js';
import type { RecordDeletion, RecordDeletions } from '../records/record-deletions.port.js';
import { requestDeletion } from '../records/delete-records.js';
import { changeMemory, type MemoryChangeDeps } from './change-memory.js';
import { requireStrategy } from './require-strategy.js';

/** Creates a strategy from the request. @param path its location in the request, for errors */
export const strategyFrom = (body: StrategyBody, ids: Ids, path = ''): Strategy => {
  const { name, type } = body;
  const namespaceTemplate = body.namespaceTemplate || DEFAULT_NAMESPACE_TEMPLATE;
  const outputSchema = body.outputSchema ?? null;
  assertTemplateOf({ type, namespaceTemplate }, path);
  assertTakesSchema({ type, outputSchema }, path);
  return {
    strategyId: ids.next(),
    name,
    type,
    version: 1,
    namespaceTemplate,
    automatic: body.enableAutomaticMemoryRecordGeneration,
    customPrompt: body.customFactExtractionPrompt ?? null,
    ...(outputSchema === null ? {} : { outputSchema }),
    rolling: keepsRollingMemory(body) ? rollingSettings(ROLLING_DEFAULTS, body.rollingMemory) : null,
  };
};

/** Rejects a namespace template that strategies of this type cannot have. @param path see `strategyFrom` */
export const assertTemplateOf = (
  { type, namespaceTemplate }: Pick<Strategy, 'type' | 'namespaceTemplate'>,
  path = '',
): void => assertNamespaceTemplate(namespaceTemplate, `${path}namespaceTemplate`, strategyKind(type).variables);

/** Overrides settings with the given ones, which use the field names of Inworld's `providerData.memory`. */
const rollingSettings = (settings: RollingSettings, given: StrategyBody['rollingMemory'] = {}): RollingSettings => ({
  turnInterval: given.turn_interval ?? settings.turnInterval,
  maxFacts: given.max_facts ?? settings.maxFacts,
  maxMemoryLength: given.max_memory_length ?? settings.maxMemoryLength,
  maxTranscriptItems: given.max_transcript_items ?? settings.maxTranscriptItems,
  trimAfterSummarize: given.trim_after_summarize ?? settings.trimAfterSummarize,
});

/** Adds a strategy to a memory. Each session is read from its beginning once it has a new event. */
export class AddStrategy {
  constructor(private readonly deps: MemoryChangeDeps) {}

  async execute(tenantId: string, memoryId: string, body: StrategyBody): Promise<StrategyView> {
    const strategy = strategyFrom(body, this.deps.ids);
    const memory = await changeMemory(this.deps, tenantId, memoryId, ({ strategies }) => {
      if (strategies.length >= MAX_STRATEGIES) throw new TooManyStrategies();
      return [['strategy.added', { strategy }]];
    });
    return viewOf(memory, strategy.strategyId);
  }
}

/** Changes a strategy, which increments its version, or enables or disables it. */
export class ChangeStrategy {
  constructor(private readonly deps: MemoryChangeDeps & { readonly extractionSchedule: ExtractionSchedule }) {}

  /** @param check throws if the change was made for another version than the current one */
  async execute(
    tenantId: string,
    memoryId: string,
    strategyId: string,
    body: ChangeStrategyBody,
    check: (current: StrategyView) => void = () => undefined,
  ): Promise<StrategyView> {
    const { status, name, namespaceTemplate, enableAutomaticMemoryRecordGeneration: automatic } = body;
    const memory = await changeMemory(this.deps, tenantId, memoryId, async ({ strategies }, tx) => {
      const strategy = requireStrategy(strategies, strategyId);
      check({ ...strategy, memoryId });
      if (namespaceTemplate !== undefined) {
        assertTemplateOf({ type: strategy.type, namespaceTemplate });
      }
      const revised = reviseStrategy(strategy, {
        ...(name === undefined ? {} : { name }),
        ...(namespaceTemplate === undefined ? {} : { namespaceTemplate }),
        ...(automatic === undefined ? {} : { automatic }),
        ...(body.customFactExtractionPrompt === undefined ? {} : { customPrompt: body.customFactExtractionPrompt }),
        ...(body.outputSchema === undefined ? {} : { outputSchema: body.outputSchema }),
        ...(body.rollingMemory === undefined || !keepsRollingMemory(strategy)
          ? {}
          : { rolling: rollingSettings(strategy.rolling ?? ROLLING_DEFAULTS, body.rollingMemory) }),
      });
      if (status === 'ACTIVE') await this.deps.extractionSchedule.resume(tx, tenantId, strategyId);
      const switched = status !== undefined && status !== strategy.status;
      return [
        ...(revised === null ? [] : [['strategy.revised', { strategy: revised }] as const]),
        ...(switched
          ? [[status === 'ACTIVE' ? 'strategy.enabled' : 'strategy.disabled', { strategyId }] as const]
          : []),
      ];
    });
    return viewOf(memory, strategyId);
  }
}

/** Deletes a strategy, which then extracts nothing more. Its records are kept unless their deletion is requested. */
export class DeleteStrategy {
  constructor(private readonly deps: MemoryChangeDeps & { readonly deletions: RecordDeletions }) {}

  /**
   * @param check throws if the deletion was requested for another version than the current one
   * @returns the deletion of its records; null if they are kept
   */
  async execute(
    tenantId: string,
    memoryId: string,
    strategyId: string,
    records: 'keep' | 'delete',
    check: (current: StrategyView) => void = () => undefined,
  ): Promise<RecordDeletion | null> {
    let deletionId: string | null = null;
    await changeMemory(this.deps, tenantId, memoryId, async ({ strategies }, tx) => {
      const strategy = requireStrategy(strategies, strategyId);
      check({ ...strategy, memoryId });
      if (records === 'delete') {
        const filter = { ...ANY_RECORD, strategyId };
        deletionId = await requestDeletion(this.deps, tx, { tenantId, memoryId }, filter);
      }
      return [['strategy.deleted', { strategyId }]];
    });
    return deletionId === null ? null : this.deps.deletions.find(tenantId, memoryId, deletionId);
  }
}

const ANY_RECORD = { namespace: null, strategyId: null, actorId: null, createdFrom: null, createdTo: null } as const;

const viewOf = ({ memoryId, strategies }: Memory, strategyId: string): StrategyView => ({
  ...requireStrategy(strategies, strategyId),
  memoryId,
});
