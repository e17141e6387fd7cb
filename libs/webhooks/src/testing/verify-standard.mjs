// Verifies deliveries with the published `standardwebhooks` package, in a process that loads none of our code. stdin:
// JSON array of { secret, headers, bodyBase64 }; stdout: JSON array of true | error message.
import { Webhook } from 'standardwebhooks';

let input = '';
for await (const chunk of process.stdin) input += chunk;
const verdicts = JSON.parse(input).map(({ secret, headers, bodyBase64 }) => {
  try {
    new Webhook(secret).verify(Buffer.from(bodyBase64, 'base64'), headers, { jsonParse: false });
    return true;
  } catch (error) {
    return error.message;
  }
});
process.stdout.write(JSON.stringify(verdicts));
