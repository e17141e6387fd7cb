import { DomainError } from '@turnkeeper/domain';

/** `after` is not what a page before gave as `next`. */
export class InvalidCursor extends DomainError {
  readonly code = 'request.invalid_cursor';
  readonly kind = 'invalid';
  constructor() {
    super('The place to go on from is not valid.', {
      field: 'after',
      rule: 'must be `next` of the page before',
      next: 'Begin with the first page.',
    });
  }
}
