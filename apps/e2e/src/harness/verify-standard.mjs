// Verifies webhooks with the published `standardwebhooks` package, in a process without our code.
// stdin: JSON array of { secret, headers, body } with the body in base64; stdout: JSON array of true or the error message.
import { Webhook } from 'standardwebhooks';

let input = '';
for await (const chunk of process.stdin) input += chunk;
const verdicts = JSON.parse(input).map(({ secret, headers, body }) => {
  try {
    new Webhook(secret).verify(Buffer.from(body, 'base64'), headers, { jsonParse: false });
    return true;
  } catch (error) {
    return error.message;
  }
});
process.stdout.write(JSON.stringify(verdicts));
