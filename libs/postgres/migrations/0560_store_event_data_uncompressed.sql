-- Up Migration

-- Data of more than 2 kB was compressed by the statement that holds the head of the log, at about 30 ms per MB, while all
-- other appends waited. Ids and Base64 hardly get smaller. Existing events stay as they are (docs/adr/0080).
-- Fails rather than make appends queue behind a long backup.
set local lock_timeout = '5s';
alter table events alter column data set storage external;
