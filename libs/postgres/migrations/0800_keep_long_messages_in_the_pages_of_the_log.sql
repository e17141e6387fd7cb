-- Up Migration

-- A row of more than 2 kB had its data moved to a table of its own, in pieces with an index, by the statement that holds the
-- head of the log. Up to 4 kB, of which two fit in a page, it now stays where the row is: half the time for messages of 2 kB
-- (docs/adr/0091). Existing events stay as they are. Fails rather than make appends queue behind a long backup.
set local lock_timeout = '5s';
alter table events set (toast_tuple_target = 4080);
