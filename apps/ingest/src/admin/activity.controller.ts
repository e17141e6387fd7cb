import { Controller, Inject } from '@nestjs/common';
import type { StoredActivity } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

const response = ({ lags, due, ...sample }: StoredActivity) => {
  // A sample of another release may lack a follower or a kind.
  const lag = (name: string) => {
    const { events = 0, seconds = 0 } = lags.find(({ follower }) => follower === name) ?? {};
    return { events, seconds };
  };
  const oldest = (name: string): number => due.find(({ kind }) => kind === name)?.seconds ?? 0;
  return {
    at: sample.at,
    appendedPerSecond: sample.appendedPerSecond,
    lag: {
      dispatcher: lag('dispatcher'),
      relay: lag('relay'),
      sessionIndex: lag('session_index'),
      turnIndex: lag('turn_index'),
    },
    oldestDue: { extraction: oldest('extraction'), delivery: oldest('delivery'), call: oldest('call') },
    parked: sample.parked,
    webhookAttempts: sample.webhookAttempts,
  };
};

/** What the whole installation did in the last hour. */
@Controller()
export class ActivityController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.getActivity)
  async get(@Input() { query }: CallOf<typeof routes.getActivity>) {
    return { samples: (await this.app.activity.lastHour(query.after)).map(response) };
  }
}
