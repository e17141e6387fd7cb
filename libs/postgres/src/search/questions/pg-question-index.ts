import type { AnswerPreference, QuestionIndex, QuestionScope } from '@turnkeeper/application';
import type { LogEvent } from '@turnkeeper/domain';
import type { TenantPool } from '../../connections/tenant-pool.js';
import { COLUMNS, eventOf, heardIn, READABLE, type EventRow } from '../../log/read/event-row.js';
import type { TurnIndexer } from '../turns/turn-indexer.js';
import { TAIL_SPAN } from '../turns/turn-search.sql.js';

/** $1 tenant, $2 memory, $3 actor or null, $4 session or null, $5 the words, $6 as JSON or null, $7 the oldest answer */
const FIND_ANSWER = heardIn(
  `
  select ${COLUMNS} from find_answer($1, $2, $3, $4, $5, $6, $7) a (position)
  join events e on e.partition = 0 and e.position = a.position
  join sessions s on s.session_key = e.session_key
  where ${READABLE}`,
  'p.position',
);

/** Finds earlier answers to the same words, in the index of turns and in what it does not contain yet. */
export class PgQuestionIndex implements QuestionIndex {
  constructor(
    private readonly tenants: TenantPool,
    private readonly turns: Pick<TurnIndexer, 'comeNear'>,
  ) {}

  async findAnswer(
    { tenantId, memoryId, actorId, sessionId }: QuestionScope,
    question: string,
    prefer: AnswerPreference,
  ): Promise<LogEvent<'message.appended'> | null> {
    if (question === '') return null;
    await this.turns.comeNear(TAIL_SPAN);
    const { rows } = await this.tenants.query<EventRow>(tenantId, {
      name: 'find_answer',
      text: FIND_ANSWER,
      values: [
        ...[tenantId, memoryId, actorId ?? null, sessionId ?? null],
        ...[question, exactWords(question), prefer === 'oldest'],
      ],
    });
    return rows[0] === undefined ? null : (eventOf(rows[0]) as LogEvent<'message.appended'>);
  }
}

/**
 * The question as the log's JSON has it, if it contains half of a surrogate pair or U+FFFD. Postgres reads every such
 * half as U+FFFD, so equal words are not always equal texts.
 */
const exactWords = (question: string): string | null =>
  question.isWellFormed() && !question.includes('\ufffd') ? null : `"content":${JSON.stringify(question)}`;
