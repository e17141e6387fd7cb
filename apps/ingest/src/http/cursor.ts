import { refusal } from '@turnkeeper/domain';

/** `after` is not a `next` value of a previous page. */
export class InvalidCursor extends refusal('request.invalid_cursor', 'invalid', {
  message: 'The cursor is not valid.',
  field: 'after',
  rule: 'must be `next` of the previous page',
  next: 'Start again from the first page.',
}) {}
