import type { AttemptFault } from '@turnkeeper/domain';
import { errors } from 'undici';
import { BlockedAddress, NameNotResolved } from './guarded-connector.js';

/** Node's and undici's codes for a connection that was never established. */
const CONNECT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'EACCES']);
const TIMEOUT = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
/** OpenSSL's codes for invalid certificates, as passed on by Node. */
const TLS =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/;
const PROTOCOL = /^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_)/;

/**
 * Maps an error to a fault. The message holds codes and our own texts but no addresses, because tenants can read it.
 */
export const faultOf = (error: unknown): { readonly code: AttemptFault; readonly message: string } => {
  if (error instanceof BlockedAddress) return { code: 'blocked_address', message: error.message };
  if (error instanceof errors.HTTPParserError) return { code: 'protocol', message: 'the answer is not HTTP/1.1' };
  const raw = codeOf(error);
  return { code: error instanceof NameNotResolved ? 'dns' : faultOfCode(raw), message: raw };
};

const faultOfCode = (code: string): AttemptFault => {
  if (CONNECT.has(code)) return 'connect';
  if (TIMEOUT.has(code)) return 'timeout';
  if (TLS.test(code)) return 'tls';
  return PROTOCOL.test(code) ? 'protocol' : 'network';
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
