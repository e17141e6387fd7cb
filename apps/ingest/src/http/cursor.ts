import { DomainError } from '@turnkeeper/domain';

/** `after` is not a `next` value of a previous page. */
export class InvalidCursor extends DomainError {
  readonly code = 'request.invalid_cursor';
  readonly kind = 'invalid';
  constructor() {
    super('The cursor is not valid.', {
      field: 'after',
      rule: 'must be `next` of the previous page',
      next: 'Start again from the first page.',
    });
  }
}
