-- Columns

activity_samples.slot bigint not null
activity_samples.taken_at timestamp(3) with time zone not null
activity_samples.position bigint not null
activity_samples.parked integer not null
activity_samples.lags jsonb not null
activity_samples.due jsonb not null
activity_samples.attempts_delivered integer not null
activity_samples.attempts_failed integer not null
actor_counts.memory_id uuid not null
actor_counts.actor_key bigint not null
actor_counts.tenant_id uuid not null
actor_counts.sessions bigint not null
agent_idle_watches.agent_id uuid not null
agent_idle_watches.tenant_id uuid not null
agent_idle_watches.due_at timestamp with time zone not null
agents.agent_id uuid not null
agents.tenant_id uuid not null
agents.memory_id uuid not null
agents.actor_id text not null
agents.session_id text not null
agents.name text not null
agents.vendor text not null
agents.status text not null
agents.max_history integer not null
agents.channel text
agents.system_messages json not null
agents.params json not null
agents.labels json not null
agents.started_sequence bigint not null
agents.started_at timestamp with time zone not null
agents.stopped_sequence bigint
agents.stopped_at timestamp with time zone
agents.stop_reason text
agents.idle_timeout_seconds integer not null default 0
agents.load_history integer not null default 0
agents.app_id text
agents.updated_at timestamp with time zone
agents.vendor_agent_id text
api_keys.key_id text not null
api_keys.tenant_id uuid not null
api_keys.description text not null
api_keys.secret_hash bytea not null
api_keys.scopes text[] not null
api_keys.created_at timestamp with time zone not null default now()
api_keys.expires_at timestamp with time zone
api_keys.revoked_at timestamp with time zone
api_keys.last_used_at timestamp with time zone
api_keys.replaced_by text
api_keys.memory_id uuid
api_keys.actor_id text
audit_log.entry bigint not null generated always as identity
audit_log.at timestamp with time zone not null default now()
audit_log.tenant_id uuid not null
audit_log.key_id text not null
audit_log.address text not null
audit_log.action text not null
audit_log.resource text not null
audit_log.status integer not null
audit_log.request_id uuid not null
buried_positions.partition smallint not null
buried_positions.first bigint not null
buried_positions.last bigint not null
buried_positions.reasons text[] not null
buried_positions.at timestamp with time zone not null
buried_sequences.session_key bigint not null
buried_sequences.tenant_id uuid not null
buried_sequences.first bigint not null
buried_sequences.last bigint not null
buried_sequences.reason text not null
closed_sessions.session_key bigint not null
closed_sessions.tenant_id uuid not null
closed_sessions.memory_id uuid not null
closed_sessions.reason text not null
closed_sessions.at timestamp with time zone not null
closed_sessions.purged_at timestamp with time zone
connector_calls.connector_id uuid not null
connector_calls.call_key text not null
connector_calls.tenant_id uuid not null
connector_calls.due_at timestamp with time zone
connector_calls.settled_round bigint
connector_calls.failures integer not null default 0
connector_calls.version bigint not null default 1
connector_calls.fence bigint not null default 0
connector_calls.lease_until timestamp with time zone
connector_calls.updated_at timestamp with time zone not null default now()
connector_calls.actor_id text
connector_calls.session_id text
connector_instances.connector_id uuid not null
connector_instances.instance_id text not null
connector_instances.actor_id text not null
connector_instances.session_id text not null
connector_notices.connector_id uuid not null
connector_notices.notice_key text not null
connector_notices.tenant_id uuid not null
connector_notices.call_key text
connector_notices.event_type text not null
connector_notices.body bytea
connector_notices.status text not null
connector_notices.code text
connector_notices.received_at timestamp(3) with time zone not null default now()
connector_notices.arrival bigint not null generated always as identity
connector_stamps.connector_id uuid not null
connector_stamps.stamp text not null
connector_stamps.notice_key text not null
connector_stamps.seen_at timestamp with time zone not null default now()
connectors.connector_id uuid not null
connectors.tenant_id uuid not null
connectors.memory_id uuid not null
connectors.vendor text not null
connectors.description text not null
connectors.places json not null
connectors.secrets json not null
connectors.created_at timestamp with time zone not null
deferred_progress.session_key bigint not null
deferred_progress.newest_sequence bigint not null
deferred_progress.turns integer not null
deferred_progress.flush_through bigint not null
deferred_progress.tried_at timestamp with time zone not null default clock_timestamp()
dispatch_cursor.name text not null
dispatch_cursor.position bigint not null
embedding_models.model_id integer not null generated always as identity
embedding_models.model text not null
embedding_models.dimensions integer not null
embedding_models.position bigint not null default 0
embedding_models.complete boolean not null default false
embedding_models.created_at timestamp with time zone not null default now()
embedding_models.records_position bigint not null default 0
embedding_models.records_complete boolean not null default false
erased_event_ids.tenant_id uuid not null
erased_event_ids.event_id uuid not null
erased_event_ids.until timestamp with time zone not null
events.partition smallint not null
events.position bigint not null
events.event_id uuid not null
events.tenant_id uuid not null
events.memory_id uuid not null
events.session_key bigint
events.sequence bigint
events.type text not null
events.schema_version smallint not null
events.data json not null
events.occurred_at timestamp with time zone
events.recorded_at timestamp with time zone not null
events.expires_at timestamp with time zone
events.fingerprint bytea
events.redacted_at timestamp with time zone
events.user_turn boolean
expiry_changes.memory_id uuid not null
expiry_changes.before bigint not null
expiry_changes.days integer not null
expiry_changes.after_session bigint not null default 0
expiry_changes.after_sequence bigint not null default 0
extraction_states.session_key bigint not null
extraction_states.strategy_id uuid not null
extraction_states.tenant_id uuid not null
extraction_states.memory_id uuid not null
extraction_states.actor_id text not null
extraction_states.session_id text not null
extraction_states.watermark bigint not null default 0
extraction_states.newest_sequence bigint not null default 0
extraction_states.flush_through bigint not null default 0
extraction_states.pending_turns integer not null default 0
extraction_states.status text not null default 'idle'::text
extraction_states.due_at timestamp with time zone
extraction_states.attempts integer not null default 0
extraction_states.fence bigint not null default 0
extraction_states.lease_until timestamp with time zone
extraction_states.last_code text
extraction_states.records_made bigint not null default 0
extraction_states.updated_at timestamp with time zone not null default now()
extraction_states.admitted_until timestamp with time zone
extraction_states.answer_event_id uuid
extraction_states.answer_unread boolean not null default false
extraction_states.model_calls bigint not null default 0
extraction_states.input_tokens bigint not null default 0
extraction_states.output_tokens bigint not null default 0
extraction_states.outage_tries integer not null default 0
extraction_states.noted_sequence bigint not null default 0
extraction_states.replay_through bigint
extraction_states.skipped jsonb
graph_blobs.thread_key bigint not null
graph_blobs.tenant_id uuid not null
graph_blobs.memory_id uuid not null
graph_blobs.checkpoint_ns text collate "C" not null
graph_blobs.channel text collate "C" not null
graph_blobs.version text collate "C" not null
graph_blobs.type text not null
graph_blobs.data text not null
graph_checkpoints.thread_key bigint not null
graph_checkpoints.tenant_id uuid not null
graph_checkpoints.memory_id uuid not null
graph_checkpoints.checkpoint_ns text collate "C" not null
graph_checkpoints.checkpoint_id text collate "C" not null
graph_checkpoints.parent_id text collate "C"
graph_checkpoints.type text not null
graph_checkpoints.data text not null
graph_checkpoints.metadata_type text not null
graph_checkpoints.metadata text not null
graph_checkpoints.labels jsonb not null
graph_checkpoints.versions jsonb not null
graph_items.item_key bigint not null generated always as identity
graph_items.tenant_id uuid not null
graph_items.memory_id uuid not null
graph_items.namespace text[] collate "C" not null
graph_items.key text collate "C" not null
graph_items.value jsonb not null
graph_items.words tsvector
graph_items.created_at timestamp with time zone not null
graph_items.updated_at timestamp with time zone not null
graph_items.expires_at timestamp with time zone
graph_items.vectors bytea[]
graph_threads.thread_key bigint not null generated always as identity
graph_threads.tenant_id uuid not null
graph_threads.memory_id uuid not null
graph_threads.actor_id text not null
graph_threads.session_id text not null
graph_threads.touched_at timestamp with time zone not null default now()
graph_writes.thread_key bigint not null
graph_writes.tenant_id uuid not null
graph_writes.memory_id uuid not null
graph_writes.checkpoint_ns text collate "C" not null
graph_writes.checkpoint_id text collate "C" not null
graph_writes.task_path text collate "C" not null
graph_writes.task_id text collate "C" not null
graph_writes.write_index integer not null
graph_writes.channel text not null
graph_writes.type text not null
graph_writes.data text not null
idempotent_requests.request_id uuid not null
idempotent_requests.tenant_id uuid not null
idempotent_requests.route text not null
idempotent_requests.key text not null
idempotent_requests.fingerprint text not null
idempotent_requests.memory_id uuid
idempotent_requests.answer text
idempotent_requests.erased boolean not null default false
idempotent_requests.created_at timestamp with time zone not null default now()
idempotent_requests.running_until timestamp with time zone not null
memories.memory_id uuid not null
memories.tenant_id uuid not null
memories.name text not null
memories.description text not null
memories.event_expiry_duration integer not null
memories.status text not null
memories.created_at timestamp with time zone not null
memories.updated_at timestamp with time zone not null
memory_counts.memory_id uuid not null
memory_counts.tenant_id uuid not null
memory_counts.actors bigint not null
memory_counts.sessions bigint not null
memory_counts.messages bigint not null
memory_counts.binaries bigint not null
memory_gates.memory_id uuid not null
memory_gates.tenant_id uuid not null
memory_gates.event_expiry_days integer not null
memory_gates.is_open boolean not null
memory_gates.closed_at timestamp with time zone
memory_gates.purged_at timestamp with time zone
model_usage.tenant_id uuid not null
model_usage.day date not null
model_usage.calls bigint not null
model_usage.input_tokens bigint not null
model_usage.output_tokens bigint not null
parked_items.source text not null
parked_items.item_id text not null
parked_items.code text not null
parked_items.error text not null
parked_items.payload text not null
parked_items.attempts integer not null
parked_items.parked_at timestamp with time zone not null default now()
parked_items.resolved_at timestamp with time zone
parked_items.requested_at timestamp with time zone
parked_notes.kind text not null
parked_notes.item_key text not null
parked_notes.parked_at timestamp with time zone not null
parked_notes.noted_at timestamp with time zone not null default now()
parked_notes.dropped_at timestamp with time zone
parked_windows.session_key bigint not null
parked_windows.strategy_id uuid not null
parked_windows.to_sequence bigint not null
parked_windows.from_sequence bigint not null
parked_windows.tenant_id uuid not null
parked_windows.memory_id uuid not null
parked_windows.actor_id text not null
parked_windows.session_id text not null
parked_windows.code text not null
parked_windows.cause text
parked_windows.attempts integer not null
parked_windows.answer_event_id uuid
parked_windows.answer_unread boolean not null default false
parked_windows.parked_at timestamp with time zone not null default now()
parked_windows.requested_at timestamp with time zone
parked_windows.dropped_at timestamp with time zone
question_cursor.name text not null
question_cursor.position bigint not null
rate_budgets.tenant_id uuid not null
rate_budgets.kind text not null
rate_budgets.tokens double precision not null
rate_budgets.filled_at timestamp with time zone not null
rate_budgets.per_second double precision not null
rate_budgets.burst double precision not null
rate_budgets.want double precision not null
rate_budgets.debt double precision not null
rate_budgets.granted double precision not null
rate_budgets.holders jsonb not null
record_deletion_items.deletion_id uuid not null
record_deletion_items.place bigint not null
record_deletion_items.tenant_id uuid not null
record_deletion_items.record_id uuid not null
record_deletions.deletion_id uuid not null
record_deletions.tenant_id uuid not null
record_deletions.memory_id uuid not null
record_deletions.filter json
record_deletions.found bigint
record_deletions.deleted bigint not null default 0
record_deletions.attempts integer not null default 0
record_deletions.due_at timestamp with time zone default now()
record_deletions.requested_at timestamp with time zone not null default now()
record_deletions.finished_at timestamp with time zone
record_sources.record_id uuid not null
record_sources.event_id uuid not null
record_sources.tenant_id uuid not null
record_sources.session_key bigint
record_sources.sequence bigint not null
record_sources.role text not null
record_sources.quote text not null
record_sources.is_context boolean not null default false
record_vectors.record_id uuid not null
record_vectors.tenant_id uuid not null
record_vectors.model_id integer not null
record_vectors.scope bigint not null
record_vectors.vector bytea not null
record_vectors.written xid8 not null default pg_current_xact_id()
records.record_id uuid not null
records.tenant_id uuid not null
records.memory_id uuid not null
records.namespace text not null
records.strategy_id uuid
records.strategy_version integer
records.actor_id text
records.session_key bigint
records.text text not null
records.fact_key text not null
records.extractor text not null
records.model text
records.prompt_hash text
records.event_id uuid not null
records.created_at timestamp with time zone not null
records.updated_at timestamp with time zone not null
records.superseded_by uuid
records.valid_to timestamp with time zone
records.stated_at timestamp with time zone not null
records.slot_key text
records.slot_value text
records.keywords text not null default ''::text
records.words tsvector default to_tsvector('english'::regconfig, ((text || ' '::text) || keywords))
records.terms bigint[] default record_terms(memory_id, namespace, ((text || ' '::text) || keywords))
records.event_from date
records.event_to date
records.details jsonb not null default '{}'::jsonb
relay_cursor.name text not null
relay_cursor.position bigint not null
relay_cursor.stream_mark jsonb
relay_pages.name text not null
relay_pages.after bigint not null
relay_pages.through bigint not null
relay_pages.ends bigint[] not null
relay_pages.published_at timestamp with time zone not null default now()
replaced_instances.nth bigint not null generated always as identity
replaced_instances.tenant_id uuid not null
replaced_instances.connector_id uuid not null
replaced_instances.instance_id text not null
replaced_instances.actor_id text not null
replaced_instances.session_id text not null
replaced_instances.replaced_at timestamp(3) with time zone not null default now()
rolling_sessions.tenant_id uuid not null
rolling_sessions.memory_id uuid not null
rolling_sessions.actor_id text not null
rolling_sessions.session_id text not null
rolling_sessions.version bigint not null
rolling_sessions.facts json not null
rolling_sessions.aged_facts json not null
rolling_sessions.summary text not null
rolling_sessions.first_captured_at timestamp with time zone not null
rolling_sessions.updated_at timestamp with time zone not null
session_activity.session_key bigint not null
session_activity.tenant_id uuid not null
session_activity.memory_id uuid not null
session_activity.actor_key bigint not null
session_activity.last_position bigint not null
session_activity.last_at timestamp with time zone not null
session_activity.messages bigint not null default 0
session_activity.binaries bigint not null default 0
sessions.session_key bigint not null generated always as identity
sessions.tenant_id uuid not null
sessions.memory_id uuid not null
sessions.actor_id text collate "C" not null
sessions.session_id text collate "C" not null
sessions.created_at timestamp with time zone not null
signing_keys.name text not null
signing_keys.key text not null
signing_keys.created_at timestamp with time zone not null default now()
strategies.strategy_id uuid not null
strategies.tenant_id uuid not null
strategies.memory_id uuid not null
strategies.ordinal integer not null
strategies.name text not null
strategies.type text not null
strategies.version integer not null
strategies.namespace_template text not null
strategies.automatic boolean not null
strategies.custom_prompt text
strategies.status text not null
strategies.created_at timestamp with time zone not null
strategies.updated_at timestamp with time zone not null
strategies.rolling json
strategies.output_schema json
strategy_model_usage.tenant_id uuid not null
strategy_model_usage.memory_id uuid not null
strategy_model_usage.strategy_id uuid not null
strategy_model_usage.day date not null
strategy_model_usage.calls bigint not null
strategy_model_usage.input_tokens bigint not null
strategy_model_usage.output_tokens bigint not null
strategy_totals.memory_id uuid not null
strategy_totals.strategy_id uuid not null
strategy_totals.tenant_id uuid not null
strategy_totals.current_records bigint not null
strategy_totals.superseded_records bigint not null
strategy_totals.records_made bigint not null
strategy_totals.model_calls bigint not null
strategy_totals.input_tokens bigint not null
strategy_totals.output_tokens bigint not null
tenants.tenant_id uuid not null
tenants.name text not null
tenants.created_at timestamp with time zone not null default now()
tenants.requests_per_second integer
tenants.limits jsonb not null default '{}'::jsonb
tenants.deleted_at timestamp with time zone
tombstones.partition smallint not null
tombstones.position bigint not null
tombstones.tenant_id uuid not null
tombstones.session_key bigint
tombstones.sequence bigint
tombstones.reason text not null
tombstones.at timestamp with time zone not null
tombstones.kept boolean not null default false
total_changes.tenant_id uuid not null
total_changes.memory_id uuid not null
total_changes.strategy_id uuid
total_changes.current_records integer not null default 0
total_changes.superseded_records integer not null default 0
total_changes.records_made bigint not null default 0
total_changes.model_calls bigint not null default 0
total_changes.input_tokens bigint not null default 0
total_changes.output_tokens bigint not null default 0
trace_contexts.event_id uuid not null
trace_contexts.traceparent text not null
trace_contexts.noted_at timestamp with time zone not null default now()
turn_segments.session_key bigint not null
turn_segments.first_sequence bigint not null
turn_segments.last_sequence bigint not null
turn_segments.last_place integer not null
turn_segments.tenant_id uuid not null
turn_segments.memory_id uuid not null
turn_segments.actor_key bigint not null
turn_segments.turns integer not null
turn_segments.words bigint not null
turn_segments.first_day integer not null
turn_segments.last_day integer not null
turn_segments.speakers text[] not null
turn_segments.languages text[] not null
turn_segments.terms integer[] not null
turn_segments.data bytea not null
turn_segments.is_sealed boolean not null
turn_segments.changed_at timestamp with time zone not null default now()
turn_segments.first_position bigint not null
turn_segments.last_position bigint not null
turn_vectors.session_key bigint not null
turn_vectors.sequence bigint not null
turn_vectors.model_id integer not null
turn_vectors.tenant_id uuid not null
turn_vectors.vector bytea not null
usage_changes.tenant_id uuid not null
usage_changes.memory_id uuid not null
usage_changes.session_key bigint not null
usage_changes.messages integer not null
usage_changes.binaries integer not null
usage_changes.position bigint
usage_changes.actor_key bigint
vendor_agents.tenant_id uuid not null
vendor_agents.vendor text not null
vendor_agents.app_id text not null
vendor_agents.agent_id text collate "C" not null
vendor_agents.name text not null
vendor_agents.llm json not null
vendor_apps.tenant_id uuid not null
vendor_apps.vendor text not null
vendor_apps.app_id text not null
vendor_apps.memory_id uuid not null
vendor_apps.secret text
vendor_apps.created_at timestamp with time zone not null
vendor_signatures.tenant_id uuid not null
vendor_signatures.vendor text not null
vendor_signatures.app_id text not null
vendor_signatures.signature text not null
vendor_signatures.seen_at timestamp with time zone not null default now()
webhook_attempts.delivery_id uuid not null
webhook_attempts.attempt integer not null
webhook_attempts.at timestamp with time zone not null default now()
webhook_attempts.reason text not null
webhook_attempts.status integer
webhook_attempts.duration_ms integer not null
webhook_attempts.detail text
webhook_deliveries.delivery_id uuid not null
webhook_deliveries.tenant_id uuid not null
webhook_deliveries.endpoint_id uuid not null
webhook_deliveries.event_type text not null
webhook_deliveries.cause_event_id uuid not null
webhook_deliveries.agent_id uuid
webhook_deliveries.message_id text not null
webhook_deliveries.body bytea
webhook_deliveries.status text not null default 'pending'::text
webhook_deliveries.attempts integer not null default 0
webhook_deliveries.round integer not null default 1
webhook_deliveries.due_at timestamp with time zone
webhook_deliveries.last_reason text
webhook_deliveries.park_reason text
webhook_deliveries.fence bigint not null default 0
webhook_deliveries.lease_until timestamp with time zone
webhook_deliveries.created_at timestamp(3) with time zone not null default now()
webhook_deliveries.admitted_until timestamp with time zone
webhook_deliveries.purged_at timestamp(3) with time zone
webhook_deliveries.lost_leases integer not null default 0
webhook_deliveries.memory_id uuid
webhook_deliveries.agent_place bigint
webhook_endpoints.endpoint_id uuid not null
webhook_endpoints.tenant_id uuid not null
webhook_endpoints.url text not null
webhook_endpoints.description text not null
webhook_endpoints.events text[]
webhook_endpoints.format text not null
webhook_endpoints.secrets json not null
webhook_endpoints.status text not null
webhook_endpoints.created_at timestamp with time zone not null default now()
webhook_endpoints.timeouts integer not null default 0

-- Constraints

alter table activity_samples add constraint activity_samples_pkey PRIMARY KEY (slot);
alter table actor_counts add constraint actor_counts_pkey PRIMARY KEY (memory_id, actor_key);
alter table agent_idle_watches add constraint agent_idle_watches_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(agent_id) ON DELETE CASCADE;
alter table agent_idle_watches add constraint agent_idle_watches_pkey PRIMARY KEY (agent_id);
alter table agents add constraint agents_pkey PRIMARY KEY (agent_id);
alter table api_keys add constraint api_keys_pkey PRIMARY KEY (key_id);
alter table api_keys add constraint api_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id) ON DELETE CASCADE;
alter table audit_log add constraint audit_log_pkey PRIMARY KEY (entry);
alter table buried_positions add constraint buried_positions_check CHECK ((first <= last));
alter table buried_positions add constraint buried_positions_partition_last_key UNIQUE (partition, last);
alter table buried_positions add constraint buried_positions_pkey PRIMARY KEY (partition, first);
alter table buried_sequences add constraint buried_sequences_check CHECK ((first <= last));
alter table buried_sequences add constraint buried_sequences_pkey PRIMARY KEY (session_key, first);
alter table buried_sequences add constraint buried_sequences_session_key_last_key UNIQUE (session_key, last);
alter table closed_sessions add constraint closed_sessions_pkey PRIMARY KEY (session_key);
alter table connector_calls add constraint connector_calls_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(connector_id) ON DELETE CASCADE;
alter table connector_calls add constraint connector_calls_pkey PRIMARY KEY (connector_id, call_key);
alter table connector_instances add constraint connector_instances_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(connector_id) ON DELETE CASCADE;
alter table connector_instances add constraint connector_instances_pkey PRIMARY KEY (connector_id, instance_id);
alter table connector_notices add constraint connector_notices_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(connector_id) ON DELETE CASCADE;
alter table connector_notices add constraint connector_notices_pkey PRIMARY KEY (connector_id, notice_key);
alter table connector_stamps add constraint connector_stamps_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(connector_id) ON DELETE CASCADE;
alter table connector_stamps add constraint connector_stamps_pkey PRIMARY KEY (connector_id, stamp);
alter table connectors add constraint connectors_pkey PRIMARY KEY (connector_id);
alter table deferred_progress add constraint deferred_progress_pkey PRIMARY KEY (session_key);
alter table dispatch_cursor add constraint dispatch_cursor_pkey PRIMARY KEY (name);
alter table embedding_models add constraint embedding_models_model_key UNIQUE (model);
alter table embedding_models add constraint embedding_models_pkey PRIMARY KEY (model_id);
alter table erased_event_ids add constraint erased_event_ids_pkey PRIMARY KEY (tenant_id, event_id);
alter table events add constraint events_event_id_key UNIQUE (tenant_id, event_id);
alter table events add constraint events_pkey PRIMARY KEY (partition, "position");
alter table expiry_changes add constraint expiry_changes_days_check CHECK (((days >= 1) AND (days <= 365)));
alter table expiry_changes add constraint expiry_changes_pkey PRIMARY KEY (memory_id, before);
alter table extraction_states add constraint extraction_states_pkey PRIMARY KEY (session_key, strategy_id);
alter table extraction_states add constraint extraction_states_strategy_id_fkey FOREIGN KEY (strategy_id) REFERENCES strategies(strategy_id) ON DELETE CASCADE;
alter table graph_blobs add constraint graph_blobs_pkey PRIMARY KEY (thread_key, checkpoint_ns, channel, version);
alter table graph_blobs add constraint graph_blobs_thread_key_fkey FOREIGN KEY (thread_key) REFERENCES graph_threads(thread_key) ON DELETE CASCADE;
alter table graph_checkpoints add constraint graph_checkpoints_pkey PRIMARY KEY (thread_key, checkpoint_ns, checkpoint_id);
alter table graph_checkpoints add constraint graph_checkpoints_thread_key_fkey FOREIGN KEY (thread_key) REFERENCES graph_threads(thread_key) ON DELETE CASCADE;
alter table graph_items add constraint graph_items_pkey PRIMARY KEY (memory_id, namespace, key);
alter table graph_threads add constraint graph_threads_memory_id_session_id_actor_id_key UNIQUE (memory_id, session_id, actor_id);
alter table graph_threads add constraint graph_threads_pkey PRIMARY KEY (thread_key);
alter table graph_writes add constraint graph_writes_pkey PRIMARY KEY (thread_key, checkpoint_ns, checkpoint_id, task_id, write_index);
alter table graph_writes add constraint graph_writes_thread_key_fkey FOREIGN KEY (thread_key) REFERENCES graph_threads(thread_key) ON DELETE CASCADE;
alter table idempotent_requests add constraint idempotent_requests_pkey PRIMARY KEY (request_id);
alter table memories add constraint memories_pkey PRIMARY KEY (memory_id);
alter table memory_counts add constraint memory_counts_pkey PRIMARY KEY (memory_id);
alter table memory_gates add constraint memory_gates_event_expiry_days_check CHECK (((event_expiry_days >= 1) AND (event_expiry_days <= 365)));
alter table memory_gates add constraint memory_gates_pkey PRIMARY KEY (memory_id);
alter table model_usage add constraint model_usage_pkey PRIMARY KEY (tenant_id, day);
alter table parked_items add constraint parked_items_pkey PRIMARY KEY (source, item_id);
alter table parked_notes add constraint parked_notes_pkey PRIMARY KEY (kind, item_key, parked_at);
alter table parked_windows add constraint parked_windows_pkey PRIMARY KEY (session_key, strategy_id, to_sequence);
alter table parked_windows add constraint parked_windows_strategy_id_fkey FOREIGN KEY (strategy_id) REFERENCES strategies(strategy_id) ON DELETE CASCADE;
alter table question_cursor add constraint question_cursor_pkey PRIMARY KEY (name);
alter table rate_budgets add constraint rate_budgets_pkey PRIMARY KEY (tenant_id, kind);
alter table record_deletion_items add constraint record_deletion_items_deletion_id_fkey FOREIGN KEY (deletion_id) REFERENCES record_deletions(deletion_id) ON DELETE CASCADE;
alter table record_deletion_items add constraint record_deletion_items_pkey PRIMARY KEY (deletion_id, place);
alter table record_deletions add constraint record_deletions_pkey PRIMARY KEY (deletion_id);
alter table record_sources add constraint record_sources_record_id_fkey FOREIGN KEY (record_id, tenant_id) REFERENCES records(record_id, tenant_id) ON DELETE CASCADE;
alter table record_vectors add constraint record_vectors_model_id_fkey FOREIGN KEY (model_id) REFERENCES embedding_models(model_id) ON DELETE CASCADE;
alter table record_vectors add constraint record_vectors_pkey PRIMARY KEY (record_id, tenant_id, model_id);
alter table record_vectors add constraint record_vectors_record_id_tenant_id_fkey FOREIGN KEY (record_id, tenant_id) REFERENCES records(record_id, tenant_id) ON DELETE CASCADE;
alter table records add constraint records_pkey PRIMARY KEY (record_id, tenant_id);
alter table relay_cursor add constraint relay_cursor_pkey PRIMARY KEY (name);
alter table relay_pages add constraint relay_pages_pkey PRIMARY KEY (name, through);
alter table replaced_instances add constraint replaced_instances_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connectors(connector_id) ON DELETE CASCADE;
alter table replaced_instances add constraint replaced_instances_pkey PRIMARY KEY (nth);
alter table rolling_sessions add constraint rolling_sessions_pkey PRIMARY KEY (memory_id, actor_id, session_id);
alter table session_activity add constraint session_activity_pkey PRIMARY KEY (session_key);
alter table sessions add constraint sessions_memory_id_actor_id_session_id_key UNIQUE (memory_id, actor_id, session_id);
alter table sessions add constraint sessions_pkey PRIMARY KEY (session_key);
alter table signing_keys add constraint signing_keys_pkey PRIMARY KEY (name);
alter table strategies add constraint strategies_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES memories(memory_id) ON DELETE CASCADE;
alter table strategies add constraint strategies_pkey PRIMARY KEY (strategy_id);
alter table strategy_model_usage add constraint strategy_model_usage_pkey PRIMARY KEY (memory_id, day, strategy_id);
alter table strategy_totals add constraint strategy_totals_pkey PRIMARY KEY (memory_id, strategy_id);
alter table tenants add constraint tenants_name_key UNIQUE (name);
alter table tenants add constraint tenants_pkey PRIMARY KEY (tenant_id);
alter table tenants add constraint tenants_requests_per_second_check CHECK ((requests_per_second > 0));
alter table tombstones add constraint tombstones_pkey PRIMARY KEY (partition, "position");
alter table trace_contexts add constraint trace_contexts_pkey PRIMARY KEY (event_id);
alter table turn_segments add constraint turn_segments_pkey PRIMARY KEY (session_key, first_sequence);
alter table turn_vectors add constraint turn_vectors_model_id_fkey FOREIGN KEY (model_id) REFERENCES embedding_models(model_id);
alter table turn_vectors add constraint turn_vectors_pkey PRIMARY KEY (session_key, sequence, model_id);
alter table vendor_agents add constraint vendor_agents_pkey PRIMARY KEY (tenant_id, vendor, app_id, agent_id);
alter table vendor_agents add constraint vendor_agents_tenant_id_vendor_app_id_fkey FOREIGN KEY (tenant_id, vendor, app_id) REFERENCES vendor_apps(tenant_id, vendor, app_id) ON DELETE CASCADE;
alter table vendor_apps add constraint vendor_apps_pkey PRIMARY KEY (tenant_id, vendor, app_id);
alter table vendor_signatures add constraint vendor_signatures_pkey PRIMARY KEY (tenant_id, vendor, app_id, signature);
alter table webhook_attempts add constraint webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(delivery_id) ON DELETE CASCADE;
alter table webhook_attempts add constraint webhook_attempts_pkey PRIMARY KEY (delivery_id, attempt);
alter table webhook_deliveries add constraint webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(endpoint_id) ON DELETE CASCADE;
alter table webhook_deliveries add constraint webhook_deliveries_endpoint_id_message_id_key UNIQUE (endpoint_id, message_id);
alter table webhook_deliveries add constraint webhook_deliveries_pkey PRIMARY KEY (delivery_id);
alter table webhook_endpoints add constraint webhook_endpoints_pkey PRIMARY KEY (endpoint_id);

-- Indexes

CREATE INDEX agent_idle_watches_due ON public.agent_idle_watches USING btree (due_at);
CREATE INDEX agents_by_session ON public.agents USING btree (memory_id, actor_id, session_id);
CREATE INDEX agents_by_tenant ON public.agents USING btree (tenant_id, started_at DESC, agent_id);
CREATE INDEX agents_by_vendor_id ON public.agents USING btree (tenant_id, vendor_agent_id) WHERE (vendor_agent_id IS NOT NULL);
CREATE INDEX api_keys_by_tenant ON public.api_keys USING btree (tenant_id, created_at DESC);
CREATE INDEX audit_log_by_age ON public.audit_log USING btree (at);
CREATE INDEX audit_log_of_tenant ON public.audit_log USING btree (tenant_id, entry);
CREATE INDEX closed_sessions_purged ON public.closed_sessions USING btree (purged_at) WHERE (purged_at IS NOT NULL);
CREATE INDEX closed_sessions_unpurged ON public.closed_sessions USING btree (memory_id, session_key) WHERE (purged_at IS NULL);
CREATE INDEX connector_calls_by_actor ON public.connector_calls USING btree (tenant_id, actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX connector_calls_due ON public.connector_calls USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX connector_calls_old ON public.connector_calls USING btree (updated_at) WHERE (due_at IS NULL);
CREATE INDEX connector_notices_listed ON public.connector_notices USING btree (connector_id, received_at DESC, notice_key DESC);
CREATE INDEX connector_notices_of_call ON public.connector_notices USING btree (connector_id, call_key, arrival) WHERE (status = ANY (ARRAY['waiting'::text, 'applied'::text, 'parked'::text]));
CREATE INDEX connector_notices_old ON public.connector_notices USING btree (received_at) WHERE (status = ANY (ARRAY['folded'::text, 'ignored'::text, 'parked'::text]));
CREATE INDEX connector_notices_parked ON public.connector_notices USING btree (received_at) WHERE (status = 'parked'::text);
CREATE INDEX connector_stamps_old ON public.connector_stamps USING btree (seen_at);
CREATE INDEX connectors_by_tenant ON public.connectors USING btree (tenant_id, created_at);
CREATE INDEX deferred_progress_tried ON public.deferred_progress USING btree (tried_at);
CREATE INDEX erased_event_ids_old ON public.erased_event_ids USING btree (until);
CREATE INDEX events_agent_ends ON public.events USING btree (((well_formed(data) ->> 'agentId'::text))) WHERE (type = ANY (ARRAY['agent.stopped'::text, 'agent.failed'::text]));
CREATE INDEX events_derived ON public.events USING btree (session_key) WHERE ((sequence IS NULL) AND (session_key IS NOT NULL));
CREATE INDEX events_expiring ON public.events USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX events_interruptions ON public.events USING btree (session_key, ((well_formed(data) ->> 'messageEventId'::text))) WHERE (type = 'message.interrupted'::text);
CREATE INDEX events_of_memory ON public.events USING btree (memory_id) WHERE (session_key IS NULL);
CREATE INDEX events_resets ON public.events USING btree (session_key, sequence) WHERE (type = 'history.reset'::text);
CREATE INDEX extraction_states_admitted ON public.extraction_states USING btree (tenant_id) WHERE (admitted_until IS NOT NULL);
CREATE INDEX extraction_states_all_parked ON public.extraction_states USING btree (updated_at) WHERE (status = 'parked'::text);
CREATE INDEX extraction_states_by_memory ON public.extraction_states USING btree (memory_id, strategy_id);
CREATE INDEX extraction_states_by_session ON public.extraction_states USING btree (memory_id, actor_id, session_id);
CREATE INDEX extraction_states_due ON public.extraction_states USING btree (tenant_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX extraction_states_leased ON public.extraction_states USING btree (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX extraction_states_parked ON public.extraction_states USING btree (memory_id, updated_at) WHERE (status = 'parked'::text);
CREATE INDEX extraction_states_waiting ON public.extraction_states USING btree (memory_id, strategy_id) WHERE (status = 'waiting'::text);
CREATE INDEX graph_items_expired ON public.graph_items USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX idempotent_requests_by_age ON public.idempotent_requests USING btree (created_at);
CREATE INDEX idempotent_requests_of_memory ON public.idempotent_requests USING btree (memory_id) WHERE (NOT erased);
CREATE INDEX memories_by_expiry ON public.memories USING btree (event_expiry_duration);
CREATE INDEX memories_by_tenant ON public.memories USING btree (tenant_id, created_at DESC, memory_id);
CREATE INDEX memories_deleted ON public.memories USING btree (memory_id) WHERE (status = 'DELETED'::text);
CREATE INDEX memory_gates_unpurged ON public.memory_gates USING btree (memory_id) WHERE ((closed_at IS NOT NULL) AND (purged_at IS NULL));
CREATE INDEX parked_items_open ON public.parked_items USING btree (parked_at) WHERE (resolved_at IS NULL);
CREATE INDEX parked_items_requested ON public.parked_items USING btree (requested_at) WHERE ((requested_at IS NOT NULL) AND (resolved_at IS NULL));
CREATE INDEX parked_items_resolved ON public.parked_items USING btree (resolved_at) WHERE (resolved_at IS NOT NULL);
CREATE INDEX parked_notes_dropped ON public.parked_notes USING btree (dropped_at) WHERE (dropped_at IS NOT NULL);
CREATE INDEX parked_windows_of_memory ON public.parked_windows USING btree (memory_id, parked_at);
CREATE INDEX parked_windows_open ON public.parked_windows USING btree (parked_at) WHERE ((dropped_at IS NULL) AND (requested_at IS NULL));
CREATE INDEX record_deletions_due ON public.record_deletions USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX record_deletions_finished ON public.record_deletions USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX record_deletions_of_memory ON public.record_deletions USING btree (memory_id, deletion_id);
CREATE INDEX record_deletions_unfinished ON public.record_deletions USING btree (tenant_id) WHERE (finished_at IS NULL);
CREATE INDEX record_sources_by_event ON public.record_sources USING btree (event_id);
CREATE INDEX record_sources_by_turn ON public.record_sources USING btree (session_key, sequence);
CREATE INDEX record_vectors_by_scope ON public.record_vectors USING btree (scope, model_id, written);
CREATE INDEX record_vectors_of_model ON public.record_vectors USING btree (model_id);
CREATE INDEX records_by_namespace ON public.records USING btree (memory_id, md5(namespace), created_at DESC, record_id);
CREATE INDEX records_by_session ON public.records USING btree (session_key) WHERE (session_key IS NOT NULL);
CREATE INDEX records_by_slot ON public.records USING btree (memory_id, md5(namespace), md5(slot_key)) WHERE ((slot_key IS NOT NULL) AND (superseded_by IS NULL));
CREATE INDEX records_by_terms ON public.records USING gin (terms) WITH (fastupdate=off);
CREATE INDEX records_by_time ON public.records USING btree (memory_id, md5(namespace), stated_at DESC, created_at DESC, record_id) WHERE (superseded_by IS NULL);
CREATE INDEX records_of_actor ON public.records USING btree (memory_id, actor_id, stated_at DESC, created_at DESC, record_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX records_superseded ON public.records USING btree (superseded_by) WHERE (superseded_by IS NOT NULL);
CREATE INDEX records_with_attribute ON public.records USING btree (memory_id, actor_id) WHERE ((superseded_by IS NULL) AND (details ? 'attribute'::text));
CREATE INDEX relay_pages_by_age ON public.relay_pages USING btree (name, published_at);
CREATE INDEX replaced_instances_by_instance ON public.replaced_instances USING btree (connector_id, instance_id, nth);
CREATE INDEX session_activity_of_actor ON public.session_activity USING btree (memory_id, actor_key, last_position DESC);
CREATE INDEX session_activity_of_memory ON public.session_activity USING btree (memory_id, last_position DESC);
CREATE INDEX strategies_by_memory ON public.strategies USING btree (memory_id, ordinal);
CREATE INDEX strategy_model_usage_by_tenant ON public.strategy_model_usage USING btree (tenant_id);
CREATE INDEX tombstones_to_merge ON public.tombstones USING btree (at) WHERE (NOT kept);
CREATE INDEX total_changes_of_memory ON public.total_changes USING btree (memory_id);
CREATE INDEX trace_contexts_by_age ON public.trace_contexts USING btree (noted_at);
CREATE INDEX turn_segments_by_term ON public.turn_segments USING gin (terms) WHERE is_sealed;
CREATE INDEX turn_segments_from_first ON public.turn_segments USING btree (memory_id, first_position) WHERE is_sealed;
CREATE INDEX turn_segments_from_last ON public.turn_segments USING btree (memory_id, last_position) WHERE is_sealed;
CREATE INDEX turn_segments_of_actor ON public.turn_segments USING btree (memory_id, actor_key);
CREATE INDEX turn_segments_unsealed ON public.turn_segments USING btree (memory_id) WHERE (NOT is_sealed);
CREATE INDEX turn_vectors_of_model ON public.turn_vectors USING btree (model_id);
CREATE INDEX usage_changes_of_session ON public.usage_changes USING btree (memory_id, session_key);
CREATE INDEX vendor_signatures_old ON public.vendor_signatures USING btree (seen_at);
CREATE INDEX webhook_attempts_by_time ON public.webhook_attempts USING btree (at);
CREATE INDEX webhook_deliveries_admitted ON public.webhook_deliveries USING btree (endpoint_id) WHERE (admitted_until IS NOT NULL);
CREATE INDEX webhook_deliveries_by_agent ON public.webhook_deliveries USING btree (agent_id);
CREATE INDEX webhook_deliveries_by_cause ON public.webhook_deliveries USING btree (cause_event_id);
CREATE INDEX webhook_deliveries_by_endpoint ON public.webhook_deliveries USING btree (endpoint_id, created_at DESC, delivery_id DESC);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, due_at, delivery_id) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_deliveries_final ON public.webhook_deliveries USING btree (created_at) WHERE ((purged_at IS NOT NULL) AND (event_type <> 'agent.history'::text));
CREATE INDEX webhook_deliveries_in_order ON public.webhook_deliveries USING btree (endpoint_id, agent_id, agent_place) WHERE ((agent_place IS NOT NULL) AND (status = 'pending'::text));
CREATE INDEX webhook_deliveries_kept ON public.webhook_deliveries USING btree (created_at) WHERE ((status <> 'pending'::text) AND (purged_at IS NULL));
CREATE INDEX webhook_deliveries_kept_of_memory ON public.webhook_deliveries USING btree (memory_id, created_at) WHERE ((status <> 'pending'::text) AND (purged_at IS NULL) AND (memory_id IS NOT NULL));
CREATE INDEX webhook_deliveries_leased ON public.webhook_deliveries USING btree (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX webhook_deliveries_parked ON public.webhook_deliveries USING btree (created_at) WHERE (status = 'parked'::text);
CREATE INDEX webhook_endpoints_by_tenant ON public.webhook_endpoints USING btree (tenant_id, created_at);
CREATE UNIQUE INDEX agents_running_name ON public.agents USING btree (tenant_id, COALESCE(app_id, (memory_id)::text), name) WHERE (status = 'RUNNING'::text);
CREATE UNIQUE INDEX events_by_session ON public.events USING btree (session_key, sequence) WHERE (sequence IS NOT NULL);
CREATE UNIQUE INDEX idempotent_requests_by_key ON public.idempotent_requests USING btree (tenant_id, route, key);
CREATE UNIQUE INDEX record_sources_once ON public.record_sources USING btree (record_id, event_id, md5(quote), tenant_id);
CREATE UNIQUE INDEX records_by_fact ON public.records USING btree (memory_id, md5(namespace), md5(fact_key)) WHERE (superseded_by IS NULL);
CREATE UNIQUE INDEX tombstones_by_session ON public.tombstones USING btree (session_key, sequence) WHERE (sequence IS NOT NULL);
CREATE UNIQUE INDEX vendor_apps_by_secret ON public.vendor_apps USING btree (vendor, app_id, md5(secret)) WHERE (secret IS NOT NULL);

-- Triggers

CREATE TRIGGER audit_log_rows BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_truncate BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER buried_positions_stay BEFORE INSERT OR DELETE OR UPDATE ON public.buried_positions FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_meant('burial');
CREATE TRIGGER buried_sequences_stay BEFORE INSERT OR DELETE OR UPDATE ON public.buried_sequences FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_meant('burial');
CREATE TRIGGER bury_events AFTER DELETE ON public.events REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION bury_events();
CREATE TRIGGER count_deleted_events AFTER DELETE ON public.events REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_events();
CREATE TRIGGER events_are_never_edited BEFORE UPDATE OF partition, "position", event_id, tenant_id, memory_id, session_key, sequence, type, schema_version, occurred_at, recorded_at, fingerprint OR TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_are_only_redacted BEFORE UPDATE OF data, redacted_at ON public.events FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_meant('redaction');
CREATE TRIGGER events_keep_their_expiry BEFORE UPDATE OF expires_at ON public.events FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_meant('expiry');
CREATE TRIGGER forget_activity AFTER DELETE ON public.sessions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_activity();
CREATE TRIGGER forget_deferred_progress AFTER DELETE ON public.sessions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_deferred_progress();
CREATE TRIGGER forget_responses AFTER UPDATE OF body ON public.webhook_deliveries FOR EACH ROW WHEN (((old.body IS NOT NULL) AND (new.body IS NULL))) EXECUTE FUNCTION forget_responses();
CREATE TRIGGER forget_turn_vectors AFTER DELETE ON public.events REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_turn_vectors();
CREATE TRIGGER forget_turns AFTER DELETE ON public.events REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_turns();
CREATE TRIGGER keep_replaced_mapping AFTER UPDATE ON public.connector_instances FOR EACH ROW WHEN (((old.actor_id IS DISTINCT FROM new.actor_id) OR (old.session_id IS DISTINCT FROM new.session_id))) EXECUTE FUNCTION keep_replaced_mapping();
CREATE TRIGGER set_delivery_memory BEFORE INSERT ON public.webhook_deliveries FOR EACH ROW EXECUTE FUNCTION set_delivery_memory();
CREATE TRIGGER tombstones_are_only_merged BEFORE DELETE OR UPDATE OF kept ON public.tombstones FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_meant('burial');
CREATE TRIGGER tombstones_stay BEFORE UPDATE OF partition, "position", tenant_id, session_key, sequence, reason, at OR TRUNCATE ON public.tombstones FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER total_added_records AFTER INSERT ON public.records REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION total_added_records();
CREATE TRIGGER total_changed_records AFTER UPDATE ON public.records REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION total_changed_records();
CREATE TRIGGER total_deleted_memory AFTER DELETE ON public.memories FOR EACH ROW EXECUTE FUNCTION total_deleted_memory();
CREATE TRIGGER total_deleted_records AFTER DELETE ON public.records REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION total_deleted_records();
CREATE TRIGGER total_extraction AFTER UPDATE OF records_made, model_calls ON public.extraction_states FOR EACH ROW WHEN (((new.records_made <> old.records_made) OR (new.model_calls <> old.model_calls))) EXECUTE FUNCTION total_extraction();

-- Functions

CREATE OR REPLACE FUNCTION public.activity_actor(for_tenant uuid, of_memory uuid, of_actor text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select hashtextextended(of_actor, turn_memory(for_tenant, of_memory));
$function$

CREATE OR REPLACE FUNCTION public.answer_after(for_tenant uuid, key bigint, asked bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  answer events;
  heard text;
begin
  if tenant_allowed(for_tenant) is not true then
    return null;
  end if;
  select e.* into answer from events e
  -- Few events that are no messages are between them.
  where e.session_key = key and e.sequence > asked and e.sequence <= asked + 64
    and e.type = 'message.appended' and (e.expires_at is null or e.expires_at > now())
  order by e.sequence limit 1;
  if answer.tenant_id is distinct from for_tenant
    or lower(well_formed(answer.data) ->> 'role') not in ('assistant', 'ai')
    or coalesce(well_formed(answer.data) ->> 'content', '') = '' then
    return null;
  end if;
  -- The newest interruption that says what was heard does not say nothing.
  select x.of ->> 'heard' into heard
  from interruptions_of(for_tenant, array[key], array[answer.event_id], null) c
  cross join lateral json_array_elements(well_formed(c.interruptions)) with ordinality x (of, n)
  where x.of ->> 'heard' is not null order by x.n desc limit 1;
  if heard = '' or exists (
    select from events r
    where r.session_key = key and r.sequence > asked and r.type = 'history.reset' and well_formed(r.data) ->> 'agentId' is null
  ) then
    return null;
  end if;
  return answer.position;
end $function$

CREATE OR REPLACE FUNCTION public.append_batch(tenant_ids uuid[], memory_ids uuid[], actor_ids text[], session_ids text[], expected_sequences bigint[], fingerprints text[], event_counts integer[], creating boolean[], agent_ids uuid[], agent_statuses text[], ids_to_look_up uuid[], event_requests integer[], session_places integer[], event_ids uuid[], types text[], schema_versions smallint[], expiring boolean[], occurred_ats timestamp with time zone[], event_fingerprints text[], user_turns boolean[], memory_days integer[], for_existing boolean[], data json, recorded timestamp with time zone)
 RETURNS json
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  asked constant timestamptz := clock_timestamp();
  waited double precision;
  stamp timestamptz;
  head bigint;
  -- Why a request is not stored; null: it can be.
  judgements json[];
  -- Arrays that are indexed per event contain no nulls, because an element is then found without a scan. 0 means none.
  session_keys bigint[];
  newest bigint[];
  expiry_days integer[];
  all_good boolean;
  opening boolean;
begin
  if current_setting('role', true) in ('turnkeeper_app', 'turnkeeper_restricted')
    and exists (select from unnest(tenant_ids) as t (id) where t.id is distinct from current_tenant()) then
    raise exception 'this connection works for another tenant' using errcode = 'insufficient_privilege';
  end if;

  -- 'TURN', and the partition.
  perform pg_advisory_xact_lock(1414877774, 0);
  waited := extract(epoch from clock_timestamp() - asked) * 1000;
  stamp := coalesce(recorded, date_trunc('milliseconds', clock_timestamp()));

  -- Aggregated in the order of unnest, which nothing here changes.
  select
    array_agg(q.judgement), array_agg(coalesce(q.session_key, 0)), array_agg(q.newest), array_agg(coalesce(q.expiry_days, 0)),
    bool_and(q.judgement is null), bool_or(q.session_key is null and q.session_id is not null),
    greatest(
      (select e.position from events e where e.partition = 0 order by e.position desc limit 1),
      (select t.position from tombstones t where t.partition = 0 order by t.position desc limit 1),
      0
    )
  into judgements, session_keys, newest, expiry_days, all_good, opening, head
  from (
    select
      r.session_id, r.session_key, r.newest, r.expiry_days,
      case
        when r.stored_position is not null then (
          select case
            -- Erased, and about to be deleted.
            when exists (
              select from closed_sessions c
              where c.session_key = e.session_key and c.reason in ('session_erased', 'actor_erased')
            ) then json_build_object('outcome', 'content_erased')
            when (e.tenant_id, e.memory_id) is distinct from (r.tenant_id, r.memory_id)
              or e.session_key is distinct from r.session_key then json_build_object('outcome', 'idempotency_mismatch')
            when case
              when r.fingerprint is not null then decode(r.fingerprint, 'hex') is not distinct from e.fingerprint
              else (
                select array_agg((s.event_id, s.type) order by s.position)
                from events s
                where s.partition = 0 and s.position between e.position and e.position + r.event_count - 1
              ) = (
                select array_agg((g.event_id, g.type) order by g.n)
                from unnest(event_requests, event_ids, types) with ordinality as g (request, event_id, type, n)
                where g.request = r.n
              )
            end then json_build_object(
              'outcome', 'duplicate', 'position', e.position, 'sequence', e.sequence,
              'at', extract(epoch from e.recorded_at) * 1000
            )
            else json_build_object('outcome', 'idempotency_mismatch')
          end
          from events e where e.partition = 0 and e.position = r.stored_position
        )
        when r.has_erased_event then json_build_object('outcome', 'content_erased')
        when r.has_stored_event then json_build_object('outcome', 'idempotency_mismatch')
        when r.creating then (
          select case
            when count(*) = 0 then null
            when bool_or(g.tenant_id = r.tenant_id) then json_build_object('outcome', 'memory_exists')
            else json_build_object('outcome', 'memory_not_found')
          end
          from memory_gates g where g.memory_id = r.memory_id
        )
        when r.expiry_days is null then json_build_object('outcome', 'memory_not_found')
        when r.agent_status <> 'RUNNING' then json_build_object('outcome', 'agent_ended', 'status', r.agent_status)
        when r.ended_by is not null then json_build_object(
          'outcome', 'agent_ended', 'status', case r.ended_by when 'agent.failed' then 'FAILED' else 'STOPPED' end
        )
        when r.expected_sequence <> r.newest then json_build_object('outcome', 'sequence_conflict', 'sequence', r.newest)
      end as judgement
    from (
      select
        k.*,
        coalesce(greatest(
          (select e.sequence from events e
           where e.session_key = k.session_key and e.sequence is not null order by e.sequence desc limit 1),
          (select t.sequence from tombstones t
           where t.session_key = k.session_key and t.sequence is not null order by t.sequence desc limit 1)
        ), 0) as newest
      from (
        select
          u.*,
          (select e.position from events e
           where e.tenant_id = u.tenant_id and e.event_id = u.id_to_look_up) as stored_position,
          -- The later ids too: the unique key would wait for a row that a purge is deleting.
          case when u.id_to_look_up is not null and u.event_count > 1 then coalesce((
            select true
            from unnest(event_ids[u.first_event + 1 : u.first_event + u.event_count - 1]) as i (id)
            where (select e.position from events e where e.tenant_id = u.tenant_id and e.event_id = i.id) is not null
            limit 1
          ), false) else false end as has_stored_event,
          case when u.id_to_look_up is not null then coalesce((
            select true
            from unnest(event_ids[u.first_event : u.first_event + u.event_count - 1]) as i (id)
            where (select x.until from erased_event_ids x where x.tenant_id = u.tenant_id and x.event_id = i.id)
              is not null
            limit 1
          ), false) else false end as has_erased_event,
          -- Null while the agent is running.
          case when u.agent_id is not null then (
            select e.type from events e
            where e.type in ('agent.stopped', 'agent.failed') and well_formed(e.data) ->> 'agentId' = u.agent_id::text
              and e.tenant_id = u.tenant_id
            limit 1
          ) end as ended_by,
          -- Null if the memory does not exist or is closed.
          (select g.event_expiry_days from memory_gates g
           where g.memory_id = u.memory_id and g.tenant_id = u.tenant_id and g.is_open) as expiry_days,
          (select s.session_key from sessions s
           where s.memory_id = u.memory_id and s.actor_id = u.actor_id and s.session_id = u.session_id) as session_key
        from (
          select a.*, (sum(a.event_count) over (order by a.n) - a.event_count + 1)::integer as first_event
          from unnest(
            tenant_ids, memory_ids, actor_ids, session_ids, expected_sequences, fingerprints,
            event_counts, creating, agent_ids, agent_statuses, ids_to_look_up
          ) with ordinality as a (
            tenant_id, memory_id, actor_id, session_id, expected_sequence, fingerprint,
            event_count, creating, agent_id, agent_status, id_to_look_up, n
          )
        ) u
        -- Optimization fences: each lookup runs once, not once per reference.
        offset 0
      ) k
      offset 0
    ) r
  ) q;

  if not all_good then
    return json_build_object('judgements', array_to_json(judgements), 'waited', waited);
  end if;

  if opening then
    insert into sessions (tenant_id, memory_id, actor_id, session_id, created_at)
    select u.tenant_id, u.memory_id, u.actor_id, u.session_id, stamp
    from unnest(tenant_ids, memory_ids, actor_ids, session_ids, session_keys) with ordinality
      as u (tenant_id, memory_id, actor_id, session_id, session_key, n)
    where u.session_key = 0 and u.session_id is not null
    group by u.tenant_id, u.memory_id, u.actor_id, u.session_id
    order by min(u.n);

    select array_agg(coalesce(
      (select s.session_key from sessions s
       where s.memory_id = u.memory_id and s.actor_id = u.actor_id and s.session_id = u.session_id), 0))
    into session_keys
    from unnest(memory_ids, actor_ids, session_ids) as u (memory_id, actor_id, session_id);
  end if;

  insert into events (
    partition, position, event_id, tenant_id, memory_id, session_key, sequence,
    type, schema_version, data, occurred_at, recorded_at, expires_at, fingerprint, user_turn
  )
  select
    0, head + e.n, e.event_id, tenant_ids[e.request], memory_ids[e.request], nullif(session_keys[e.request], 0),
    newest[e.request] + e.session_place,
    e.type, e.schema_version, e.data, e.occurred_at, stamp,
    case when e.expiring then stamp + make_interval(hours => 24 * nullif(expiry_days[e.request], 0)) end,
    decode(e.fingerprint, 'hex'), e.user_turn
  from rows from (
    unnest(event_requests), unnest(session_places), unnest(event_ids), unnest(types), unnest(schema_versions),
    unnest(expiring), unnest(occurred_ats), unnest(event_fingerprints), unnest(user_turns), json_array_elements(data)
  ) with ordinality as e (
    request, session_place, event_id, type, schema_version, expiring, occurred_at, fingerprint, user_turn, data, n
  );

  -- Events of a memory change how it accepts events from the next batch on. Rows of memory_gates change under this lock
  -- only, so nothing here waits for another transaction.
  if types && array['memory.created', 'memory.deleted', 'memory.expiry_changed'] then
    insert into memory_gates (memory_id, tenant_id, event_expiry_days, is_open)
    select memory_ids[e.request], tenant_ids[e.request], e.days, true
    from unnest(event_requests, types, memory_days) as e (request, type, days)
    where e.type = 'memory.created';

    update memory_gates g set is_open = false, closed_at = clock_timestamp()
    from unnest(event_requests, types) as e (request, type)
    where e.type = 'memory.deleted' and g.memory_id = memory_ids[e.request] and g.tenant_id = tenant_ids[e.request];

    update memory_gates g set event_expiry_days = e.days
    from unnest(event_requests, types, memory_days) as e (request, type, days)
    where e.type = 'memory.expiry_changed'
      and g.memory_id = memory_ids[e.request] and g.tenant_id = tenant_ids[e.request];

    insert into expiry_changes (memory_id, before, days)
    select memory_ids[e.request], head + e.n, e.days
    from unnest(event_requests, types, memory_days, for_existing) with ordinality as e (request, type, days, applies, n)
    where e.type = 'memory.expiry_changed' and e.applies;
  end if;

  return json_build_object('head', head, 'at', (extract(epoch from stamp) * 1000)::float8, 'newest', to_json(newest), 'waited', waited);
end $function$

CREATE OR REPLACE FUNCTION public.append_staged()
 RETURNS json
 LANGUAGE plpgsql
 SET search_path TO '$user', 'public'
AS $function$
declare
  staged constant text[] := current_setting('turnkeeper.staged_append')::text[];
  answer json;
begin
  answer := append_batch(
    staged[1]::uuid[], staged[2]::uuid[], staged[3]::text[], staged[4]::text[], staged[5]::bigint[],
    staged[6]::text[], staged[7]::integer[], staged[8]::boolean[], staged[9]::uuid[], staged[10]::text[],
    staged[11]::uuid[], staged[12]::integer[], staged[13]::integer[], staged[14]::uuid[], staged[15]::text[],
    staged[16]::smallint[], staged[17]::boolean[], staged[18]::timestamptz[], staged[19]::text[],
    staged[20]::boolean[], staged[21]::integer[], staged[22]::boolean[], staged[23]::json, staged[24]::timestamptz
  );
  if answer -> 'judgements' is not null then
    raise exception 'the append was refused' using errcode = 'TK409', detail = answer::text;
  end if;
  return answer;
end $function$

CREATE OR REPLACE FUNCTION public.applied_migrations(OUT applied integer, OUT newest text)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select count(*)::int, max(name) from schema_migrations
$function$

CREATE OR REPLACE FUNCTION public.apply_expiry(of_memory uuid, most integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  job expiry_changes;
  key bigint;
  done_before bigint;
  seen integer;
  reached bigint;
  keys integer := 0;
  budget integer := most;
begin
  for job in
    select distinct on (j.memory_id) j.* from expiry_changes j where of_memory is null or j.memory_id = of_memory
    order by j.memory_id, j.before desc
  loop
    exit when pg_try_advisory_xact_lock(hashtextextended(job.memory_id::text, 1414877774));
    job := null;
  end loop;
  if job.memory_id is null then
    return false;
  end if;
  -- Read again under the lock. A later change covers everything that an earlier one would.
  select j.* into job from expiry_changes j where j.memory_id = job.memory_id order by j.before desc limit 1;
  if job.memory_id is null then
    return true;
  end if;
  delete from expiry_changes j where j.memory_id = job.memory_id and j.before < job.before;
  if not exists (select from memory_gates g where g.memory_id = job.memory_id and g.is_open) then
    delete from expiry_changes j where j.memory_id = job.memory_id;
    return true;
  end if;

  perform set_config('turnkeeper.change', 'expiry', true);
  if job.after_session = 0 and job.after_sequence = 0 then
    update events e set expires_at = e.recorded_at + make_interval(hours => 24 * job.days)
    where e.memory_id = job.memory_id and e.session_key is null and e.expires_at > clock_timestamp()
      and e.position < job.before;
  end if;
  for key in
    select s.session_key from sessions s
    where s.memory_id = job.memory_id and s.session_key >= job.after_session
    order by s.session_key limit 100
  loop
    done_before := case when key = job.after_session then job.after_sequence else 0 end;
    with part as materialized (
      select e.ctid as place, e.sequence from events e
      where e.session_key = key and e.sequence > done_before and e.position < job.before
      order by e.sequence limit budget
    ), changed as (
      update events e set expires_at = e.recorded_at + make_interval(hours => 24 * job.days)
      where e.ctid = any (array(select p.place from part p)) and e.expires_at > clock_timestamp()
    )
    select count(*), max(p.sequence) into seen, reached from part p;
    if seen = budget then
      update expiry_changes j set after_session = key, after_sequence = reached
      where j.memory_id = job.memory_id and j.before = job.before;
      perform set_config('turnkeeper.change', '', true);
      return true;
    end if;
    update events e set expires_at = e.recorded_at + make_interval(hours => 24 * job.days)
    where e.session_key = key and e.sequence is null and e.expires_at > clock_timestamp() and e.position < job.before;
    budget := budget - seen;
    keys := keys + 1;
  end loop;
  perform set_config('turnkeeper.change', '', true);
  if keys < 100 then
    delete from expiry_changes j where j.memory_id = job.memory_id and j.before = job.before;
  else
    update expiry_changes j set after_session = key + 1, after_sequence = 0
    where j.memory_id = job.memory_id and j.before = job.before;
  end if;
  return true;
end $function$

CREATE OR REPLACE FUNCTION public.bury_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  why constant text := coalesce(nullif(current_setting('turnkeeper.tombstone_reason', true), ''), 'deleted');
begin
  insert into tombstones (partition, position, tenant_id, session_key, sequence, reason, at)
  select partition, position, tenant_id, session_key, sequence, why, clock_timestamp()
  from gone;
  if why in ('erased', 'session_erased', 'actor_erased') then
    insert into erased_event_ids (tenant_id, event_id, until)
    select g.tenant_id, g.event_id, coalesce(g.expires_at, clock_timestamp() + interval '365 days') from gone g
    where g.type in ('message.appended', 'message.interrupted', 'binary.appended')
      and substr(g.event_id::text, 15, 1) = '8'
    on conflict do nothing;
  end if;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.close_sessions(for_tenant uuid, of_memory uuid, of_actor text, of_session text, why text)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from replaced_instances i using connectors c
  where c.connector_id = i.connector_id and c.tenant_id = for_tenant and c.memory_id = of_memory
    and i.actor_id = of_actor and (of_session is null or i.session_id = of_session)
    and reach_allowed(for_tenant, of_memory);
  return query
  with gone as (
    delete from sessions s
    where s.tenant_id = for_tenant and s.memory_id = of_memory and s.actor_id = of_actor
      and (of_session is null or of_session in (s.session_id, session_name(s.session_id)))
      and reach_allowed(for_tenant, of_memory)
    returning s.session_key, s.tenant_id, s.memory_id
  )
  insert into closed_sessions (session_key, tenant_id, memory_id, reason, at)
  select g.session_key, g.tenant_id, g.memory_id, why, clock_timestamp() from gone g
  returning closed_sessions.session_key;
end $function$

CREATE OR REPLACE FUNCTION public.count_deleted_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- Shared with other deletions. Counting everything anew waits for them: the position is compared with the cursor.
  perform pg_advisory_xact_lock_shared(1414877774, 7);
  insert into usage_changes (tenant_id, memory_id, session_key, position, messages, binaries)
  select g.tenant_id, g.memory_id, g.session_key, case when g.position > c.position then g.position end,
         -count(*) filter (where g.type = 'message.appended'), -count(*) filter (where g.type = 'binary.appended')
  from gone g cross join question_cursor c
  -- What was counted of a deleted session goes with its row.
  where c.name = 'activity' and exists (select from sessions s where s.session_key = g.session_key)
  group by 1, 2, 3, 4;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.count_session_events(tenant uuid, memory uuid, actor text, session text, only_types text[], earliest timestamp with time zone, latest timestamp with time zone)
 RETURNS double precision
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
AS $function$
  select count(*)::float8 from events e
   where e.session_key = (select s.session_key from sessions s
                           where s.tenant_id = tenant and s.memory_id = memory and s.actor_id = actor
                             and s.session_id = session)
     and e.sequence is not null and (e.expires_at is null or e.expires_at > now())
     and (only_types is null or e.type = any (only_types))
     and (earliest is null or coalesce(e.occurred_at, e.recorded_at) >= earliest)
     and (latest is null or coalesce(e.occurred_at, e.recorded_at) <= latest)
$function$

CREATE OR REPLACE FUNCTION public.current_tenant()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select nullif(current_setting('turnkeeper.tenant', true), '')::uuid;
$function$

CREATE OR REPLACE FUNCTION public.delete_graph_items(for_tenant uuid, of_memory uuid, places jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  with wanted as materialized (
    select array(select jsonb_array_elements_text(w.place -> 'namespace')) collate "C" as namespace, w.place ->> 'key' as key
    from jsonb_array_elements(places) as w (place)
  )
  delete from graph_items i using wanted w
  where i.memory_id = of_memory and i.tenant_id = for_tenant and i.namespace = w.namespace and i.key = w.key;
end $function$

CREATE OR REPLACE FUNCTION public.drop_turns()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from question_cursor c where c.name = 'turns' for update;
  truncate turn_segments;
  update question_cursor set position = 0 where name = 'turns';
end $function$

CREATE OR REPLACE FUNCTION public.erase_event(for_tenant uuid, of_session bigint, of_event uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  perform set_config('turnkeeper.tombstone_reason', 'erased', true);
  delete from events e
  where e.session_key = of_session and e.tenant_id = for_tenant and e.type = 'message.interrupted'
    and e.sequence > (select m.sequence from events m where m.tenant_id = for_tenant and m.event_id = of_event)
    and well_formed(e.data) ->> 'messageEventId' = of_event::text;
  delete from events e where e.event_id = of_event and e.tenant_id = for_tenant and e.session_key = of_session;
end $function$

CREATE OR REPLACE FUNCTION public.extraction_due(of_strategy uuid, newest_sequence bigint, watermark bigint, flush_through bigint, pending_turns integer, turn_interval integer, quiet_seconds double precision)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when newest_sequence <= watermark then null
    when flush_through > watermark or pending_turns >= coalesce(
      (select (st.rolling ->> 'turnInterval')::integer from strategies st where st.strategy_id = of_strategy),
      turn_interval
    ) then now()
    else now() + make_interval(secs => quiet_seconds)
  end;
$function$

CREATE OR REPLACE FUNCTION public.find_answer(for_tenant uuid, of_memory uuid, of_actor text, of_session text, words text, exact text, oldest boolean)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET max_parallel_workers_per_gather TO '0'
AS $function$
#variable_conflict use_column
declare
  term constant integer := question_term(for_tenant, of_memory, words);
  actor constant bigint := hashtextextended(of_actor, turn_memory(for_tenant, of_memory));
  key constant bigint := (
    select s.session_key from sessions s where s.tenant_id = for_tenant and s.memory_id = of_memory
      and s.actor_id = of_actor and s.session_id = of_session);
  indexed constant bigint := (select c.position from question_cursor c where c.name = 'turns');
  -- Positions are compared with this sign: the least is preferred.
  sign constant integer := case when oldest then 1 else -1 end;
  best bigint;
  answer bigint;
  tried integer := 0;
  is_small boolean := false;
  reached bigint;
  one record;
  asked record;
begin
  if not reach_allowed(for_tenant, of_memory) or (of_session is not null and key is null) then
    return null;
  end if;
  for asked in
    select i.position, i.session_key, i.sequence from (
      -- The limit is a hint for the planner: twice what a reader leaves beyond the index.
      select e.* from events e where e.partition = 0 and e.position > indexed order by e.position desc limit 20000
    ) i
    where i.tenant_id = for_tenant and i.memory_id = of_memory and (key is null or i.session_key = key)
      and question_words(i.type, i.data) = words and (exact is null or strpos(i.data::text, exact) > 0)
      and (i.expires_at is null or i.expires_at > now())
      and (of_actor is null or exists (select from sessions s where s.session_key = i.session_key and s.actor_id = of_actor))
    order by sign * i.position
  loop
    answer := answer_after(for_tenant, asked.session_key, asked.sequence);
    best := case when answer is not null then asked.position end;
    exit when answer is not null;
  end loop;
  if best is not null and not oldest then
    return answer;
  end if;

  if of_actor is not null then
    select count(*) <= 2000 into is_small from (
      (select from turn_segments i where key is null and i.memory_id = of_memory and i.actor_key = actor limit 2001)
      union all
      (select from turn_segments i where i.session_key = key limit 2001)
    ) s;
  end if;
  -- All segments of a small scope. Of a large one, first those that a question asked by many is in, and then all.
  for round in 1..2 loop
    reached := 9223372036854775807;
    if round = 1 and not is_small then
      select case when count(*) = 200 then max(s.edge) else reached end into reached from (
        (select -i.last_position as edge from turn_segments i
         where not oldest and i.memory_id = of_memory and i.is_sealed order by i.last_position desc limit 200)
        union all
        (select i.first_position from turn_segments i
         where oldest and i.memory_id = of_memory and i.is_sealed order by i.first_position limit 200)
      ) s;
    end if;
    for one in
      select t.session_key, t.first_sequence, t.last_sequence,
             case
               when oldest then t.first_position when t.is_sealed then -t.last_position else -9223372036854775807
             end as edge
      from (
        select i.* from turn_segments i
        where is_small and key is null and i.memory_id = of_memory and i.actor_key = actor
          and case when i.is_sealed then term = any (i.terms) else position(int4send(term) in i.data) > 0 end
        union all
        select i.* from turn_segments i where is_small and i.session_key = key
          and case when i.is_sealed then term = any (i.terms) else position(int4send(term) in i.data) > 0 end
        union all
        select i.* from turn_segments i
        where not is_small and i.memory_id = of_memory and not i.is_sealed and position(int4send(term) in i.data) > 0
        union all
        select i.* from turn_segments i
        where not is_small and round = 1 and not oldest and i.memory_id = of_memory and i.is_sealed
          and i.last_position >= -reached and term = any (i.terms)
        union all
        select i.* from turn_segments i
        where not is_small and round = 1 and oldest and i.memory_id = of_memory and i.is_sealed
          and i.first_position <= reached and term = any (i.terms)
        union all
        (select i.* from turn_segments i
         where not is_small and round = 2 and i.is_sealed and i.terms @> array[term] and i.memory_id = of_memory offset 0)
      ) t
      where t.tenant_id = for_tenant and (of_actor is null or t.actor_key = actor) and (key is null or t.session_key = key)
      order by edge, t.session_key, t.first_sequence
    loop
      exit when sign * best < one.edge or tried >= 1000;
      for asked in
        select e.position, e.session_key, e.sequence from events e
        where e.session_key = one.session_key and e.sequence between one.first_sequence and one.last_sequence
          and (best is null or sign * e.position < sign * best)
          and question_words(e.type, e.data) = words and (exact is null or strpos(e.data::text, exact) > 0)
          and (e.expires_at is null or e.expires_at > now())
        order by sign * e.sequence
      loop
        tried := tried + 1;
        one.edge := answer_after(for_tenant, asked.session_key, asked.sequence);
        continue when one.edge is null;
        answer := one.edge;
        best := asked.position;
        exit;
      end loop;
    end loop;
    exit when sign * best <= reached or reached = 9223372036854775807;
  end loop;
  return answer;
end $function$

CREATE OR REPLACE FUNCTION public.find_citing_records(for_tenant uuid, of_memory uuid, in_namespace text, query text, superseded_too boolean, session_keys bigint[], sequences bigint[], wanted uuid[] DEFAULT NULL::uuid[])
 RETURNS TABLE(records text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  return query
  with asked as materialized (
    select q.word, array_agg(q.term) as terms, max(q.term) filter (where q.factor = 1) as exact
    from record_query(of_memory, in_namespace, query) q group by q.word
  ), citing as (
    select s.record_id, string_agg(t.n::text, ',') as turns
    from unnest(session_keys, sequences) with ordinality as t (session_key, sequence, n)
    cross join lateral (
      select i.record_id from record_sources i
      where i.session_key = t.session_key and i.sequence = t.sequence and i.tenant_id = for_tenant
      offset 0
    ) s
    group by s.record_id
  )
  select string_agg(concat_ws(' ', c.record_id, (extract(epoch from r.created_at) * 1000000)::bigint, cardinality(r.terms),
                              coalesce(w.words, '0'), c.turns), ' ')
  from citing c
  -- A lateral `limit 1` is always one lookup; a join may read all records.
  cross join lateral (select i.* from records i where i.record_id = c.record_id and i.tenant_id = for_tenant limit 1) r
  cross join lateral (
    select string_agg((case when a.exact = any (r.terms) then a.word else -a.word end)::text, ',') as words
    from asked a where a.terms && r.terms
  ) w
  where r.tenant_id = for_tenant and r.memory_id = of_memory and r.namespace = in_namespace
    and (superseded_too or r.superseded_by is null)
    and (wanted is null or r.record_id in (select o.id from unnest(wanted) o (id)));
end $function$

CREATE OR REPLACE FUNCTION public.find_record_words(for_tenant uuid, of_memory uuid, in_namespace text, query text, subjects text, superseded_too boolean, most integer, wanted uuid[] DEFAULT NULL::uuid[])
 RETURNS TABLE(weights double precision[], whole double precision, known integer, usual_words double precision, records text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  named constant bigint[] := record_terms(of_memory, in_namespace, subjects);
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  return query
  with asked as materialized (
    select q.word, array_agg(q.term) as terms, max(q.term) filter (where q.factor = 1) as exact,
           bool_or(q.term = any (named)) as is_subject
    from record_query(of_memory, in_namespace, query) q group by q.word
  ), searched as materialized (
    select a.word, a.terms, a.exact, 4000 / (select count(*) from asked) as most from asked a
    where not a.is_subject or (select bool_and(b.is_subject) from asked b)
  ), held as materialized (
    select s.word, r.record_id, case when s.exact = any (r.terms) then 1.0::float8 else 0.8 end as factor, r.terms,
           cardinality(r.terms) as words, r.created_at
    from searched s
    cross join lateral (
      select r.record_id, r.terms, r.created_at
      -- With `offset 0`, only by the index of terms: among many small memories, the planner would read all records of
      -- this one for each word.
      from (select i.* from records i where i.terms && s.terms offset 0) r
      where r.tenant_id = for_tenant and r.memory_id = of_memory
        and r.namespace = in_namespace and (superseded_too or r.superseded_by is null)
      limit s.most
    ) r
  ), common as materialized (
    -- Not all of their records were read.
    select s.word, s.terms, s.exact
    from searched s join (select h.word, count(*) as n from held h group by h.word) c on c.word = s.word and c.n = s.most
  ), newest as materialized (
    select r.record_id, r.terms, cardinality(r.terms) as words, r.created_at,
           superseded_too or r.superseded_by is null as is_wanted
    from records r
    where r.memory_id = of_memory and md5(r.namespace) = md5(in_namespace) and r.namespace = in_namespace
    -- In the order of the index, so that no more are read.
    order by r.created_at desc, r.record_id limit (select case when exists (select from common) then 500 else 200 end)
  ), matches as materialized (
    select h.record_id, h.word, h.factor, h.words, h.created_at from held h
    union all
    select distinct m.record_id, c.word, case when c.exact = any (m.terms) then 1.0::float8 else 0.8 end, m.words, m.created_at
    from common c
    join (
      select n.record_id, n.terms, n.words, n.created_at from newest n where n.is_wanted
      union all
      select h.record_id, h.terms, h.words, h.created_at from held h where h.word not in (select o.word from common o)
    ) m on m.terms && c.terms
    where (c.word, m.record_id) not in (select h.word, h.record_id from held h where h.word in (select o.word from common o))
  ), size as (
    select count(*)::float8 as newest, case when exists (select from common) then 500 else 200 end as most,
           coalesce(avg(n.words), 8)::float8 as usual_words
    from newest n
  ), since as materialized (
    select n.created_at, n.record_id from newest n order by n.created_at, n.record_id desc limit 1
  ), counted as (
    select a.word, a.is_subject, a.word in (select c.word from common c) as is_common,
           coalesce(m.records, 0) as records, coalesce(m.among_newest, 0) as among_newest
    from asked a
    left join (
      select m.word, count(*)::float8 as records,
             (count(*) filter (where m.created_at > s.created_at or m.created_at = s.created_at and m.record_id <= s.record_id)
             )::float8 as among_newest
      from matches m cross join since s group by m.word
    ) m on m.word = a.word
  ), total as (
    -- Counting all records would take longer than the search. The share of hits among the newest ones tells how many there
    -- are; with common words, of which not all hits are known, how many there are at least.
    select s.newest, s.most,
      case when s.newest < s.most then s.newest
           else greatest(s.newest, s.newest * (c.counted + 1) / (c.newest_counted + 1),
                         s.newest * (c.known + 1) / (c.newest_known + 1))
      end as n
    from size s
    cross join (
      select coalesce(sum(c.records) filter (where not c.is_common), 0) as counted,
             coalesce(sum(c.among_newest) filter (where not c.is_common), 0) as newest_counted,
             coalesce(sum(c.records), 0) as known, coalesce(sum(c.among_newest), 0) as newest_known
      from counted c
    ) c
  ), frequent as (
    select c.word, c.is_subject, t.n, t.newest, t.most,
           case when c.is_common then greatest(c.records, t.n * c.among_newest / t.newest) else c.records end as records
    from counted c cross join total t
  ), oldest as materialized (
    -- The number of records is estimated from the newest ones. A word of nearly all of these may be new to the namespace.
    select r.terms from records r
    where r.memory_id = of_memory and md5(r.namespace) = md5(in_namespace) and r.namespace = in_namespace
      and exists (select from frequent f where not f.is_subject and f.newest >= f.most and f.records >= 0.9 * f.n)
    order by r.created_at, r.record_id desc limit 500
  ), rated as (
    -- As if the namespace had fifty more records: in a namespace of three, every word would be equally rare.
    select f.word, f.records,
           ln(1 + (50 + greatest(f.n, f.records) - f.records + 0.5) / (f.records + 0.5)) as weight,
           f.is_subject or (
             f.n >= 3 and f.records >= 0.9 * f.n and (
               f.newest < f.most or 0.9 * (select count(*) from oldest) <= (
                 select count(*) from oldest o join asked a on a.terms && o.terms where a.word = f.word
               )
             )
           ) as of_subject
    from frequent f
  ), weights as materialized (
    select r.word, r.records,
      case
        when r.of_subject and not (select bool_and(a.of_subject) from rated a) then 0
        else least(r.weight, (select max(a.weight) from rated a where a.records > 0 and not a.of_subject), 1e9)
      end as weight
    from rated r
  ), chosen as materialized (
    select r.record_id, r.terms, r.created_at
    -- Reading more takes longer than the search. Beyond them, those are found that a search without conditions finds.
    from unnest(wanted[:10000]) o (id)
    cross join lateral (select i.* from records i where i.record_id = o.id and i.tenant_id = for_tenant limit 1) r
    where r.memory_id = of_memory and r.namespace = in_namespace and (superseded_too or r.superseded_by is null)
  ), found as (
    select m.record_id, m.word, m.factor, m.words, m.created_at from matches m
    where wanted is null or m.record_id in (select o.id from unnest(wanted[10001:]) o (id))
    union all
    select c.record_id, s.word, case when s.exact = any (c.terms) then 1.0::float8 else 0.8 end, cardinality(c.terms),
           c.created_at
    from chosen c join searched s on c.terms && s.terms
  ), by_words as (
    select m.record_id, m.words, m.created_at, sum(w.weight * m.factor) as weight,
           count(*) filter (where w.weight > 0) as matched
    from found m join weights w on w.word = m.word
    group by m.record_id, m.words, m.created_at having sum(w.weight) > 0
    order by sum(w.weight * m.factor) desc, m.created_at desc, m.record_id limit most
  )
  select array(select case when w.word in (select s.word from searched s) then w.weight else 0 end from weights w order by w.word),
         (select greatest(sum(w.weight), 1e-9) from weights w),
         (select count(*) from weights w where w.records > 0 and w.weight > 0)::integer, (select s.usual_words from size s),
         (select string_agg(concat_ws(' ', b.record_id, (extract(epoch from b.created_at) * 1000000)::bigint, b.words, b.weight,
                              b.matched, (exists (select from record_sources s where s.record_id = b.record_id and s.tenant_id = for_tenant))::integer), ' ')
          from by_words b);
end $function$

CREATE OR REPLACE FUNCTION public.find_turn_segments(for_tenant uuid, of_memory uuid, of_actor text, of_session bigint, words integer[], scope_turns double precision, best integer, first_days integer[], last_days integer[])
 RETURNS TABLE(word integer, segments integer, sessions integer, session_key double precision, speakers text[], data bytea)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  actor constant bigint := hashtextextended(of_actor, turn_memory(for_tenant, of_memory));
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  return query
  with word as (
    select w.n::integer as n, w.word from unnest(words) with ordinality w (word, n)
  ), holding as materialized (
    select w.n, t.session_key, t.first_sequence
    from word w cross join lateral (
      select i.session_key, i.first_sequence from turn_segments i
      where i.is_sealed and i.terms @> array[w.word] and i.memory_id = of_memory and i.tenant_id = for_tenant
        and (of_actor is null or i.actor_key = actor) and (of_session is null or i.session_key = of_session)
      offset 0
    ) t
    union all
    select w.n, t.session_key, t.first_sequence
    from turn_segments t join word w on position(int4send(w.word) in t.data) > 0
    where not t.is_sealed and t.memory_id = of_memory and t.tenant_id = for_tenant
      and (of_actor is null or t.actor_key = actor) and (of_session is null or t.session_key = of_session)
  ), counted as materialized (
    select h.n, count(*) as segments, count(distinct h.session_key) as sessions from holding h group by h.n
  ), weighed as (
    select c.n, ln(1 + scope_turns / c.segments) as weight, sum(c.segments) over (order by c.segments, c.n) - c.segments as before
    from counted c
  ), chosen as (
    select h.session_key, h.first_sequence, sum(w.weight) as weight
    from holding h join weighed w on w.n = h.n and w.before < 20000
    group by h.session_key, h.first_sequence order by weight desc, h.session_key, h.first_sequence limit best
  ), of_days as (
    select t.session_key, t.first_sequence from unnest(first_days, last_days) d (first, last)
    cross join lateral (
      select i.session_key, i.first_sequence from turn_segments i
      where i.memory_id = of_memory and i.tenant_id = for_tenant and (of_actor is null or i.actor_key = actor)
        and (of_session is null or i.session_key = of_session) and i.first_day <= d.last and i.last_day >= d.first
      order by i.session_key, i.first_sequence limit 16
    ) t
  ), wanted as (
    select c.session_key, c.first_sequence from chosen c
    union
    select b.session_key, b.first_sequence from chosen c cross join lateral (
      (select i.session_key, i.first_sequence from turn_segments i
       where i.session_key = c.session_key and i.first_sequence < c.first_sequence order by i.first_sequence desc limit 8)
      union all
      (select i.session_key, i.first_sequence from turn_segments i
       where i.session_key = c.session_key and i.first_sequence > c.first_sequence order by i.first_sequence limit 8)
    ) b
    union
    select d.session_key, d.first_sequence from of_days d
  )
  select c.n, c.segments::integer, c.sessions::integer, null::float8, null::text[], null::bytea from counted c
  union all
  select null, null, null, t.session_key::float8, t.speakers, t.data
  from wanted w cross join lateral (
    select i.* from turn_segments i where i.session_key = w.session_key and i.first_sequence = w.first_sequence limit 1
  ) t;
end $function$

CREATE OR REPLACE FUNCTION public.fold_memories(memories uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
begin
  with taken as materialized (
    delete from total_changes t where t.memory_id = any (memories) returning t.*
  )
  insert into strategy_totals as s
    (memory_id, strategy_id, tenant_id, current_records, superseded_records, records_made, model_calls, input_tokens,
     output_tokens)
  select t.memory_id, coalesce(t.strategy_id, '00000000-0000-0000-0000-000000000000'), t.tenant_id,
         sum(t.current_records), sum(t.superseded_records), sum(t.records_made), sum(t.model_calls), sum(t.input_tokens),
         sum(t.output_tokens)
  from taken t
  group by t.memory_id, coalesce(t.strategy_id, '00000000-0000-0000-0000-000000000000'), t.tenant_id
  on conflict (memory_id, strategy_id) do update
    set current_records = s.current_records + excluded.current_records,
        superseded_records = s.superseded_records + excluded.superseded_records,
        records_made = s.records_made + excluded.records_made,
        model_calls = s.model_calls + excluded.model_calls,
        input_tokens = s.input_tokens + excluded.input_tokens,
        output_tokens = s.output_tokens + excluded.output_tokens;
  -- A memory's row is deleted last, so changes that are folded after it are discarded.
  delete from strategy_totals s
  where s.memory_id = any (memories)
    and (select m.memory_id from memories m where m.memory_id = s.memory_id) is null;
end $function$

CREATE OR REPLACE FUNCTION public.fold_totals(of_memory uuid, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
 SET lock_timeout TO '500ms'
AS $function$
#variable_conflict use_column
declare
  lowest constant uuid := coalesce(of_memory, '00000000-0000-0000-0000-000000000000');
  highest constant uuid := coalesce(of_memory, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  first constant uuid := coalesce(of_memory, gen_random_uuid());
  memories uuid[];
  one uuid;
  folded integer := 0;
begin
  if not exists (select from total_changes t where t.memory_id between lowest and highest) then
    return 0;
  end if;
  if not pg_try_advisory_xact_lock(1414877774, 6) then
    return 0;
  end if;
  select array_agg(p.memory_id) into memories from (
    (select distinct t.memory_id from total_changes t
     where t.memory_id between first and highest order by t.memory_id limit most)
    union all
    (select distinct t.memory_id from total_changes t
     where t.memory_id >= lowest and t.memory_id < first order by t.memory_id limit most)
    limit most
  ) p;
  if memories is null then
    return 0;
  end if;
  begin
    perform fold_memories(memories);
    return array_length(memories, 1);
  exception when lock_not_available then
    perform set_config('lock_timeout', '20ms', true);
  end;
  foreach one in array memories loop
    begin
      perform fold_memories(array[one]);
      folded := folded + 1;
    exception when lock_not_available then
      -- Another fold will try again.
    end;
  end loop;
  return folded;
end $function$

CREATE OR REPLACE FUNCTION public.forget_activity()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- As above.
  perform pg_advisory_xact_lock_shared(1414877774, 7);
  with left_over as (
    delete from session_activity a using gone g where a.session_key = g.session_key returning a.*
  )
  insert into usage_changes (tenant_id, memory_id, session_key, actor_key, messages, binaries)
  select o.tenant_id, o.memory_id, o.session_key, o.actor_key, -o.messages, -o.binaries from left_over o;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.forget_closed_sessions(days integer, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
declare
  due constant timestamptz := clock_timestamp() - make_interval(days => days);
  keys bigint[];
begin
  perform set_config('turnkeeper.change', 'burial', true);
  select array_agg(d.session_key) into keys from (
    select c.session_key from closed_sessions c where c.purged_at < due
      -- Its tombstones are at least as old as the session itself, so wait for the merge. The newest one may be the
      -- head.
      and not exists (select from tombstones t where not t.kept and t.at <= c.purged_at)
    order by c.purged_at limit most for update skip locked
  ) d;
  -- A tombstone kept before the session was erased is merged by the next run.
  update tombstones t set kept = false where t.session_key = any (keys) and t.sequence is not null and t.kept;
  delete from buried_sequences b where b.session_key = any (keys);
  delete from closed_sessions c where c.session_key = any (keys)
    and not exists (select from tombstones t where t.session_key = c.session_key and t.sequence is not null);
  perform set_config('turnkeeper.change', '', true);
  return coalesce(array_length(keys, 1), 0);
end $function$

CREATE OR REPLACE FUNCTION public.forget_deferred_progress()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from deferred_progress d using gone g where d.session_key = g.session_key;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.forget_responses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update webhook_attempts a set detail = null
  where a.delivery_id = new.delivery_id and a.status is not null and a.detail is not null;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.forget_turn_vectors()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from turn_vectors v using gone g where v.session_key = g.session_key and v.sequence = g.sequence;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.forget_turns()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  n record;
  held turn_segments;
begin
  if not exists (select from gone g where g.type = 'message.appended') then
    return null;
  end if;
  -- The statements below see what an indexer stored that this waited for.
  perform pg_advisory_xact_lock_shared(1414877774, 7);
  for n in
    select t.session_key, t.first_sequence, array_agg(g.sequence) as sequences
    from gone g cross join lateral (
      select i.session_key, i.first_sequence, i.last_sequence from turn_segments i
      where i.session_key = g.session_key and i.first_sequence <= g.sequence order by i.first_sequence desc limit 1
    ) t
    where g.type = 'message.appended' and g.sequence <= t.last_sequence
    group by t.session_key, t.first_sequence order by t.session_key, t.first_sequence
  loop
    select * into held from turn_segments t
    where t.session_key = n.session_key and t.first_sequence = n.first_sequence for update;
    continue when not found;
    with kept as materialized (select t.* from turns_in(held.data) t where t.sequence <> all (n.sequences))
    select count(*), sum(k.words), min(k.day), max(k.day),
           string_agg(substring(held.data from k.at + 1 for k.size), ''::bytea order by k.at),
           array(select case when exists (select from kept k where k.speaker = s.n) then s.name else '' end
                 from unnest(held.speakers) with ordinality s (name, n) order by s.n)
    into held.turns, held.words, held.first_day, held.last_day, held.data, held.speakers
    from kept k;
    if held.turns = 0 then
      delete from turn_segments t where t.session_key = n.session_key and t.first_sequence = n.first_sequence;
    else
      update turn_segments t
      set turns = held.turns, words = held.words, first_day = held.first_day, last_day = held.last_day,
          speakers = held.speakers, data = held.data,
          terms = case
            when held.is_sealed then array(select distinct w.term from terms_in(held.data) w order by w.term) else '{}'
          end
      where t.session_key = n.session_key and t.first_sequence = n.first_sequence;
    end if;
  end loop;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.graph_items_at(for_tenant uuid, of_memory uuid, places jsonb)
 RETURNS TABLE(nr bigint, namespace text[], key text, value jsonb, created_at timestamp with time zone, updated_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  return query
  with wanted as materialized (
    select w.nr, array(select jsonb_array_elements_text(w.place -> 'namespace')) collate "C" as namespace,
           w.place ->> 'key' as key
    from jsonb_array_elements(places) with ordinality as w (place, nr)
  )
  select w.nr, i.namespace, i.key, i.value, i.created_at, i.updated_at
  from wanted w join graph_items i on i.memory_id = of_memory and i.namespace = w.namespace and i.key = w.key
  where i.tenant_id = for_tenant and (i.expires_at is null or i.expires_at > now());
end $function$

CREATE OR REPLACE FUNCTION public.graph_items_below(for_tenant uuid, of_memory uuid, prefix text[])
 RETURNS SETOF graph_items
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  depth constant integer := cardinality(prefix);
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  return query
  select i.* from graph_items i
  where i.memory_id = of_memory and i.tenant_id = for_tenant and (i.expires_at is null or i.expires_at > now())
    -- No text sorts between a label and this label followed by the smallest character.
    and i.namespace >= prefix and (depth = 0 or i.namespace < prefix[:depth - 1] || (prefix[depth] || chr(1)))
    and i.namespace[1:depth] = prefix;
end $function$

CREATE OR REPLACE FUNCTION public.graph_value_matches(item jsonb, wanted jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  field record;
  test record;
  found jsonb;
  is_equal boolean;
  compared integer;
  holds boolean;
begin
  for field in select * from jsonb_each(wanted) loop
    found := item -> field.key;
    if jsonb_typeof(field.value) <> 'object' then
      if found is null or jsonb_typeof(found) in ('object', 'array') or found <> field.value then
        return false;
      end if;
      continue;
    end if;
    for test in select * from jsonb_each(field.value) loop
      is_equal := found is not null and jsonb_typeof(found) not in ('object', 'array') and found = test.value;
      compared := case
        when jsonb_typeof(found) = 'number' and jsonb_typeof(test.value) = 'number'
          then sign((found #>> '{}')::numeric - (test.value #>> '{}')::numeric)::integer
        when jsonb_typeof(found) = 'string' and jsonb_typeof(test.value) = 'string'
          then case when found #>> '{}' = test.value #>> '{}' then 0
                    when (found #>> '{}') collate "C" < (test.value #>> '{}') collate "C" then -1 else 1 end
      end;
      holds := case test.key
        when '$eq' then is_equal
        when '$ne' then not is_equal
        when '$gt' then coalesce(compared > 0, false)
        when '$gte' then coalesce(compared >= 0, false)
        when '$lt' then coalesce(compared < 0, false)
        when '$lte' then coalesce(compared <= 0, false)
        when '$in' then found is not null and jsonb_typeof(found) not in ('object', 'array')
          and exists (select from jsonb_array_elements(test.value) as one where one = found)
        when '$nin' then found is null or jsonb_typeof(found) in ('object', 'array')
          or not exists (select from jsonb_array_elements(test.value) as one where one = found)
        else false
      end;
      if not holds then
        return false;
      end if;
    end loop;
  end loop;
  return true;
end $function$

CREATE OR REPLACE FUNCTION public.head_position()
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET search_path TO '$user', 'public'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
begin
  return greatest(
    (select e.position from events e where e.partition = 0 order by e.position desc limit 1),
    (select t.position from tombstones t where t.partition = 0 order by t.position desc limit 1),
    0
  );
end $function$

CREATE OR REPLACE FUNCTION public.index_activity(most integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
 SET lock_timeout TO '500ms'
AS $function$
declare
  done bigint;
  head bigint;
  upto bigint;
  emptied uuid[];
begin
  select c.position into done from question_cursor c where c.name = 'activity' for update skip locked;
  if done is null then
    return null;
  end if;
  head := head_position();
  upto := least(head, done + most);
  if upto <= done and not exists (select from usage_changes) then
    return 0;
  end if;
  -- Events and changes are read in one snapshot. The sessions are locked until the commit: a later deletion finds the rows
  -- written here, and an earlier one has deleted the sessions.
  with changed as materialized (
    delete from usage_changes u where u.position is null or u.position <= upto returning u.*
  ), touched as materialized (
    select t.session_key, max(t.position) as position, max(t.position) filter (where t.at is not null) as last_position,
           max(t.at) as last_at, sum(t.messages) as messages, sum(t.binaries) as binaries
    from (
      select e.session_key, e.position, case when e.sequence is not null then e.recorded_at end as at,
             (e.type = 'message.appended')::integer as messages, (e.type = 'binary.appended')::integer as binaries
      from events e
      where e.partition = 0 and e.position > done and e.position <= upto and e.session_key is not null
      union all
      select c.session_key, c.position, null, case when c.position > done then 0 else c.messages end,
             case when c.position > done then 0 else c.binaries end
      from changed c where c.actor_key is null
    ) t group by t.session_key
  ), living as materialized (
    select t.*, s.tenant_id, s.memory_id, activity_actor(s.tenant_id, s.memory_id, s.actor_id) as actor_key,
           a.session_key is null as is_new
    from touched t
    cross join lateral (
      select i.tenant_id, i.memory_id, i.actor_id, i.session_id from sessions i where i.session_key = t.session_key limit 1
      for key share
    ) s
    left join lateral (select i.session_key from session_activity i where i.session_key = t.session_key limit 1) a on true
    -- Hidden sessions are in no list, and not counted.
    where s.session_id >= chr(2)
  ), kept as (
    insert into session_activity as a
      (session_key, tenant_id, memory_id, actor_key, last_position, last_at, messages, binaries)
    select n.session_key, n.tenant_id, n.memory_id, n.actor_key,
           coalesce(n.last_position, case when n.is_new then n.position end, 0), coalesce(n.last_at, clock_timestamp()),
           n.messages, n.binaries
    from living n
    on conflict (session_key) do update
      set last_position = greatest(a.last_position, excluded.last_position),
          last_at = case when excluded.last_position > a.last_position then excluded.last_at else a.last_at end,
          messages = a.messages + excluded.messages, binaries = a.binaries + excluded.binaries
  ), counted as materialized (
    select n.tenant_id, n.memory_id, n.actor_key, n.is_new::integer as sessions, n.messages, n.binaries from living n
    union all
    select c.tenant_id, c.memory_id, c.actor_key, -1, c.messages, c.binaries from changed c where c.actor_key is not null
  ), of_actors as materialized (
    select d.tenant_id, d.memory_id, d.actor_key, coalesce(a.sessions, 0) as before,
           coalesce(a.sessions, 0) + d.sessions as after
    from (
      select c.tenant_id, c.memory_id, c.actor_key, sum(c.sessions) as sessions from counted c
      where c.sessions <> 0 group by c.tenant_id, c.memory_id, c.actor_key
    ) d
    left join lateral (
      select i.sessions from actor_counts i where i.memory_id = d.memory_id and i.actor_key = d.actor_key limit 1
    ) a on true
  ), kept_actors as (
    insert into actor_counts (memory_id, actor_key, tenant_id, sessions)
    select a.memory_id, a.actor_key, a.tenant_id, a.after from of_actors a where a.after > 0
    on conflict (memory_id, actor_key) do update set sessions = excluded.sessions
  ), gone_actors as (
    delete from actor_counts o using of_actors a
    where o.memory_id = a.memory_id and o.actor_key = a.actor_key and a.after = 0
  ), kept_memories as (
    insert into memory_counts as m (memory_id, tenant_id, actors, sessions, messages, binaries)
    select
      c.memory_id, c.tenant_id,
      (select coalesce(sum((a.after > 0)::integer - (a.before > 0)::integer), 0) from of_actors a
       where a.memory_id = c.memory_id),
      sum(c.sessions), sum(c.messages), sum(c.binaries)
    from counted c group by c.memory_id, c.tenant_id
    on conflict (memory_id) do update
      set actors = m.actors + excluded.actors, sessions = m.sessions + excluded.sessions,
          messages = m.messages + excluded.messages, binaries = m.binaries + excluded.binaries
    returning m.memory_id, m.sessions
  )
  select array_agg(k.memory_id) into emptied from kept_memories k where k.sessions = 0;
  delete from memory_counts m where m.memory_id = any (emptied);
  update question_cursor set position = upto where name = 'activity';
  return head - upto;
exception when lock_not_available then
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.interruptions_of(for_tenant uuid, session_keys bigint[], message_ids uuid[], through bigint)
 RETURNS TABLE(session_key bigint, event_id uuid, interruptions json)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
#variable_conflict use_column
begin
  if tenant_allowed(for_tenant) is not true then
    return;
  end if;
  return query
  select a.session_key, a.event_id, json_agg(i.data order by i.sequence)
  from unnest(session_keys, message_ids) as a (session_key, event_id)
  cross join lateral (
    select e.* from events e
    where e.type = 'message.interrupted' and e.session_key = a.session_key
      and well_formed(e.data) ->> 'messageEventId' = a.event_id::text
    offset 0
  ) i
  where (for_tenant is null or i.tenant_id = for_tenant) and (through is null or i.position <= through)
  group by a.session_key, a.event_id;
end $function$

CREATE OR REPLACE FUNCTION public.is_user_turn(type text, data json)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select type = 'message.appended' and lower(well_formed(data) ->> 'role') in ('user', 'human');
$function$

CREATE OR REPLACE FUNCTION public.keep_record_vectors(of_model integer, vectors json)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with held as materialized (
    -- Locked until the commit: a correction in progress is waited for, and a later one deletes what is written here.
    select r.record_id, r.tenant_id, r.memory_id, r.namespace, v.vector
    from json_to_recordset(vectors) as v (tenant uuid, record uuid, text text, vector text)
    join records r on r.record_id = v.record and r.tenant_id = v.tenant and r.text = v.text
    for share of r
  )
  insert into record_vectors (record_id, tenant_id, model_id, scope, vector)
  select h.record_id, h.tenant_id, of_model, vector_scope(h.memory_id, h.namespace), decode(h.vector, 'base64') from held h
  on conflict (record_id, tenant_id, model_id) do update set vector = excluded.vector, written = excluded.written;
$function$

CREATE OR REPLACE FUNCTION public.keep_replaced_mapping()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into replaced_instances (tenant_id, connector_id, instance_id, actor_id, session_id)
    select c.tenant_id, old.connector_id, old.instance_id, old.actor_id, old.session_id
      from connectors c where c.connector_id = old.connector_id;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.keep_turn_vectors(of_model integer, after_position bigint, upto_position bigint, vectors json)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  reached bigint;
  upto bigint := upto_position;
  wanted bigint[];
  held bigint[];
begin
  select m.position into reached from embedding_models m where m.model_id = of_model for update skip locked;
  if reached is null or reached <> after_position then
    return reached;
  end if;
  select array_agg((v ->> 'position')::bigint) into wanted from json_array_elements(vectors) v;
  -- The events are locked until the commit: a later deletion finds the rows written here. An event that is being
  -- deleted ends this batch before it.
  select array_agg(e.position) into held from (
    select i.position from events i where i.partition = 0 and i.position = any (wanted) for key share skip locked
  ) e;
  select least(upto, min(e.position) - 1) into upto from events e
  where e.partition = 0 and e.position = any (wanted) and e.position > after_position
    and e.position <> all (coalesce(held, '{}'));
  upto := coalesce(upto, upto_position);
  delete from turn_vectors t
  using json_to_recordset(vectors) as v (position bigint, vector text), events e
  where v.position = any (held) and v.position <= upto and v.vector is null
    and e.partition = 0 and e.position = v.position
    and t.session_key = e.session_key and t.sequence = e.sequence and t.model_id = of_model;
  insert into turn_vectors as t (session_key, sequence, model_id, tenant_id, vector)
  select e.session_key, e.sequence, of_model, e.tenant_id, decode(v.vector, 'base64')
  from json_to_recordset(vectors) as v (position bigint, vector text)
  join events e on e.partition = 0 and e.position = v.position
  where v.position <= upto and v.position = any (held) and v.vector is not null
  on conflict (session_key, sequence, model_id) do update set vector = excluded.vector
  where t.vector is distinct from excluded.vector;
  update embedding_models m set position = upto where m.model_id = of_model;
  return upto;
end $function$

CREATE OR REPLACE FUNCTION public.list_unembedded_records(of_model integer, after_position bigint, upto_position bigint, most integer)
 RETURNS TABLE(at double precision, tenant_id uuid, record_id uuid, text text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_material TO 'off'
 SET jit TO 'off'
AS $function$
  select e.position::float8, r.tenant_id, r.record_id, r.text
  from events e
  cross join lateral json_array_elements(
    case when e.type = 'record.corrected' then json_build_array(json_build_object('recordId', e.data ->> 'recordId'))
         when json_typeof(e.data -> 'records') = 'array' then e.data -> 'records' else '[]' end
  ) i
  cross join lateral (
    select o.tenant_id, o.record_id, o.text from records o
    where o.record_id = (i.value ->> 'recordId')::uuid and o.tenant_id = e.tenant_id limit 1
  ) r
  where e.partition = 0 and e.position > after_position and e.position <= upto_position
    and e.type in ('records.extracted', 'records.inserted', 'records.carried_over', 'record.corrected')
    and not exists (
      select from record_vectors v where v.record_id = r.record_id and v.tenant_id = r.tenant_id and v.model_id = of_model
    )
  order by e.position limit most;
$function$

CREATE OR REPLACE FUNCTION public.lock_sessions(for_tenant uuid, of_memory uuid, of_actor text, of_session text)
 RETURNS SETOF bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select session_key from sessions
  where tenant_id = for_tenant and memory_id = of_memory and actor_id = of_actor
    and (of_session is null or of_session in (session_id, session_name(session_id)))
    and reach_allowed(for_tenant, of_memory)
  order by session_key
  for update;
$function$

CREATE OR REPLACE FUNCTION public.merge_tombstones(days integer, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
declare
  due constant timestamptz := clock_timestamp() - make_interval(days => days);
  newest bigint;
  places bigint[];
  looked integer;
begin
  if not pg_try_advisory_xact_lock(1414877774, 2) then
    return 0;
  end if;
  perform set_config('turnkeeper.change', 'burial', true);
  select t.position into newest from tombstones t where t.partition = 0 order by t.position desc limit 1;
  if exists (select from events e where e.partition = 0 and e.position > newest) then
    newest := null;
  end if;
  select array_agg(d.position) into places from (
    select t.position from tombstones t where not t.kept and t.at < due order by t.at limit most
  ) d;
  looked := coalesce(array_length(places, 1), 0);
  if looked = 0 or places = array[newest] then
    perform set_config('turnkeeper.change', '', true);
    return 0;
  end if;
  if newest is not null then
    places := array_remove(places, newest);
  end if;

  -- Keep the highest sequence of a session that was not erased: nothing else records where it continues.
  update tombstones t set kept = true
  where t.partition = 0 and t.position = any (places) and t.sequence is not null
    and not exists (select from events e where e.session_key = t.session_key and e.sequence > t.sequence)
    and not exists (select from tombstones h where h.session_key = t.session_key and h.sequence > t.sequence)
    and exists (select from sessions s where s.session_key = t.session_key);

  with gone as materialized (
    delete from tombstones t where t.partition = 0 and t.position = any (array(
      select d.position from unnest(places) as d (position)
      join tombstones own on own.partition = 0 and own.position = d.position and not own.kept
      union
      -- Kept before the session had one with a higher sequence.
      select k.position from unnest(places) as d (position)
      join tombstones own on own.partition = 0 and own.position = d.position and own.sequence is not null
      join tombstones k on k.session_key = own.session_key and k.sequence < own.sequence and k.kept
    ))
    returning t.position, t.tenant_id, t.session_key, t.sequence, t.reason, t.at
  ), islands as materialized (
    select unnest(range_agg(int8range(g.position, g.position + 1))) as r from gone g
  ), beside as (
    delete from buried_positions b where b.partition = 0 and b.first = any (array(
      select l.first from islands i join buried_positions l on l.partition = 0 and l.last = lower(i.r) - 1
      union all
      select upper(i.r) from islands i
    ))
    returning b.first, b.last, b.reasons, b.at
  ), parts as materialized (
    select g.position as first, g.position as last, array[g.reason] as reasons, g.at from gone g
    union all
    select b.first, b.last, b.reasons, b.at from beside b
  ), ordered as (
    select p.*, p.first > 1 + max(p.last) over (order by p.first rows between unbounded preceding and 1 preceding)
      as starts from parts p
  ), numbered as (
    select o.*, count(*) filter (where o.starts) over (order by o.first) as island from ordered o
  ), positions as (
    insert into buried_positions (partition, first, last, reasons, at)
    select 0, min(n.first), max(n.last), array(
             select distinct x from numbered o, unnest(o.reasons) x where o.island = n.island order by x
           ), max(n.at)
    from numbered n group by n.island
  ), numbers as materialized (
    -- An erased session never continues, and its records are deleted.
    select g.session_key, g.tenant_id, g.sequence as first, g.sequence as last, g.reason from gone g
    where g.sequence is not null and exists (select from sessions s where s.session_key = g.session_key)
  ), neighbours as (
    delete from buried_sequences b where b.ctid = any (array(
      select l.ctid from numbers n
      join buried_sequences l on l.session_key = n.session_key and l.last = n.first - 1 and l.reason = n.reason
      union
      select h.ctid from numbers n
      join buried_sequences h on h.session_key = n.session_key and h.first = n.last + 1 and h.reason = n.reason
    ))
    returning b.session_key, b.tenant_id, b.first, b.last, b.reason
  ), all_numbers as (
    select * from numbers union all select * from neighbours
  ), sequences as (
    select a.*, a.first > 1 + max(a.last) over (
      partition by a.session_key, a.reason order by a.first rows between unbounded preceding and 1 preceding
    ) as starts from all_numbers a
  ), runs as (
    select s.*, count(*) filter (where s.starts) over (partition by s.session_key, s.reason order by s.first) as run
    from sequences s
  )
  insert into buried_sequences (session_key, tenant_id, first, last, reason)
  select r.session_key, (array_agg(r.tenant_id))[1], min(r.first), max(r.last), r.reason
  from runs r group by r.session_key, r.reason, r.run;
  perform set_config('turnkeeper.change', '', true);
  return looked;
end $function$

CREATE OR REPLACE FUNCTION public.newest_position()
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
BEGIN ATOMIC
 SELECT COALESCE(( SELECT e."position"
            FROM events e
           WHERE (e.partition = 0)
           ORDER BY e."position" DESC
          LIMIT 1), (0)::bigint) AS "coalesce";
END

CREATE OR REPLACE FUNCTION public.next_graph_item(for_tenant uuid, of_memory uuid, after_namespace text[], after_key text)
 RETURNS SETOF graph_items
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  return query
  select i.* from graph_items i
  where i.memory_id = of_memory and i.tenant_id = for_tenant and (i.expires_at is null or i.expires_at > now())
    and (i.namespace, i.key) > (after_namespace collate "C", after_key collate "C")
  order by i.namespace, i.key limit 1;
end $function$

CREATE OR REPLACE FUNCTION public.note_deferred(most integer, turn_interval integer, quiet_seconds double precision)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  keys bigint[];
  newest bigint[];
  counted integer[];
  flushes bigint[];
begin
  with taken as (
    delete from deferred_progress where session_key = any (array(
      select d.session_key from deferred_progress d order by d.tried_at limit most for update skip locked
    ))
    returning *
  )
  select array_agg(t.session_key order by t.session_key), array_agg(t.newest_sequence order by t.session_key),
         array_agg(t.turns order by t.session_key), array_agg(t.flush_through order by t.session_key)
    into keys, newest, counted, flushes
    from taken t;
  return keys is not null and note_progress(keys, newest, counted, flushes, turn_interval, quiet_seconds);
end $function$

CREATE OR REPLACE FUNCTION public.note_progress(session_keys bigint[], newest_sequences bigint[], turns integer[], flushes bigint[], turn_interval integer, quiet_seconds double precision)
 RETURNS boolean
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  due boolean;
  free bigint[];
  busy bigint[];
  extracted bigint[];
begin
  extracted := array(
    select i.session_key from sessions i where i.session_key = any (session_keys) and exists (
      select from strategies st where st.memory_id = i.memory_id and st.automatic and st.status = 'ACTIVE'
    )
  );
  if extracted = '{}' then
    return false;
  end if;
  -- Sessions locked by an erasure or a commit are deferred: the others, above all of other memories, must not wait.
  free := array(
    select i.session_key from sessions i where i.session_key = any (extracted) for key share skip locked
  );
  free := array(
    select key from unnest(free) as key
     where not exists (select from deferred_progress d where d.session_key = key)
       and (select count(*) from extraction_states x where x.session_key = key) = (
         select count(*) from (
           select from extraction_states x where x.session_key = key for no key update skip locked
         ) as mine
       )
  );
  busy := array(
    select key from unnest(extracted) as key
     where key <> all (free) and exists (select from sessions i where i.session_key = key)
  );
  if busy <> '{}' then
    insert into deferred_progress as d (session_key, newest_sequence, turns, flush_through)
    select seen.session_key, seen.newest_sequence, seen.turns, seen.flush_through
      from unnest(session_keys, newest_sequences, turns, flushes)
        as seen(session_key, newest_sequence, turns, flush_through)
     where seen.session_key = any (busy)
     order by seen.session_key
    on conflict (session_key) do update
      set newest_sequence = greatest(d.newest_sequence, excluded.newest_sequence),
          turns = d.turns + excluded.turns,
          flush_through = greatest(d.flush_through, excluded.flush_through);
  end if;
  insert into extraction_states as x
    (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, newest_sequence, noted_sequence, pending_turns,
     flush_through)
  select seen.session_key, st.strategy_id, st.tenant_id, st.memory_id, se.actor_id, se.session_id,
         seen.newest_sequence, seen.newest_sequence, seen.turns, seen.flush_through
    from unnest(session_keys, newest_sequences, turns, flushes)
      as seen(session_key, newest_sequence, turns, flush_through)
   cross join lateral (
     -- Locked above if it was free.
     select i.memory_id, i.actor_id, i.session_id from sessions i where i.session_key = seen.session_key limit 1
   ) as se
   -- Deleted memories are not extracted.
   cross join lateral (
     select from memory_gates i where i.memory_id = se.memory_id and i.is_open limit 1
   ) as gate
   cross join lateral (
     select i.strategy_id, i.tenant_id, i.memory_id from strategies i
      where i.memory_id = se.memory_id and i.automatic and i.status = 'ACTIVE'
      offset 0
   ) as st
   -- Hidden sessions are extracted by the one strategy for which they were created.
   where se.session_id >= chr(2) and seen.session_key = any (free)
   order by seen.session_key, st.strategy_id
  on conflict (session_key, strategy_id) do update
    set newest_sequence = greatest(x.newest_sequence, excluded.newest_sequence),
        noted_sequence = greatest(x.noted_sequence, excluded.noted_sequence),
        pending_turns = x.pending_turns + case
          when x.watermark <= x.noted_sequence then excluded.pending_turns
          -- All or some of these events were read before they were dispatched.
          when x.watermark >= excluded.noted_sequence then 0
          else (
            select count(*) from events e
             where e.session_key = x.session_key and e.sequence > x.watermark and e.sequence <= excluded.noted_sequence
               and coalesce(e.user_turn, is_user_turn(e.type, e.data))
          )
        end,
        flush_through = greatest(x.flush_through, excluded.flush_through),
        updated_at = now();
  if not found then
    return false;
  end if;
  -- A second statement, because the first cannot see the rows that it inserts.
  with noted as (
    update extraction_states s
       set status = case when s.newest_sequence > s.watermark then 'waiting' else 'idle' end,
           -- Every event of an active session restarts its quiet time; what is due stays due.
           due_at = least(
             case when s.due_at <= now() then s.due_at end,
             extraction_due(s.strategy_id, s.newest_sequence, s.watermark, s.flush_through, s.pending_turns,
                            turn_interval, quiet_seconds)
           )
     where s.session_key = any (free) and s.status in ('idle', 'waiting')
       -- A failed window keeps its own time, whatever arrives in between.
       and s.last_code is null
    returning s.due_at
  )
  select coalesce(bool_or(noted.due_at <= now()), false) into due from noted;
  return due;
end $function$

CREATE OR REPLACE FUNCTION public.position_since(age interval)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
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
end $function$

CREATE OR REPLACE FUNCTION public.purge_deleted_memories(most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  memory uuid;
  keys bigint[];
  total integer;
begin
  select g.memory_id into memory from memory_gates g
  where g.closed_at is not null and g.purged_at is null
  order by g.memory_id limit 1 for update skip locked;
  if memory is null then
    return null;
  end if;
  with gone as (
    delete from sessions s where s.session_key = any (array(
      select i.session_key from sessions i where i.memory_id = memory limit 1000
    ))
    returning s.session_key, s.tenant_id, s.memory_id
  )
  insert into closed_sessions (session_key, tenant_id, memory_id, reason, at)
  select g.session_key, g.tenant_id, g.memory_id, 'memory_deleted', clock_timestamp() from gone g;
  select array_agg(c.session_key) into keys from closed_sessions c where c.memory_id = memory and c.purged_at is null;
  total := purge_sessions(coalesce(keys, '{}'), most);
  if total > 0 or keys is not null then
    return total;
  end if;
  perform set_config('turnkeeper.tombstone_reason', 'memory_deleted', true);
  delete from events e where e.memory_id = memory and e.session_key is null and e.type <> 'memory.deleted';
  get diagnostics total = row_count;
  update memory_gates g set purged_at = clock_timestamp() where g.memory_id = memory;
  return total;
end $function$

CREATE OR REPLACE FUNCTION public.purge_expired(most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  due constant timestamptz := clock_timestamp();
  total integer;
begin
  perform set_config('turnkeeper.tombstone_reason', 'expired', true);
  delete from events e where e.ctid = any (array(
    select i.ctid from events i where i.expires_at <= due
    order by i.expires_at limit most for update skip locked
  ));
  get diagnostics total = row_count;
  return total;
end $function$

CREATE OR REPLACE FUNCTION public.purge_sessions(keys bigint[], most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  closed record;
  deleted integer;
  total integer := 0;
begin
  for closed in
    select c.session_key, c.reason from closed_sessions c
    where c.purged_at is null and (keys is null or c.session_key = any (keys))
    order by c.session_key
    for update skip locked
  loop
    exit when total >= most;
    perform set_config('turnkeeper.tombstone_reason', closed.reason, true);
    with gone as (
      delete from events e where e.ctid = any (array(
        select i.ctid from events i where i.session_key = closed.session_key and i.sequence is not null limit most - total
      ))
      returning e.event_id, e.type
    ), forgotten as (
      -- A dispatcher may have added them after the erasure deleted those of the session.
      delete from webhook_deliveries d using gone g where g.type <> 'message.appended' and d.cause_event_id = g.event_id
    )
    select count(*) into deleted from gone;
    total := total + deleted;
    if total < most then
      with gone as (
        delete from events e where e.ctid = any (array(
          select i.ctid from events i
          where i.session_key = closed.session_key and i.sequence is null limit most - total
        ))
        returning e.event_id
      ), forgotten as (
        delete from webhook_deliveries d using gone g where d.cause_event_id = g.event_id
      )
      select count(*) into deleted from gone;
      total := total + deleted;
    end if;
    if total < most then
      update closed_sessions c set purged_at = clock_timestamp() where c.session_key = closed.session_key;
    end if;
  end loop;
  return total;
end $function$

CREATE OR REPLACE FUNCTION public.question_term(for_tenant uuid, of_memory uuid, words text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  -- No word has a question mark.
  select (hashtextextended('?' || words, turn_memory(for_tenant, of_memory)) & 4294967295)::bit(32)::integer;
$function$

CREATE OR REPLACE FUNCTION public.question_words(type text, data json)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when is_user_turn(type, data) then nullif(well_formed(data) ->> 'content', '') end;
$function$

CREATE OR REPLACE FUNCTION public.reach_actor()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select nullif(current_setting('turnkeeper.actor', true), '');
$function$

CREATE OR REPLACE FUNCTION public.reach_allowed(for_tenant uuid, of_memory uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select tenant_allowed(for_tenant)
     and (current_setting('role', true) is distinct from 'turnkeeper_restricted'
          or reach_memory() is null or of_memory = reach_memory());
$function$

CREATE OR REPLACE FUNCTION public.reach_condition(of_table oid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO '$user', 'public'
AS $function$
declare
  name constant text := (select relname from pg_class where oid = of_table);
  has constant text[] := (
    select array_agg(attname::text) from pg_attribute where attrelid = of_table and attnum > 0 and not attisdropped
  );
  condition text := '';
begin
  -- May hold the words of any actor. No request of a key of one actor reads them.
  if name in ('connector_notices', 'graph_items', 'webhook_deliveries') then
    condition := ' and (select reach_actor()) is null';
  end if;
  if name = 'webhook_deliveries' then
    return condition || ' and ((select reach_memory()) is null or memory_id = (select reach_memory()) or (memory_id is null
      and exists (select from events e where e.tenant_id = webhook_deliveries.tenant_id and e.event_id = cause_event_id)))';
  end if;
  if 'memory_id' = any (has) then
    -- A key that was used for another memory must stay known. The answers are encrypted.
    if name <> 'idempotent_requests' then
      condition := condition || ' and ((select reach_memory()) is null or memory_id = (select reach_memory()))';
    end if;
  elsif 'connector_id' = any (has) then
    condition := condition || format(
      ' and exists (select from connectors c where c.connector_id = %I.connector_id)', name);
  elsif name in ('turns', 'turn_vectors') then
    return format(' and exists (select from sessions s where s.session_key = %I.session_key)', name);
  end if;
  if 'actor_id' = any (has) then
    return condition || ' and ((select reach_actor()) is null or actor_id = (select reach_actor()))';
  end if;
  if 'session_key' = any (has) and name not in ('closed_sessions', 'buried_sequences') then
    condition := condition || format(
      ' and ((select reach_actor()) is null or exists (select from sessions s where s.session_key = %I.session_key))', name);
  elsif 'thread_key' = any (has) then
    condition := condition || format(' and exists (select from graph_threads t where t.thread_key = %I.thread_key)', name);
  end if;
  if 'record_id' = any (has) and 'memory_id' <> all (has) then
    condition := condition || format(
      ' and exists (select from records r where r.record_id = %1$I.record_id and r.tenant_id = %1$I.tenant_id)', name);
  end if;
  return condition;
end $function$

CREATE OR REPLACE FUNCTION public.reach_memory()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select nullif(current_setting('turnkeeper.memory', true), '')::uuid;
$function$

CREATE OR REPLACE FUNCTION public.read_log(after bigint, most integer, only_types text[], through bigint)
 RETURNS TABLE("position" double precision, sequence double precision, session_key double precision, event_id uuid, tenant_id uuid, memory_id uuid, actor_id text, session_id text, type text, schema_version smallint, data json, occurred_at timestamp with time zone, recorded_at timestamp with time zone, expires_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
  select
    e.position::float8, e.sequence::float8, e.session_key::float8, e.event_id, e.tenant_id, e.memory_id,
    s.actor_id, s.session_id, e.type, e.schema_version, e.data, e.occurred_at, e.recorded_at, e.expires_at
  from events e
  left join lateral (
    select i.session_key, i.actor_id, i.session_id from sessions i where i.session_key = e.session_key limit 1
  ) as s on true
  cross join lateral (
    select i.is_open from memory_gates i where i.memory_id = e.memory_id limit 1
  ) as g
  where e.partition = 0 and e.position > after and e.position <= coalesce(through, 9223372036854775807)
    and (e.expires_at is null or e.expires_at > now())
    and (e.session_key is null or s.session_key is not null)
    and (g.is_open or e.type = 'memory.deleted')
    and (only_types is null or e.type = any (only_types))
  order by e.position
  limit most;
end $function$

CREATE OR REPLACE FUNCTION public.read_log_page(after bigint, most integer, only_types text[], through bigint, most_bytes integer)
 RETURNS TABLE("position" double precision, sequence double precision, session_key double precision, event_id uuid, tenant_id uuid, memory_id uuid, actor_id text, session_id text, type text, schema_version smallint, data json, occurred_at timestamp with time zone, recorded_at timestamp with time zone, expires_at timestamp with time zone, bytes double precision)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  taken double precision := 0;
begin
  for position, sequence, session_key, event_id, tenant_id, memory_id, actor_id, session_id, type, schema_version, data,
    occurred_at, recorded_at, expires_at, bytes in
  select
    e.position::float8, e.sequence::float8, e.session_key::float8, e.event_id, e.tenant_id, e.memory_id,
    s.actor_id, s.session_id, e.type, e.schema_version, e.data, e.occurred_at, e.recorded_at, e.expires_at,
    octet_length(e.data::text)::float8
  from events e
  left join lateral (
    select i.session_key, i.actor_id, i.session_id from sessions i where i.session_key = e.session_key limit 1
  ) as s on true
  cross join lateral (
    select i.is_open from memory_gates i where i.memory_id = e.memory_id limit 1
  ) as g
  where e.partition = 0 and e.position > after and e.position <= coalesce(through, 9223372036854775807)
    and (e.expires_at is null or e.expires_at > now())
    and (e.session_key is null or s.session_key is not null)
    and (g.is_open or e.type = 'memory.deleted')
    and (only_types is null or e.type = any (only_types))
  order by e.position
  limit most
  loop
    return next;
    taken := taken + bytes;
    exit when taken >= most_bytes;
  end loop;
end $function$

CREATE OR REPLACE FUNCTION public.read_outline(after bigint, most integer)
 RETURNS TABLE("position" double precision, session_key double precision, sequence double precision, type text, is_user_turn boolean)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
  select e.position::float8, e.session_key::float8, e.sequence::float8, e.type, coalesce(e.user_turn, is_user_turn(e.type, e.data))
  from events e
  where e.partition = 0 and e.position > after and (e.expires_at is null or e.expires_at > now())
  order by e.position
  limit most;
end $function$

CREATE OR REPLACE FUNCTION public.read_references(after bigint, most integer)
 RETURNS TABLE("position" double precision, sequence double precision, session_key double precision, event_id uuid, type text, tenant_id uuid, memory_id uuid)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
  select e.position::float8, e.sequence::float8, e.session_key::float8, e.event_id, e.type, e.tenant_id, e.memory_id
  from events e
  where e.partition = 0 and e.position > after and (e.expires_at is null or e.expires_at > now())
  order by e.position
  limit most;
end $function$

CREATE OR REPLACE FUNCTION public.read_session_page(tenant uuid, memory uuid, actor text, session text, after bigint, before bigint, only_types text[], earliest timestamp with time zone, latest timestamp with time zone, newest_first boolean, skip bigint, most bigint, most_bytes bigint)
 RETURNS TABLE("position" double precision, sequence double precision, session_key double precision, event_id uuid, tenant_id uuid, memory_id uuid, actor_id text, session_id text, type text, schema_version smallint, data json, occurred_at timestamp with time zone, recorded_at timestamp with time zone, expires_at timestamp with time zone, bytes double precision, beyond boolean)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  wanted bigint;
  rows_read bigint := 0;
  bytes_read double precision := 0;
  matches refcursor;
begin
  select s.session_key into wanted from sessions s
   where s.tenant_id = tenant and s.memory_id = memory and s.actor_id = actor and s.session_id = session;
  if newest_first then
    open matches no scroll for
      select e.position, e.sequence, e.session_key, e.event_id, e.tenant_id, e.memory_id, actor, session, e.type,
             e.schema_version, e.data, e.occurred_at, e.recorded_at, e.expires_at, octet_length(e.data::text), false
        from events e
       where e.session_key = wanted and e.sequence > coalesce(after, -1)
         and e.sequence < coalesce(before, 9223372036854775807)
         and (e.expires_at is null or e.expires_at > now()) and (only_types is null or e.type = any (only_types))
         and (earliest is null or coalesce(e.occurred_at, e.recorded_at) >= earliest)
         and (latest is null or coalesce(e.occurred_at, e.recorded_at) <= latest)
       order by e.sequence desc offset skip limit most + 1;
  else
    open matches no scroll for
      select e.position, e.sequence, e.session_key, e.event_id, e.tenant_id, e.memory_id, actor, session, e.type,
             e.schema_version, e.data, e.occurred_at, e.recorded_at, e.expires_at, octet_length(e.data::text), false
        from events e
       where e.session_key = wanted and e.sequence > coalesce(after, -1)
         and e.sequence < coalesce(before, 9223372036854775807)
         and (e.expires_at is null or e.expires_at > now()) and (only_types is null or e.type = any (only_types))
         and (earliest is null or coalesce(e.occurred_at, e.recorded_at) >= earliest)
         and (latest is null or coalesce(e.occurred_at, e.recorded_at) <= latest)
       order by e.sequence asc offset skip limit most + 1;
  end if;
  loop
    fetch matches into position, sequence, session_key, event_id, tenant_id, memory_id, actor_id, session_id, type,
      schema_version, data, occurred_at, recorded_at, expires_at, bytes, beyond;
    exit when not found;
    if rows_read >= most or bytes_read >= most_bytes then
      data := null;
      beyond := true;
      return next;
      exit;
    end if;
    return next;
    rows_read := rows_read + 1;
    bytes_read := bytes_read + bytes;
  end loop;
  close matches;
end $function$

CREATE OR REPLACE FUNCTION public.record_query(of_memory uuid, in_namespace text, body text)
 RETURNS TABLE(word integer, term bigint, factor double precision)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select w.n, t.term, max(t.factor)
  from (
    select u.lexeme, row_number() over (order by u.positions[1], u.lexeme)::integer as n
    from unnest(to_tsvector('pg_catalog.english', left(body, 4000))) u
    order by u.positions[1], u.lexeme limit 64
  ) w
  cross join lateral (values
    (record_term(of_memory, in_namespace, w.lexeme, false), 1.0::float8),
    (record_term(of_memory, in_namespace, record_root(w.lexeme), false), 0.8),
    (record_term(of_memory, in_namespace, record_root(w.lexeme), true), 0.8)
  ) t (term, factor)
  group by w.n, t.term;
$function$

CREATE OR REPLACE FUNCTION public.record_root(stem text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT regexp_replace(stem, '(?<=....)(ment|i)$'::text, ''::text) AS regexp_replace;
END

CREATE OR REPLACE FUNCTION public.record_term(of_memory uuid, in_namespace text, word text, derived boolean)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT hashtextextended(word, hashtextextended(in_namespace, hashtextextended((of_memory)::text, ((derived)::integer)::bigint))) AS hashtextextended;
END

CREATE OR REPLACE FUNCTION public.record_terms(of_memory uuid, in_namespace text, body text)
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT COALESCE(array_agg(DISTINCT t.term), '{}'::bigint[]) AS "coalesce"
    FROM (unnest(to_tsvector('english'::regconfig, record_terms.body)) w(lexeme, positions, weights)
      CROSS JOIN LATERAL ( SELECT record_term(record_terms.of_memory, record_terms.in_namespace, w.lexeme, false) AS record_term
         UNION ALL
          SELECT record_term(record_terms.of_memory, record_terms.in_namespace, record_root(w.lexeme), true) AS record_term
           WHERE (record_root(w.lexeme) <> w.lexeme)) t(term));
END

CREATE OR REPLACE FUNCTION public.recount_totals()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock(1414877774, 6);
  with taken as (
    delete from total_changes t returning t.*
  ), counted as (
    select r.memory_id, coalesce(r.strategy_id, '00000000-0000-0000-0000-000000000000') as strategy_id, r.tenant_id,
           count(*) filter (where r.superseded_by is null) as currents,
           count(*) filter (where r.superseded_by is not null) as supersededs
    from records r group by 1, 2, 3
  ), used as (
    select t.memory_id, coalesce(t.strategy_id, '00000000-0000-0000-0000-000000000000') as strategy_id, t.tenant_id,
           sum(t.records_made) as made, sum(t.model_calls) as calls, sum(t.input_tokens) as input,
           sum(t.output_tokens) as output
    from taken t group by 1, 2, 3
  ), known as (
    select s.memory_id, s.strategy_id, s.tenant_id from strategy_totals s
    union select c.memory_id, c.strategy_id, c.tenant_id from counted c
    union select u.memory_id, u.strategy_id, u.tenant_id from used u
  )
  insert into strategy_totals as s
    (memory_id, strategy_id, tenant_id, current_records, superseded_records, records_made, model_calls, input_tokens,
     output_tokens)
  select k.memory_id, k.strategy_id, k.tenant_id, coalesce(c.currents, 0), coalesce(c.supersededs, 0),
         coalesce(u.made, 0), coalesce(u.calls, 0), coalesce(u.input, 0), coalesce(u.output, 0)
  from known k
  left join counted c using (memory_id, strategy_id, tenant_id)
  left join used u using (memory_id, strategy_id, tenant_id)
  on conflict (memory_id, strategy_id) do update
    set current_records = excluded.current_records, superseded_records = excluded.superseded_records,
        records_made = s.records_made + excluded.records_made, model_calls = s.model_calls + excluded.model_calls,
        input_tokens = s.input_tokens + excluded.input_tokens, output_tokens = s.output_tokens + excluded.output_tokens;
  delete from strategy_totals s where not exists (select from memories m where m.memory_id = s.memory_id);
end $function$

CREATE OR REPLACE FUNCTION public.recount_usage()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from question_cursor c where c.name = 'activity' for update;
  perform pg_advisory_xact_lock(1414877774, 7);
  delete from session_activity;
  delete from actor_counts;
  delete from memory_counts;
  delete from usage_changes;
  update question_cursor set position = 0 where name = 'activity';
end $function$

CREATE OR REPLACE FUNCTION public.redact_event(for_tenant uuid, of_event uuid, redacted json)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform set_config('turnkeeper.change', 'redaction', true);
  update events e set data = redacted, redacted_at = clock_timestamp()
  where e.event_id = of_event and e.tenant_id = for_tenant and e.sequence is null and tenant_allowed(for_tenant);
  perform set_config('turnkeeper.change', '', true);
end $function$

CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - make_interval(days => nullif(current_setting('turnkeeper.audit_days', true), '')::int) then
      return old;
    end if;
  end if;
  raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
end $function$

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'stored events are never edited (% on %)', tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation';
end $function$

CREATE OR REPLACE FUNCTION public.refuse_unless_meant()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('turnkeeper.change', true) is distinct from tg_argv[0] then
    raise exception 'stored events are never edited (% on %)', tg_op, tg_table_name
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.replace_half_pairs(body text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select string_agg(
    case
      when p.n = 1 then p.part
      when p.part <> '' and strpos('89abcdef', left(p.part, 1)) > 0 then '\ufffd' || substr(p.part, 4)
      else '\ud' || p.part
    end,
    '' order by p.n
  )
  from unnest(string_to_array(replace(body, '\\', '\u005c'), '\ud')) with ordinality as p (part, n);
$function$

CREATE OR REPLACE FUNCTION public.seal_turn_segments(session_keys bigint[], first_sequences bigint[], versions text[], words text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
  update turn_segments t
  set is_sealed = true, terms = n.terms::integer[], last_position = coalesce((
    select e.position from events e
    where e.session_key = t.session_key and e.sequence <= t.last_sequence and e.sequence is not null
    order by e.sequence desc limit 1), t.first_position)
  from unnest(session_keys, first_sequences, versions, seal_turn_segments.words)
    as n (session_key, first_sequence, version, terms)
  where t.session_key = n.session_key and t.first_sequence = n.first_sequence and t.xmin::text = n.version;
$function$

CREATE OR REPLACE FUNCTION public.secure_tables()
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO '$user', 'public'
AS $function$
declare
  target record;
  -- Roles that see one tenant at a time. The second one is missing where the owner of the tables may not create it.
  of_tenant text := 'turnkeeper_app';
  has_restricted boolean;
  -- To work as a role. Since Postgres 16 a member may lack it, such as the login that creates the role.
  assume constant text := case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end;
  -- Written only by functions that run as the owner.
  of_the_log constant text[] := array['events', 'sessions', 'tombstones', 'closed_sessions', 'memory_gates', 'questions'];
  -- Without a tenant and without secrets.
  shared constant text[] := array['dispatch_cursor', 'question_cursor'];
  -- Read before the tenant is known, and by operators.
  system_only constant text[] := array['tenants', 'api_keys'];
begin
  perform pg_advisory_xact_lock(1414877774, 1);
  begin
    if not exists (select from pg_roles where rolname = 'turnkeeper_app') then
      create role turnkeeper_app nologin;
    end if;
    if not exists (select from pg_roles where rolname = 'turnkeeper_system') then
      create role turnkeeper_system nologin;
    end if;
    if not exists (select from pg_roles where rolname = 'turnkeeper_restricted') then
      create role turnkeeper_restricted nologin;
    end if;
  exception
    -- Another database of this server created them first: roles belong to the server.
    when unique_violation or duplicate_object then null;
    when insufficient_privilege then null;
  end;
  if (select count(*) from pg_roles where rolname in ('turnkeeper_app', 'turnkeeper_system')) < 2 then
    return false;
  end if;
  has_restricted := exists (select from pg_roles where rolname = 'turnkeeper_restricted');
  if has_restricted then
    of_tenant := 'turnkeeper_app, turnkeeper_restricted';
  end if;
  begin
    for target in select unnest(array['turnkeeper_app', 'turnkeeper_system']) as name loop
      if not pg_has_role(current_user, target.name, assume) then
        execute format('grant %I to %I', target.name, current_user);
      end if;
    end loop;
  exception
    when insufficient_privilege then null; -- left to an operator
    when unique_violation or internal_error then null; -- another database of this server does the same
  end;
  -- A login that may work as the application may also work for a restricted key. Without inheritance, because the
  -- policies of one role would otherwise be added to those of the other.
  begin
    if has_restricted and not pg_has_role('turnkeeper_app', 'turnkeeper_restricted', assume) then
      alter role turnkeeper_app noinherit;
      grant turnkeeper_restricted to turnkeeper_app;
    end if;
  exception
    when insufficient_privilege then null;
    when unique_violation or internal_error then null;
  end;

  execute format('grant usage on schema %I to turnkeeper_system, %s', current_schema(), of_tenant);
  execute format('grant usage on all sequences in schema %I to turnkeeper_system, %s', current_schema(), of_tenant);
  for target in
    select c.oid, c.relname as name, c.relrowsecurity as secured, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    ) as of_tenants
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname not like '%\_migrations'
  loop
    if target.name = any (of_the_log) then
      execute format('grant select on %I to turnkeeper_system, %s', target.name, of_tenant);
    else
      execute format('grant select, insert, update, delete on %I to turnkeeper_system', target.name);
      if target.name = any (shared) then
        execute format('grant select on %I to %s', target.name, of_tenant);
      elsif target.of_tenants and target.name <> all (system_only) then
        execute format('grant select, insert, update, delete on %I to %s', target.name, of_tenant);
      end if;
    end if;
    if target.of_tenants and not target.secured then
      execute format('alter table %I enable row level security', target.name);
      execute format('create policy own_rows on %I to turnkeeper_app using (tenant_id = (select current_tenant()))',
                     target.name);
      execute format('create policy all_rows on %I to turnkeeper_system using (true)', target.name);
    end if;
    if has_restricted and target.of_tenants and target.name <> all (system_only)
      and not exists (select from pg_policies p where p.schemaname = current_schema() and p.tablename = target.name
                        and p.policyname = 'reached_rows') then
      execute format('create policy reached_rows on %I to turnkeeper_restricted using (tenant_id = (select current_tenant())%s)',
                     target.name, reach_condition(target.oid));
    end if;
  end loop;
  -- Required to lock a session's row (`for key share`). The column has no meaning for anyone.
  execute 'grant update (created_at) on sessions to turnkeeper_system';
  -- Rows that belong to a tenant through the row that they reference.
  for target in
    select c.oid, t.name, t.parent, t.key
    from (values
      ('webhook_attempts', 'webhook_deliveries', 'delivery_id'),
      ('connector_instances', 'connectors', 'connector_id'),
      ('connector_stamps', 'connectors', 'connector_id')
    ) as t (name, parent, key)
    join pg_class c on c.oid = to_regclass(t.name)
  loop
    execute format('grant select, insert, update, delete on %I to %s', target.name, of_tenant);
    if not exists (select from pg_policies p where p.schemaname = current_schema() and p.tablename = target.name
                     and p.policyname = 'own_rows') then
      execute format('alter table %I enable row level security', target.name);
      execute format('create policy own_rows on %1$I to turnkeeper_app
        using (exists (select from %2$I p where p.%3$I = %1$I.%3$I))', target.name, target.parent, target.key);
      execute format('create policy all_rows on %I to turnkeeper_system using (true)', target.name);
    end if;
    if has_restricted and not exists (select from pg_policies p where p.schemaname = current_schema()
                                        and p.tablename = target.name and p.policyname = 'reached_rows') then
      execute format('create policy reached_rows on %1$I to turnkeeper_restricted
        using (exists (select from %2$I p where p.%3$I = %1$I.%3$I)%4$s)', target.name, target.parent, target.key,
        reach_condition(target.oid));
    end if;
  end loop;
  -- A function that runs as the owner must find our tables, not temporary tables of the caller.
  for target in
    select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.prosecdef
      and not exists (select from unnest(p.proconfig) c where c = format('search_path=%I, pg_temp', current_schema()))
  loop
    execute format('alter function %s set search_path to %I, pg_temp', target.name, current_schema());
  end loop;
  return true;
end $function$

CREATE OR REPLACE FUNCTION public.session_name(session_id text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when starts_with(session_id, chr(1)) then split_part(session_id, chr(1), 3) else session_id end;
$function$

CREATE OR REPLACE FUNCTION public.set_delivery_memory()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.memory_id is null and new.agent_id is not null then
    select a.memory_id into new.memory_id from agents a where a.agent_id = new.agent_id;
  end if;
  return new;
end $function$

CREATE OR REPLACE FUNCTION public.settle_agent(of_agent uuid, of_event uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
begin
  update agents a
  set started_sequence = case when e.type = 'agent.started' then e.sequence else a.started_sequence end,
      stopped_sequence = case when e.type = 'agent.started' then a.stopped_sequence else e.sequence end
  from events e
  where a.agent_id = of_agent and e.tenant_id = a.tenant_id and e.event_id = of_event
    and e.type in ('agent.started', 'agent.stopped', 'agent.failed');
end $function$

CREATE OR REPLACE FUNCTION public.store_turn_segments(after_position bigint, upto_position bigint, taken bigint[], session_keys bigint[], first_sequences bigint[], versions text[], rows json, terms text[], data bytea[])
 RETURNS TABLE(reached bigint, blocked bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  held bigint[];
begin
  select c.position into reached from question_cursor c where c.name = 'turns' for update skip locked;
  if reached is null or reached <> after_position then
    return next;
    return;
  end if;
  -- A crash that loses these rows loses the cursor as well, and the turns are indexed again.
  perform set_config('synchronous_commit', 'off', true);
  if pg_try_advisory_xact_lock(1414877774, 7) then
    -- No deletion is under way, and each past one has left a tombstone.
    select min(t.position) into blocked from tombstones t
    where t.partition = 0 and t.position > after_position and t.position <= upto_position and t.position = any (taken);
  else
    held := array(
      select e.position from events e
      where e.partition = 0 and e.position > after_position and e.position <= upto_position and e.position = any (taken)
      order by e.position for key share skip locked
    );
    if cardinality(held) < cardinality(taken) then
      select min(t) into blocked from unnest(taken) t where t <> all (held);
    end if;
  end if;
  if blocked is not null then
    return next;
    return;
  end if;

  -- A deletion that changed one of the rows since it was read comes first.
  if (
    select count(*) from unnest(session_keys, first_sequences, versions) as n (session_key, first_sequence, version)
    left join lateral (
      select i.xmin::text as version from turn_segments i
      where i.session_key = n.session_key and i.first_sequence = n.first_sequence for update
    ) o on true
    where o.version is distinct from n.version
  ) > 0 then
    reached := null;
    return next;
    return;
  end if;
  if array_position(data, null) is not null then
    delete from turn_segments t using unnest(session_keys, first_sequences, data) as n (session_key, first_sequence, data)
    where n.data is null and t.session_key = n.session_key and t.first_sequence = n.first_sequence;
  end if;
  with changed as materialized (
    select n.* from rows from (
      unnest(session_keys), unnest(first_sequences), unnest(terms), unnest(data),
      json_to_recordset(rows) as (
        is_whole boolean, last_sequence bigint, last_place integer, first_position bigint, last_position bigint,
        turns integer, words bigint, first_day integer, last_day integer, speakers text[], languages text[],
        is_sealed boolean
      )
    ) as n (session_key, first_sequence, terms, data, is_whole, last_sequence, last_place, first_position, last_position,
            turns, words, first_day, last_day, speakers, languages, is_sealed)
    where n.data is not null
  ), grown as (
    update turn_segments t
    set last_sequence = n.last_sequence, last_place = n.last_place, turns = t.turns + n.turns, words = t.words + n.words,
        first_day = least(t.first_day, n.first_day), last_day = greatest(t.last_day, n.last_day), speakers = n.speakers,
        languages = n.languages, terms = '{}', data = t.data || n.data, is_sealed = false, changed_at = now()
    from changed n where not n.is_whole and t.session_key = n.session_key and t.first_sequence = n.first_sequence
  )
  insert into turn_segments as t (session_key, first_sequence, last_sequence, last_place, tenant_id, memory_id, actor_key,
    first_position, last_position, turns, words, first_day, last_day, speakers, languages, terms, data, is_sealed)
  select n.session_key, n.first_sequence, n.last_sequence, n.last_place, s.tenant_id, s.memory_id,
         hashtextextended(s.actor_id, turn_memory(s.tenant_id, s.memory_id)), n.first_position,
         n.last_position, n.turns, n.words, n.first_day, n.last_day, n.speakers, n.languages,
         n.terms::integer[], n.data, n.is_sealed
  from changed n
  cross join lateral (select i.* from sessions i where i.session_key = n.session_key limit 1) s
  where n.is_whole
  on conflict (session_key, first_sequence) do update
  set last_sequence = excluded.last_sequence, last_place = excluded.last_place,
      last_position = excluded.last_position, turns = excluded.turns,
      words = excluded.words, first_day = excluded.first_day, last_day = excluded.last_day, speakers = excluded.speakers,
      languages = excluded.languages, terms = excluded.terms, data = excluded.data, is_sealed = excluded.is_sealed,
      changed_at = now();
  update question_cursor set position = upto_position where name = 'turns';
  reached := upto_position;
  return next;
end $function$

CREATE OR REPLACE FUNCTION public.tenant_allowed(for_tenant uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(current_setting('role', true), '') not in ('turnkeeper_app', 'turnkeeper_restricted')
      or for_tenant = current_tenant();
$function$

CREATE OR REPLACE FUNCTION public.terms_in(data bytea)
 RETURNS TABLE(sequence bigint, term integer, count integer)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select t.sequence, ('x' || encode(substring(data from t.at + 22 + 4 * n for 4), 'hex'))::bit(32)::integer,
         coalesce((
           select get_byte(data, r.at + 2) << 8 | get_byte(data, r.at + 3)
           from generate_series(t.at + 21 + 4 * t.terms, t.at + 17 + 4 * (t.terms + t.repeated), 4) as r (at)
           where (get_byte(data, r.at) << 8 | get_byte(data, r.at + 1)) = n
         ), 1)
  from turns_in(data) t cross join lateral generate_series(0, t.terms - 1) as n
  union all
  select t.sequence, ('x' || encode(substring(data from t.at + t.size - 3 for 4), 'hex'))::bit(32)::integer, 1
  from turns_in(data) t where t.traits & 32 > 0;
$function$

CREATE OR REPLACE FUNCTION public.total_added_records()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into total_changes (tenant_id, memory_id, strategy_id, current_records, superseded_records)
  select a.tenant_id, a.memory_id, a.strategy_id,
         count(*) filter (where a.superseded_by is null), count(*) filter (where a.superseded_by is not null)
  from added a group by a.tenant_id, a.memory_id, a.strategy_id;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.total_changed_records()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into total_changes (tenant_id, memory_id, strategy_id, current_records, superseded_records)
  select c.tenant_id, c.memory_id, c.strategy_id, sum(c.currents), sum(c.supersededs)
  from (
    select n.tenant_id, n.memory_id, n.strategy_id, (n.superseded_by is null)::integer as currents,
           (n.superseded_by is not null)::integer as supersededs from added n
    union all
    select o.tenant_id, o.memory_id, o.strategy_id, -(o.superseded_by is null)::integer,
           -(o.superseded_by is not null)::integer from gone o
  ) c
  group by c.tenant_id, c.memory_id, c.strategy_id
  having sum(c.currents) <> 0 or sum(c.supersededs) <> 0;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.total_deleted_memory()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into total_changes (tenant_id, memory_id) values (old.tenant_id, old.memory_id);
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.total_deleted_records()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into total_changes (tenant_id, memory_id, strategy_id, current_records, superseded_records)
  select g.tenant_id, g.memory_id, g.strategy_id,
         -count(*) filter (where g.superseded_by is null), -count(*) filter (where g.superseded_by is not null)
  from gone g group by g.tenant_id, g.memory_id, g.strategy_id;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.total_extraction()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into total_changes (tenant_id, memory_id, strategy_id, records_made, model_calls, input_tokens, output_tokens)
  values (
    new.tenant_id, new.memory_id, new.strategy_id, new.records_made - old.records_made,
    new.model_calls - old.model_calls, new.input_tokens - old.input_tokens, new.output_tokens - old.output_tokens
  );
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.turn_memory(for_tenant uuid, of_memory uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select hashtextextended(of_memory::text, hashtextextended(for_tenant::text, 0));
$function$

CREATE OR REPLACE FUNCTION public.turn_scope(for_tenant uuid, of_memory uuid, of_actor text, of_session text, most_sessions integer)
 RETURNS TABLE(indexed double precision, head double precision, asked double precision, sessions double precision, turns double precision, words double precision, first_day integer, last_day integer, speakers text[], languages text[], session_key double precision)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO '$user', 'public'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
begin
  return query
  with reached as materialized (
    select c.position::float8 as indexed, newest_position()::float8 as head from question_cursor c where c.name = 'turns'
  ), asked as materialized (
    select s.session_key from sessions s
    where s.tenant_id = for_tenant and s.memory_id = of_memory and of_actor is not null and s.actor_id = of_actor
      and (of_session is null or s.session_id = of_session)
      -- `TAIL` in turn-search.sql.ts
      and (of_session is not null or (select r.head - r.indexed > 2000 from reached r))
    limit most_sessions
  ), scoped as (
    select t.session_key, t.turns, t.words, t.first_day, t.last_day, t.speakers, t.languages from asked a
    -- A lateral subquery with `offset` is a lookup per session; a join may read the rows of all tenants.
    cross join lateral (select i.* from turn_segments i where i.session_key = a.session_key offset 0) t
    where of_session is not null and t.tenant_id = for_tenant
    union all
    select t.session_key, t.turns, t.words, t.first_day, t.last_day, t.speakers, t.languages from turn_segments t
    where of_actor is not null and of_session is null and t.memory_id = of_memory and t.tenant_id = for_tenant
      and t.actor_key = hashtextextended(of_actor, turn_memory(for_tenant, of_memory))
    union all
    select t.session_key, t.turns, t.words, t.first_day, t.last_day, t.speakers, t.languages from turn_segments t
    where of_actor is null and t.memory_id = of_memory and t.tenant_id = for_tenant
  ), alike as materialized (
    -- Most segments have the same speakers and languages.
    select s.speakers, s.languages, count(*) as n, sum(s.turns) as turns, sum(s.words) as words,
           min(s.first_day) as first_day, max(s.last_day) as last_day
    from scoped s group by s.speakers, s.languages
  ), counted as (
    select coalesce(sum(a.n), 0) as n, coalesce(sum(a.turns), 0) as turns, coalesce(sum(a.words), 0) as words,
      min(a.first_day) as first_day, max(a.last_day) as last_day
    from alike a
  )
  select r.indexed, r.head, (select count(*) from asked)::float8,
    (select count(distinct s.session_key) from scoped s)::float8, c.turns::float8, c.words::float8,
    c.first_day, c.last_day,
    array(select distinct x from alike a, unnest(a.speakers) x where x <> '' order by x limit 100),
    -- A turn in another language now and then does not have every question read in that language as well.
    array(select x from alike a, unnest(a.languages) x group by x having 10 * sum(a.n) >= c.n
          order by sum(a.n) desc, x limit 3),
    case when of_session is not null then (select a.session_key from asked a)::float8 end
  from reached r cross join counted c;
end $function$

CREATE OR REPLACE FUNCTION public.turns_in(data bytea)
 RETURNS TABLE(at integer, size integer, place integer, sequence bigint, day integer, words integer, traits integer, language integer, speaker integer, terms integer, repeated integer)
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  at := 0;
  while at < length(data) loop
    terms := get_byte(data, at) << 8 | get_byte(data, at + 1);
    repeated := get_byte(data, at + 2) << 8 | get_byte(data, at + 3);
    place := ('x' || encode(substring(data from at + 5 for 4), 'hex'))::bit(32)::bigint;
    sequence := ('x' || encode(substring(data from at + 9 for 4), 'hex'))::bit(32)::bigint;
    day := ('x' || encode(substring(data from at + 13 for 4), 'hex'))::bit(32)::integer;
    words := get_byte(data, at + 16) << 8 | get_byte(data, at + 17);
    traits := get_byte(data, at + 18);
    language := get_byte(data, at + 19);
    speaker := get_byte(data, at + 20);
    size := 21 + 4 * (terms + repeated + (traits >> 5 & 1));
    return next;
    at := at + size;
  end loop;
end $function$

CREATE OR REPLACE FUNCTION public.uncounted_sessions(for_tenant uuid, of_memory uuid, done bigint)
 RETURNS TABLE(actor_key bigint, is_new boolean, messages bigint, binaries bigint)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO '$user', 'public'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
begin
  return query
  select activity_actor(for_tenant, of_memory, s.actor_id), a.session_key is null, t.messages, t.binaries
  from (
    select b.session_key, count(*) filter (where b.type = 'message.appended') as messages,
           count(*) filter (where b.type = 'binary.appended') as binaries
    from (
      select e.session_key, e.type from events e
      where e.partition = 0 and e.position > done and e.tenant_id = for_tenant and e.memory_id = of_memory
        and e.session_key is not null
      union all
      select u.session_key, null from usage_changes u
      where u.memory_id = of_memory and u.tenant_id = for_tenant and u.position > done
    ) b group by b.session_key
  ) t
  cross join lateral (
    select i.actor_id, i.session_id from sessions i where i.session_key = t.session_key limit 1
  ) s
  left join lateral (select i.session_key from session_activity i where i.session_key = t.session_key limit 1) a on true
  where s.session_id >= chr(2);
end $function$

CREATE OR REPLACE FUNCTION public.vector_scope(of_memory uuid, in_namespace text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select hashtextextended(of_memory::text || in_namespace, 0);
$function$

CREATE OR REPLACE FUNCTION public.well_formed(data json)
 RETURNS json
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT
         CASE
             WHEN (strpos((data)::text, '\ud'::text) = 0) THEN data
             ELSE (replace_half_pairs((data)::text))::json
         END AS replace_half_pairs;
END

CREATE OR REPLACE FUNCTION public.write_graph_batch(for_tenant uuid, t_memory uuid[], t_actor text[], t_session text[], c_thread integer[], c_ns text[], c_id text[], c_parent text[], c_type text[], c_data text[], c_metadata_type text[], c_metadata text[], c_labels text[], c_versions text[], b_thread integer[], b_ns text[], b_channel text[], b_version text[], b_type text[], b_data text[], w_thread integer[], w_ns text[], w_id text[], w_path text[], w_task text[], w_index integer[], w_channel text[], w_type text[], w_data text[], w_overwrite boolean[])
 RETURNS bigint[]
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  open_memories uuid[];
  keys bigint[];
begin
  -- Locked, so that the deletion of a memory cannot miss rows written here.
  open_memories := array(
    select m.memory_id from memories m
     where m.tenant_id = for_tenant and m.memory_id = any (array(select distinct unnest(t_memory)))
       and m.status = 'ACTIVE' for key share
  );
  keys := array(
    select (select t.thread_key from graph_threads t
             where t.memory_id = a.memory_id and t.session_id = a.session_id and t.actor_id = a.actor_id
               and t.tenant_id = for_tenant and t.touched_at >= now() - interval '1 minute'
               and a.memory_id = any (open_memories) limit 1)
      from unnest(t_memory, t_actor, t_session) with ordinality as a(memory_id, actor_id, session_id, nr)
     order by a.nr
  );
  if array_position(keys, null) is not null then
    -- An expired thread starts anew.
    delete from graph_threads
     where thread_key = any (array(
       select x.thread_key
         from unnest(t_memory, t_actor, t_session) as a(memory_id, actor_id, session_id)
        cross join lateral (
          select t.thread_key from graph_threads t
           where t.memory_id = a.memory_id and t.session_id = a.session_id and t.actor_id = a.actor_id
             and t.tenant_id = for_tenant
             and t.touched_at < now() - make_interval(days => (
               select m.event_expiry_duration from memories m where m.memory_id = a.memory_id limit 1))
           limit 1) x));
    insert into graph_threads (tenant_id, memory_id, actor_id, session_id)
    select for_tenant, a.memory_id, a.actor_id, a.session_id
      from unnest(t_memory, t_actor, t_session) as a(memory_id, actor_id, session_id)
     where a.memory_id = any (open_memories)
     order by 2, 4, 3
    on conflict do nothing;
    -- Locked in order, because concurrent batches may touch the same threads.
    update graph_threads set touched_at = now()
     where thread_key = any (array(
       select x.thread_key
         from unnest(t_memory, t_actor, t_session) as a(memory_id, actor_id, session_id)
        cross join lateral (
          select t.thread_key from graph_threads t
           where t.memory_id = a.memory_id and t.session_id = a.session_id and t.actor_id = a.actor_id
             and t.tenant_id = for_tenant and t.touched_at < now() - interval '1 minute'
           limit 1 for no key update) x
        order by a.memory_id, a.session_id, a.actor_id));
    keys := array(
      select coalesce((select t.thread_key from graph_threads t
                        where t.memory_id = a.memory_id and t.session_id = a.session_id and t.actor_id = a.actor_id
                          and t.tenant_id = for_tenant and a.memory_id = any (open_memories) limit 1), 0)
        from unnest(t_memory, t_actor, t_session) with ordinality as a(memory_id, actor_id, session_id, nr)
       order by a.nr
    );
  end if;
  insert into graph_checkpoints as old
    (thread_key, tenant_id, memory_id, checkpoint_ns, checkpoint_id, parent_id, type, data, metadata_type, metadata,
     labels, versions)
  select keys[c.thread], for_tenant, t_memory[c.thread], c.ns, c.id, c.parent, c.type, c.data, c.metadata_type,
         c.metadata, c.labels::jsonb, c.versions::jsonb
    from unnest(c_thread, c_ns, c_id, c_parent, c_type, c_data, c_metadata_type, c_metadata, c_labels, c_versions)
      as c(thread, ns, id, parent, type, data, metadata_type, metadata, labels, versions)
   where keys[c.thread] > 0
   order by 1, c.ns, c.id
  on conflict (thread_key, checkpoint_ns, checkpoint_id) do update
    set parent_id = excluded.parent_id, type = excluded.type, data = excluded.data,
        metadata_type = excluded.metadata_type, metadata = excluded.metadata, labels = excluded.labels,
        versions = excluded.versions;
  insert into graph_blobs (thread_key, tenant_id, memory_id, checkpoint_ns, channel, version, type, data)
  select keys[b.thread], for_tenant, t_memory[b.thread], b.ns, b.channel, b.version, b.type, b.data
    from unnest(b_thread, b_ns, b_channel, b_version, b_type, b_data) as b(thread, ns, channel, version, type, data)
   where keys[b.thread] > 0
   order by 1, b.ns, b.channel, b.version
  on conflict do nothing;
  if cardinality(w_thread) > 0 then
    -- Special writes (errors, interrupts, resumes) replace those of an earlier attempt.
    insert into graph_writes
      (thread_key, tenant_id, memory_id, checkpoint_ns, checkpoint_id, task_path, task_id, write_index, channel, type, data)
    select keys[w.thread], for_tenant, t_memory[w.thread], w.ns, w.id, w.path, w.task, w.index, w.channel, w.type, w.data
      from unnest(w_thread, w_ns, w_id, w_path, w_task, w_index, w_channel, w_type, w_data, w_overwrite)
        as w(thread, ns, id, path, task, index, channel, type, data, overwrite)
     where keys[w.thread] > 0 and w.overwrite
     order by 1, w.ns, w.id, w.task, w.index
    on conflict (thread_key, checkpoint_ns, checkpoint_id, task_id, write_index) do update
      set task_path = excluded.task_path, channel = excluded.channel, type = excluded.type, data = excluded.data;
    insert into graph_writes
      (thread_key, tenant_id, memory_id, checkpoint_ns, checkpoint_id, task_path, task_id, write_index, channel, type, data)
    select keys[w.thread], for_tenant, t_memory[w.thread], w.ns, w.id, w.path, w.task, w.index, w.channel, w.type, w.data
      from unnest(w_thread, w_ns, w_id, w_path, w_task, w_index, w_channel, w_type, w_data, w_overwrite)
        as w(thread, ns, id, path, task, index, channel, type, data, overwrite)
     where keys[w.thread] > 0 and not w.overwrite
     order by 1, w.ns, w.id, w.task, w.index
    on conflict do nothing;
  end if;
  return keys;
end $function$

