-- Up Migration

-- A source that explains a record without stating it: the question that it answers, or another turn of the exchange. A
-- record cannot rest on such sources alone, so erasing its statements withdraws it. The previous release survives this:
-- it writes none.
alter table record_sources add column if not exists is_context boolean not null default false;
