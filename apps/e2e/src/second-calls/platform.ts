import { beforeAll, describe, it } from 'vitest';
import { CHECKS, type Given } from './checks.js';
import { CHANGE, FIRST_CALL, OPENING, OTHER_CALL, type Line } from './lines.js';

/** A call in progress, as a backend on this platform sees it. */
export interface Call {
  /** Hands over what was said, in the platform's own shapes. */
  say(line: Line): Promise<void>;
  /**
   * What the model is given for its next answer: one text for each way in which that backend may get it. Each message and
   * each remembered item has its own line.
   */
  modelInput(): Promise<readonly string[]>;
  hangUp(): Promise<void>;
}

/** One platform whose backends use this server. */
export interface Platform {
  readonly title: string;
  /** The same person calls twice, another one in between. Ids as the platform's users have them. */
  readonly users: readonly [caller: string, other: string];
  /** The platform tells when the assistant was cut off, not what was heard: lines that say so may hold more. */
  readonly cutsByTime?: boolean;
  /** The facts are the platform's own texts, without attributes: a replaced one stays, with the new one after it. */
  readonly hasOwnFacts?: boolean;
  /** Before the first call. */
  start(): Promise<void>;
  /** Starts a call. Calls have the same name (session, room or channel) where the platform allows it. */
  dial(user: string): Promise<Call>;
  /** Resolves when everything of the calls has been stored and extracted. */
  settled(): Promise<void>;
}

/** Plays three calls on a platform, and checks what the model is given in the calls that follow. */
export const secondCalls = (platform: Platform): void => {
  describe(platform.title, () => {
    let given: Given;
    beforeAll(async () => {
      given = await playCalls(platform);
    });

    for (const { title, check } of Object.values(CHECKS)) {
      it(`gives the model ${title}`, () => check(given, platform));
    }
  });
};

const playCalls = async (platform: Platform): Promise<Given> => {
  const [caller, other] = platform.users;
  const talk = async (call: Call, lines: readonly Line[]): Promise<void> => {
    for (const line of lines) await call.say(line);
  };
  /** @returns what the model is given when the user has said the first sentence, and after the other lines */
  const callAgain = async (user: string, lines: readonly Line[] = []) => {
    const call = await platform.dial(user);
    await call.say(OPENING);
    const first = await call.modelInput();
    await talk(call, lines);
    const last = await call.modelInput();
    await call.hangUp();
    return { first, last };
  };

  await platform.start();
  for (const [user, lines] of [
    [caller, FIRST_CALL],
    [other, OTHER_CALL],
  ] as const) {
    const call = await platform.dial(user);
    await talk(call, lines);
    await call.hangUp();
  }
  await platform.settled();
  const second = await callAgain(caller, CHANGE);
  await platform.settled();
  const third = await callAgain(caller);
  const last = await callAgain(other);
  return { second: second.first, afterChange: second.last, third: third.first, other: last.first };
};
