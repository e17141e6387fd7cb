-- Up Migration

-- The output schema of a CUSTOM strategy. Processes of the previous release ignore it: what they extract has no data.
alter table strategies add column output_schema json;
