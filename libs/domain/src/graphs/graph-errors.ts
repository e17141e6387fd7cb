import { refusal } from '../errors.js';

export class CheckpointNotFound extends refusal('checkpoint.not_found', 'not_found', {
  message: 'There is no such checkpoint.',
  field: 'checkpointId',
  rule: 'must name a checkpoint of this session and namespace',
  next: 'Search the checkpoints of the session and use an id from there.',
}) {}

export class ThreadActorUnknown extends refusal('thread.actor_unknown', 'not_found', {
  message: 'No actor has this thread, so it must be named.',
  field: 'actorId',
  rule: 'must be given for a thread that does not exist yet',
  next: 'Pass actor_id beside thread_id in the configurable, or make the saver with actorId.',
}) {}

export class ThreadActorAmbiguous extends refusal('thread.actor_ambiguous', 'conflict', {
  message: 'Several actors have a thread with this id: pass actor_id.',
  field: 'actorId',
  rule: 'must be given if several actors of the memory have the thread',
  next: 'Pass actor_id beside thread_id in the configurable, or make a saver with actorId for each actor.',
}) {}
