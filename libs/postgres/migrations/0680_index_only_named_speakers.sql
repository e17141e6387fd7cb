-- Up Migration

-- Earlier releases took `metadata.user`, which holds the id of an account, for the speaker's name. The index of turns now has
-- what it would have if these turns were indexed again.
update turns t set speaker = null
from events e
where t.speaker is not null and e.session_key = t.session_key and e.sequence = t.sequence
  and json_typeof(well_formed(e.data) #> '{metadata,speaker}') is distinct from 'string';

update turn_sessions o set speakers = named.speakers
from (
  select s.session_key,
         array(select distinct t.speaker from turns t where t.session_key = s.session_key and t.speaker is not null
               order by t.speaker) as speakers
  from turn_sessions s where s.speakers <> '{}'
) named
where o.session_key = named.session_key and o.speakers <> named.speakers;
