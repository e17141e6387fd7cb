import type { MemoryScope } from '../log/event-store.port.js';
import type { OpenedTurns, TurnSearch } from './turn-search.port.js';

/** Turns of a memory for one request: each actor's are opened once, for all namespaces with records about the actor. */
export class OpenTurns {
  private readonly opened = new Map<string | undefined, Promise<OpenedTurns>>();

  constructor(
    private readonly turns: Pick<TurnSearch, 'open'>,
    readonly memory: MemoryScope,
  ) {}

  /** @param actorId undefined: the turns of all actors */
  of(actorId: string | undefined): Promise<OpenedTurns> {
    const known = this.opened.get(actorId);
    if (known !== undefined) return known;
    const opening = this.turns.open({ ...this.memory, actorId });
    this.opened.set(actorId, opening);
    return opening;
  }
}
