import { connectServer, printLines, readArgs } from './server.js';
import { print, required } from './console.js';
import { UsageError } from '../usage.js';

const KINDS = ['message', 'window', 'delivery', 'notice'] as const;
const isKind = (kind: string): kind is (typeof KINDS)[number] => KINDS.some((each) => each === kind);

/** Lists work that failed permanently, of all tenants. */
export const listParked = async (args: readonly string[]): Promise<void> => {
  const { values } = readArgs(args, { kind: { type: 'string' }, json: { type: 'boolean', default: false } });
  const { kind } = values;
  if (kind !== undefined && !isKind(kind)) throw new UsageError(`--kind must be one of ${KINDS.join(', ')}.`);
  const parked = connectServer().admin.parked(kind === undefined ? {} : { kind });
  await printLines(parked, values.json, ({ id, kind: what, reason, parkedAt, attempts }) =>
    [id, what, parkedAt, `${attempts} attempts`, reason].join('  '),
  );
};

/** Tries parked work again. */
export const replayParked = async (args: readonly string[]): Promise<void> => {
  const { values } = readArgs(args, { id: { type: 'string' }, 'ask-again': { type: 'boolean', default: false } });
  const id = required(values.id, '--id ID');
  await connectServer().admin.replayParked(id, { askAgain: values['ask-again'] });
  print(`${id} is tried again.`);
};

/** Drops parked work. */
export const dropParked = async (args: readonly string[]): Promise<void> => {
  const { values } = readArgs(args, { id: { type: 'string' } });
  const id = required(values.id, '--id ID');
  await connectServer().admin.dropParked(id);
  print(`${id} is dropped.`);
};

/** Makes pending deliveries of a webhook endpoint due now. */
export const sendNow = async (args: readonly string[]): Promise<void> => {
  const { values } = readArgs(args, {
    endpoint: { type: 'string' },
    delivery: { type: 'string' },
    since: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const endpoint = required(values.endpoint, '--endpoint ID');
  const { delivery, since } = values;
  if ((delivery === undefined) === (since === undefined))
    throw new UsageError('Either --delivery or --since is required.');
  const { webhooks } = connectServer();
  const sending =
    since === undefined
      ? await webhooks.sendDeliveryNow(endpoint, required(delivery, '--delivery ID'))
      : await webhooks.sendNow(endpoint, { since });
  print(values.json ? JSON.stringify({ sending }) : `Deliveries that are due now: ${sending}`);
};

/** Compares the stream with the log, and publishes what is missing. */
export const reconcile = async (args: readonly string[]): Promise<void> => {
  const { values } = readArgs(args, { json: { type: 'boolean', default: false } });
  const result = await connectServer().admin.reconcile();
  const { from, through, events, missing, republished, refused } = result;
  print(
    values.json
      ? JSON.stringify(result)
      : `Positions ${from} to ${through}: ${events} events, ${missing} missing, ${republished} published again, ${refused} refused.`,
  );
};
