import { DomainError } from '../errors.js';

/** The address of an endpoint is one that webhooks are never sent to. */
export class WebhookUrlRefused extends DomainError {
  readonly code = 'webhook.url_refused';
  readonly kind = 'invalid';
  /** @param rule the rule that said no; never the address itself */
  constructor(rule: string) {
    super('Webhooks are not sent to such an address.', {
      field: 'url',
      rule,
      next: 'Give a public https address, or ask the operator to allow this one.',
    });
  }
}

/** A signing secret that the endpoint's format cannot use. */
export class WebhookSecretRefused extends DomainError {
  readonly code = 'webhook.secret_refused';
  readonly kind = 'invalid';
  constructor(rule: string) {
    super('This signing secret cannot be used.', {
      field: 'secret',
      rule,
      next: 'Leave it out to have one made, or give one that keeps the rule.',
    });
  }
}
