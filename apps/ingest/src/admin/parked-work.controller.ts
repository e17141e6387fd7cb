import { Controller, Inject } from '@nestjs/common';
import { ParkedWorkNotFound, type ParkedName, type ParkedWork } from '@turnkeeper/application';
import { PARKED_WORK_KINDS, routes } from '@turnkeeper/contracts';
import { InvalidCursor } from '../http/cursor.js';
import { cursorOfParts as encode, listResponse, partsOfCursor } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

const decode = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
};
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 1 && value.every((part) => typeof part === 'string');

const KEY_PARTS = { message: 2, window: 3, delivery: 1, notice: 2 } as const;

const idOf = ({ kind, key }: ParkedName): string => encode([kind, ...key]);
const nameOf = (id: string): ParkedName => {
  const value = decode(id);
  if (!isTexts(value)) throw new ParkedWorkNotFound();
  const kind = PARKED_WORK_KINDS.find((known) => known === value[0]);
  if (kind === undefined || value.length !== KEY_PARTS[kind] + 1) throw new ParkedWorkNotFound();
  return { kind, key: value.slice(1) };
};
const placeOf = (after: string) => {
  const [parkedAt = '', key = ''] = partsOfCursor(after, 2);
  if (Number.isNaN(Date.parse(parkedAt))) throw new InvalidCursor();
  return { parkedAt, key };
};
const keyText = ({ key }: ParkedName): string => `[${key.map((part) => JSON.stringify(part)).join(', ')}]`;

const response = ({ kind, key, code, ...work }: ParkedWork) => ({
  id: idOf({ kind, key }),
  kind,
  tenantId: work.tenantId,
  memoryId: work.memoryId,
  reason: code,
  cause: work.cause,
  attempts: work.attempts,
  parkedAt: work.parkedAt,
  ageSeconds: work.ageSeconds,
});

/** Parked work of every kind and tenant. */
@Controller()
export class ParkedWorkController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.listParkedWork)
  async list(@Input() { query }: CallOf<typeof routes.listParkedWork>) {
    const { limit, after, ...filter } = query;
    const place = after === undefined ? undefined : placeOf(after);
    const found = await this.app.parkedWork.list(filter, { limit: limit + 1, after: place });
    return listResponse(found, limit, response, (work) => encode([work.parkedAt, keyText(work)]));
  }

  @Route(routes.replayParkedWork)
  replay(@Input() { path, query }: CallOf<typeof routes.replayParkedWork>) {
    return this.app.parkedWork.replay(nameOf(path.parkedId), { askAgain: query.askAgain === 'true' });
  }

  @Route(routes.dropParkedWork)
  async drop(@Input() { path }: CallOf<typeof routes.dropParkedWork>) {
    await this.app.parkedWork.drop(nameOf(path.parkedId));
  }
}
