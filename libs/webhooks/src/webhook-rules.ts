import type { WebhookRules } from '@turnkeeper/application';
import { createAddressGuard, type AddressPolicy } from './address-guard.js';
import { assertAgoraSecret, generateAgoraSecret } from '@turnkeeper/vendors';
import { generateStandardSecret, parseStandardSecret } from './standard-signature.js';
import { acceptWebhookUrl, type UrlPolicy } from './webhook-url.js';

/** Rules for registering an endpoint, with the same policy as for sending. */
export const createWebhookRules = (policy: AddressPolicy & { readonly allowHttp?: boolean }): WebhookRules => {
  const urlPolicy: UrlPolicy = { guard: createAddressGuard(policy), allowHttp: policy.allowHttp ?? false };
  return {
    acceptUrl: (url) => acceptWebhookUrl(url, urlPolicy),
    assertSecret: (format, secret) => {
      if (format === 'standard') parseStandardSecret(secret);
      else assertAgoraSecret(secret);
    },
    newSecret: (format) => (format === 'standard' ? generateStandardSecret() : generateAgoraSecret()),
  };
};
