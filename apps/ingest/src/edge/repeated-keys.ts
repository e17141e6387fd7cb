import { endOfString } from '@turnkeeper/domain';

/**
 * Members of all objects in a parsed JSON value. At most as deep as `JSON_LIMITS` allows.
 *
 * @throws SyntaxError for a key that would change the prototype of an object that the value is copied to
 */
export const membersIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  if (Object.hasOwn(value, '__proto__') || setsPrototype(value)) throw new SyntaxError('a key sets a prototype');
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += membersIn(item);
    return count;
  }
  for (const inner of Object.values(value)) count += 1 + membersIn(inner);
  return count;
};

const setsPrototype = (value: object): boolean => {
  if (!Object.hasOwn(value, 'constructor')) return false;
  const { constructor: inner } = value as { readonly constructor: unknown };
  return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype');
};

interface Container {
  /** Null for an array. */
  readonly keys: Set<string> | null;
  at: string | number;
}

/** Path of the first key that occurs twice in an object of this valid JSON text; null if all keys are unique. */
export const repeatedKey = (json: string): PropertyKey[] | null => {
  const open: Container[] = [];
  let isKeyNext = false;
  for (let at = 0; at < json.length; at += 1) {
    const inner = open.at(-1);
    switch (json[at]) {
      case '{':
        open.push({ keys: new Set(), at: '' });
        isKeyNext = true;
        break;
      case '[':
        open.push({ keys: null, at: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        isKeyNext = false;
        break;
      case ',':
        isKeyNext = inner?.keys !== null;
        if (typeof inner?.at === 'number') inner.at += 1;
        break;
      case '"': {
        const end = endOfString(json, at + 1);
        if (isKeyNext && inner?.keys) {
          const key = JSON.parse(json.slice(at, end)) as string;
          inner.at = key;
          if (inner.keys.has(key)) return open.map((container) => container.at);
          inner.keys.add(key);
          isKeyNext = false;
        }
        at = end - 1;
        break;
      }
      default:
    }
  }
  return null;
};
