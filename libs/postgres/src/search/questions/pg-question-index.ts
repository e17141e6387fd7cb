import type { AnswerPreference, QuestionIndex, QuestionScope } from '@turnkeeper/application';
import type { LogEvent } from '@turnkeeper/domain';
import type pg from 'pg';
import type { TenantPool } from '../../connections/tenant-pool.js';
import { eventOf, type EventRow } from '../../log/read/event-row.js';
import {
  exactWords,
  findAnswer,
  indexedAskings,
  PAGE,
  TAIL,
  TAIL_ASKINGS,
  type FindParameters,
  type KeyColumn,
} from './find-answer.sql.js';

/**
 * Events a reader indexes per step when the index is far behind, and the number of steps. The worker may have been
 * down.
 */
const CATCH_UP = 20_000;
const MOST_CATCH_UPS = 50;
/** Pages of unanswered askings after which a question counts as never answered. */
const MOST_PAGES = 20;

/** Finds earlier answers to the same words. */
export class PgQuestionIndex implements QuestionIndex {
  /**
   * @param pool maintains the index, for all tenants
   * @param tenants queries it for one tenant
   */
  constructor(
    private readonly pool: pg.Pool,
    private readonly tenants: TenantPool,
  ) {}

  async behind(): Promise<number> {
    const { position, head } = await this.reached();
    return Math.max(0, head - position);
  }

  async catchUp(most: number): Promise<number> {
    const { rows } = await this.pool.query<{ left: number | null }>('select index_questions($1)::float8 as left', [
      most,
    ]);
    return rows[0]?.left ?? 0;
  }

  async findAnswer(
    scope: QuestionScope,
    question: string,
    prefer: AnswerPreference,
  ): Promise<LogEvent<'message.appended'> | null> {
    // Read the cursor first. Events indexed in the meantime are checked twice, but none is missed.
    const { position, head } = await this.nearCursor();
    const tail = async () =>
      head > position
        ? this.find(statementOf('tail', TAIL_ASKINGS, prefer), parametersOf(scope, question, position))
        : null;
    const index = () => this.searchIndex(scope, question, prefer);
    return prefer === 'newest' ? ((await tail()) ?? (await index())) : ((await index()) ?? (await tail()));
  }

  /** The index position, after catching up to near the head of the log, and the head itself. */
  private async nearCursor(): Promise<{ readonly position: number; readonly head: number }> {
    for (let round = 0; ; round += 1) {
      const reached = await this.reached();
      if (reached.head - reached.position <= TAIL || round === MOST_CATCH_UPS) return reached;
      await this.catchUp(CATCH_UP);
    }
  }

  private async reached(): Promise<{ readonly position: number; readonly head: number }> {
    const { rows } = await this.pool.query<{ position: number; head: number }>({
      name: 'question_cursor',
      text: `select c.position::float8, head_position()::float8 as head from question_cursor c where c.name = 'questions'`,
    });
    return rows[0] ?? { position: 0, head: 0 };
  }

  private async searchIndex(scope: QuestionScope, question: string, prefer: AnswerPreference) {
    const column = keyColumnOf(scope);
    const askings = indexedAskings(column, prefer);
    const statement = statementOf(column, askings, prefer);
    let beyond = prefer === 'newest' ? Number.MAX_SAFE_INTEGER : 0;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const parameters = parametersOf(scope, question, beyond);
      const found = await this.find(statement, parameters);
      if (found !== null) return found;
      const last = await this.lastOfPage(askings, parameters);
      if (last === null) return null;
      beyond = last;
    }
    return null;
  }

  private async find(
    statement: ReturnType<typeof statementOf>,
    parameters: FindParameters,
  ): Promise<LogEvent<'message.appended'> | null> {
    const { rows } = await this.tenants.query<EventRow>(parameters[0], { ...statement, values: [...parameters] });
    return rows[0] === undefined ? null : (eventOf(rows[0]) as LogEvent<'message.appended'>);
  }

  /** Position of the last asking of a full page, or null if this was the last page. */
  private async lastOfPage(askings: string, parameters: FindParameters): Promise<number | null> {
    const { rows } = await this.tenants.query<{ position: number }>(
      parameters[0],
      `select position::float8 from (${askings}) p offset ${PAGE - 1}`,
      // Drops parameters for narrower scopes, which the statement does not use.
      parameters.slice(0, parametersIn(askings)),
    );
    return rows[0]?.position ?? null;
  }
}

const statementOf = (name: KeyColumn | 'tail', askings: string, prefer: AnswerPreference) => ({
  name: `find_answer_${name}_${prefer}`,
  text: findAnswer(askings, prefer),
});

const keyColumnOf = ({ actorId, sessionId }: QuestionScope): KeyColumn => {
  if (actorId === undefined) return 'of_memory';
  return sessionId === undefined ? 'of_actor' : 'of_session';
};

const parametersOf = (scope: QuestionScope, question: string, position: number): FindParameters => [
  scope.tenantId,
  scope.memoryId,
  question,
  position,
  scope.actorId ?? null,
  scope.sessionId ?? null,
  exactWords(question),
];

const parametersIn = (sql: string): number =>
  Math.max(...[...sql.matchAll(/\$(\d)/g)].map((match) => Number(match[1])));
