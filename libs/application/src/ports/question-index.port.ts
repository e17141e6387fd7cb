import type { LogEvent } from '@turnkeeper/domain';

/** Where a question may have been asked before. Narrower with each id that is given, never wider. */
export interface QuestionScope {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly actorId?: string;
  /** Only together with an actor. */
  readonly sessionId?: string;
}

/** Which of several answers counts. */
export type AnswerPreference = 'newest' | 'oldest';

export interface QuestionIndex {
  /**
   * The assistant's message that directly follows a user's message of exactly these words; null when there is none. A
   * question without an answer is passed over (a thousand times at most), and what a reset of its session has hidden is
   * not found.
   *
   * Takes the same time however many messages there are. Everything committed before the call is seen.
   */
  findAnswer(
    scope: QuestionScope,
    question: string,
    prefer: AnswerPreference,
  ): Promise<LogEvent<'message.appended'> | null>;
  /** How many events of the log are not taken in yet. */
  behind(): Promise<number>;
  /** Takes at most so many further events in; resolves to how many are left. */
  catchUp(most: number): Promise<number>;
}
