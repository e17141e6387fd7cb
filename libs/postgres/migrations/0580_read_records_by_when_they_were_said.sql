-- Up Migration

-- The records of a namespace and those of an actor by when they were said: only as many are read as are wanted. Fails
-- rather than make readers queue behind a long backup.
set local lock_timeout = '5s';
create index records_by_time on records (memory_id, md5(namespace), stated_at desc, created_at desc, record_id)
  where superseded_by is null;
drop index records_of_actor;
create index records_of_actor on records (memory_id, actor_id, stated_at desc, created_at desc, record_id)
  where actor_id is not null;
