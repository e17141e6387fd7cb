import { TOKEN_PATH } from '@turnkeeper/contracts';
import type { ApiErrors } from '@turnkeeper/vendors';

const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'invalid_client',
  429: 'temporarily_unavailable',
  503: 'temporarily_unavailable',
};

/** Errors of the token endpoint, in the format of RFC 6749, 5.2. */
export const tokenErrors: ApiErrors = {
  prefixes: [TOKEN_PATH],
  answer: ({ status, field, rule, title, detail = title }) => {
    const isOtherGrant = status === 400 && field === 'grant_type' && rule !== 'is required';
    const error = isOtherGrant
      ? 'unsupported_grant_type'
      : (BY_STATUS[status] ?? (status < 500 ? 'invalid_request' : 'server_error'));
    return {
      status,
      headers: status === 401 ? { 'www-authenticate': 'Basic realm="turnkeeper"' } : {},
      body: { error, error_description: detail },
    };
  },
};
