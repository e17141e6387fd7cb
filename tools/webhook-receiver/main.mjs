// `npm run webhook-receiver -- --secret whsec_… [--port 8090]`: prints the webhooks that arrive, for trying things out.
import { parseArgs } from 'node:util';
import { say, tolerateClosedOutput } from '../shared/steps.mjs';
import { startReceiver } from './receiver.mjs';

tolerateClosedOutput();
const { values } = parseArgs({
  options: {
    secret: { type: 'string' },
    port: { type: 'string', default: '8090' },
    host: { type: 'string', default: '127.0.0.1' },
  },
});
const receiver = await startReceiver({
  port: Number(values.port),
  host: values.host,
  secret: () => values.secret ?? process.env.WEBHOOK_SECRET,
  onDelivery: ({ id, verified, reason, body }) => {
    say(`${new Date().toISOString()}  ${id}  ${verified ? 'signature verified' : `REFUSED: ${reason}`}`);
    say(typeof body === 'string' ? body : JSON.stringify(body, null, 2));
  },
});
say(`Listening on ${receiver.url}; register this URL at POST /v1/webhook-endpoints. Ctrl-C ends it.`);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void receiver.close());
