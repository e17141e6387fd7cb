-- Up Migration

-- Where the pages that the relay published ended. A message's id names its memory and the first and last of its
-- positions in one page, so messages that were lost can be published again under the ids that they had. The previous
-- release survives this: it writes no pages, and what it published is then compared without them.
create table relay_pages (
  name text not null,
  -- Positions of (after, through] were published, in pages that ended at these positions.
  after bigint not null,
  through bigint not null,
  ends bigint[] not null,
  published_at timestamptz not null default now(),
  primary key (name, through)
);
create index relay_pages_by_age on relay_pages (name, published_at);

-- What the stream looked like when it was last known to hold everything that was published.
alter table relay_cursor add column stream_mark jsonb;

-- The first position that was recorded within this time, by bisection: positions are given out in the order of their
-- time, and there is no index on the time. One behind the head when there is none.
create function position_since(age interval) returns bigint language plpgsql stable as $$
declare
  since constant timestamptz := now() - age;
  low bigint := 1;
  high bigint := coalesce((select position from events where partition = 0 order by position desc limit 1), 0) + 1;
  middle bigint;
  nearest record;
begin
  while low < high loop
    middle := (low + high) / 2;
    select e.position, e.recorded_at into nearest from events e
     where e.partition = 0 and e.position >= middle order by e.position limit 1;
    if not found or nearest.position >= high or nearest.recorded_at >= since then
      high := middle;
    else
      low := nearest.position + 1;
    end if;
  end loop;
  return low;
end $$;
