import { FoldCalls, type CallClaim, type FoldOutcome } from '@turnkeeper/application';
import { every, Ticker } from '@turnkeeper/platform';
import type { Stores } from '@turnkeeper/runtime';
import type { WorkerResources } from '../resources.js';

/** How often notices are deleted whose duplicates can no longer arrive. */
const FORGET_INTERVAL_MS = 60_000;
const FORGET_AT_ONCE = 1_000;

/** Folds vendor call notices into their sessions and deletes finished ones. Safe to run in many workers. */
export const connectorTickers = ({ settings, logger, metrics }: WorkerResources, stores: Stores): readonly Ticker[] => {
  const { notices } = stores;
  const folded = metrics.counter('connector_calls_folded_total');
  const onCall = ({ connectorId, callKey }: CallClaim, outcome: FoldOutcome): void => {
    folded.inc({ outcome: outcome.kind });
    const line = { connectorId, callKey, outcome: outcome.kind };
    if (outcome.kind === 'failed') logger.error({ ...line, err: outcome.error }, 'call.folded');
    else if (outcome.kind === 'parked') logger.warn({ ...line, code: outcome.code }, 'call.folded');
    else logger.info(line, 'call.folded');
  };
  const foldCalls = new FoldCalls({ ...stores, every, monotonicMs: () => performance.now() }, onCall);
  const fold = async (signal: AbortSignal): Promise<void> => void (await foldCalls.execute(signal));
  const forget = async (signal: AbortSignal): Promise<void> => {
    while (await notices.forgetOld(settings.CONNECTOR_NOTICE_DAYS, FORGET_AT_ONCE)) signal.throwIfAborted();
  };
  return [
    new Ticker('connector calls', settings.SWEEP_INTERVAL_MS, fold, logger),
    new Ticker('connector notices', FORGET_INTERVAL_MS, forget, logger),
  ];
};
