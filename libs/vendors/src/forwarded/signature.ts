import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether an `Authorization` header carries one of the secrets as a bearer token. Takes the same time for any token. */
export const isBearerOf = (secrets: readonly string[], authorization: string | undefined): boolean => {
  const [, token] = /^Bearer ([\x21-\x7e]{1,255})$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) return false;
  const given = digest(token);
  return secrets.filter((secret) => secret !== '' && timingSafeEqual(digest(secret), given)).length > 0;
};
