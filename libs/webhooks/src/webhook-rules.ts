import { randomBytes } from 'node:crypto';
import type { WebhookRules } from '@turnkeeper/application';
import { createAddressGuard, type AddressPolicy } from './address-guard.js';
import { generateStandardSecret, parseStandardSecret } from './standard-signature.js';
import { acceptWebhookUrl, type UrlPolicy } from './webhook-url.js';

/** What an endpoint may look like when it is registered, by the same policy that guards the sending. */
export const createWebhookRules = (policy: AddressPolicy & { readonly allowHttp?: boolean }): WebhookRules => {
  const urlPolicy: UrlPolicy = { guard: createAddressGuard(policy), allowHttp: policy.allowHttp ?? false };
  return {
    acceptUrl: (url) => acceptWebhookUrl(url, urlPolicy),
    assertSecret: (format, secret) => {
      // Agora's secrets are free text of its console.
      if (format === 'standard') parseStandardSecret(secret);
    },
    newSecret: (format) => (format === 'standard' ? generateStandardSecret() : randomBytes(24).toString('base64url')),
  };
};
