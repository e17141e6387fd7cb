import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/**
 * Checks a delivery as a business server would.
 *
 * @param {'standard' | 'agora'} format
 * @param {readonly string[]} secrets accepted secrets; none means that nothing is checked
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {Buffer} body the raw bytes
 * @returns {{ verified: boolean | null, problem?: string }} null when there was no secret to check with
 */
export const verify = (format, secrets, headers, body) => {
  if (secrets.length === 0) return { verified: null };
  const problems = secrets.map((secret) =>
    format === 'agora' ? agoraProblem(secret, headers, body) : standardProblem(secret, headers, body),
  );
  return problems.includes(null) ? { verified: true } : { verified: false, problem: problems[0] };
};

/** Uses the published library, which is independent of the code that signed. */
const standardProblem = (secret, headers, body) => {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return null;
  } catch (error) {
    return error.message;
  }
};

const agoraProblem = (secret, headers, body) => {
  const right = (algorithm, given) => {
    const expected = createHmac(algorithm, secret).update(body).digest();
    const actual = Buffer.from(String(given ?? ''), 'hex');
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  };
  if (!right('sha1', headers['agora-signature'])) return 'Agora-Signature does not match';
  return right('sha256', headers['agora-signature-v2']) ? null : 'Agora-Signature-V2 does not match';
};
