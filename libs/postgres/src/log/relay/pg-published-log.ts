import type { PublishedLog, StreamMark } from '@turnkeeper/application';
import type pg from 'pg';

export class PgPublishedLog implements PublishedLog {
  /** @param name cursor name; one per publishing target */
  constructor(
    private readonly pool: pg.Pool,
    private readonly name = 'jetstream',
  ) {}

  async position(): Promise<number> {
    const { rows } = await this.pool.query<{ position: number }>(
      'select position::float8 from relay_cursor where name = $1',
      [this.name],
    );
    return rows[0]?.position ?? 0;
  }

  async pageEnds(after: number, through: number): Promise<readonly number[]> {
    const { rows } = await this.pool.query<{ end: number }>(
      `select page_end::float8 as end from relay_pages p cross join unnest(p.ends) page_end
        where p.name = $1 and p.through > $2 and p.after < $3 and page_end > $2 and page_end <= $3
        order by page_end`,
      [this.name, after, through],
    );
    return rows.map(({ end }) => end);
  }

  async mark(): Promise<StreamMark | null> {
    const { rows } = await this.pool.query<{ mark: StreamMark | null }>(
      'select stream_mark as mark from relay_cursor where name = $1',
      [this.name],
    );
    return rows[0]?.mark ?? null;
  }

  async setMark(mark: StreamMark, keepMs: number): Promise<void> {
    await this.pool.query('update relay_cursor set stream_mark = $2 where name = $1', [this.name, mark]);
    await this.pool.query(
      'delete from relay_pages where name = $1 and published_at < now() - make_interval(secs => $2)',
      [this.name, keepMs / 1_000],
    );
  }
}
