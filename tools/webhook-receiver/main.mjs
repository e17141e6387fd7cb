// A small business server for trying webhooks: npm run webhook-receiver -- --port 9999 --secret whsec_…
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { script } from '../shared/script.mjs';
import { say, tolerateClosedOutput } from '../shared/steps.mjs';
import { receiveInBackground } from './in-background.mjs';
import { FORMATS, MODES, startReceiver } from './receiver.mjs';

export { startReceiver };

const USAGE = `npm run webhook-receiver -- [options]

  --port <n>         listen on 127.0.0.1:<n> (default 9999)
  --secret <secret>  check signatures with it; may be given twice while a secret is being rotated
                     (default: the environment's WEBHOOK_SECRET)
  --format <format>  ${FORMATS.join(' | ')} (default standard)
  --mode <mode>      ${MODES.join(' | ')} (default ok)
  --background       return as soon as it listens; one that listens already gets the secret as well. Ends with
                     npm run stop. What it prints goes to .turnkeeper/logs/webhook-receiver.log

While it runs:
  curl 127.0.0.1:9999/received                   what came; ?wait=30 waits for it, ?path=… and ?text=… pick
  curl 127.0.0.1:9999/control -d '{"mode":"fail"}'
`;

/**
 * One line per webhook: time, type, id, answer.
 *
 * @param {import('./main.d.mts').ReceivedWebhook & { body: any }} entry
 */
const lineOf = ({ receivedAt, type, id, attempt, verified, problem, answered, body }) => {
  const signature = verified === null ? 'signature not checked' : verified ? 'signature ok' : `REFUSED: ${problem}`;
  const history = body?.data?.contents ?? body?.payload?.contents;
  const messages = Array.isArray(history) ? `, ${history.length} messages` : '';
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return `${receivedAt.slice(11, 23)}  ${type || 'no type'}  ${id || 'no id'}  ${signature}${messages}${again}  -> ${answered ?? 'no answer'}`;
};

const main = async () => {
  script(USAGE);
  tolerateClosedOutput();
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '9999' },
      secret: { type: 'string', multiple: true, default: [process.env.WEBHOOK_SECRET ?? []].flat() },
      format: { type: 'string', default: 'standard' },
      mode: { type: 'string', default: 'ok' },
      background: { type: 'boolean', default: false },
    },
  });
  /** `startReceiver` rejects unknown values. */
  const format = /** @type {import('./main.d.mts').ReceiverOptions['format']} */ (values.format);
  const mode = /** @type {import('./main.d.mts').ReceiverOptions['mode']} */ (values.mode);
  if (values.background) {
    say(await receiveInBackground(values));
    process.exit(0); // the receiver keeps running; its parent must not wait for it
  }
  const receiver = await startReceiver({
    port: Number(values.port),
    secrets: values.secret.filter(Boolean),
    format,
    mode,
    onReceived: (entry) => say(lineOf(entry)),
    onStop: () => void receiver.close(),
  });
  say(`Waiting for webhooks on ${receiver.url} (${values.format}, mode ${values.mode}).`);
  if (values.secret.length === 0) say('No --secret was given: signatures are not checked.');
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void receiver.close());
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main();
}
