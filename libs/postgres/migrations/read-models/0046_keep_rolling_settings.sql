-- Up Migration

-- How a SUMMARY strategy keeps a session's rolling memory. The previous release survives this: null is its default.
alter table strategies add column rolling json;
