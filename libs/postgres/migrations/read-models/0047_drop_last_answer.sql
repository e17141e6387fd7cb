-- Up Migration

-- Answers are in the log alone, where an erasure finds them. Releases that wrote this column do not survive this.
alter table extraction_states drop column last_answer;
