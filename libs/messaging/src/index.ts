export { ensureEventStream, eventStream, type EventStream, type EventStreamSettings } from './event-stream.js';
export { BrokerUnavailable, JetStreamPublisher, type JetStreamPublisherOptions } from './jetstream-publisher.js';
export { NatsConnectionProvider, type NatsConnectionOptions } from './nats-connection.js';
export { Relay, type RelayObserver, type RelayOptions, type RelayPorts } from './relay/relay.js';
export { ALL_MEMORY_EVENTS, DEFAULT_SUBJECT_PREFIX, encodeSubjectToken, memoryEventsSubject } from './subjects.js';
export { type ConsumerObserver, type ConsumerSettings } from './transport/durable-consumer.js';
export { JetStreamContext, type Delivery } from './transport/jetstream-context.js';
export {
  JetStreamStrategy,
  type HandlerExtras,
  type JetStreamStrategyOptions,
} from './transport/jetstream-strategy.js';
export { RethrowFilter } from './transport/rethrow.filter.js';
export { JetStreamReconciler, type ReconcilerPorts } from './reconcile/jetstream-reconciler.js';
export { StreamWatch, type StreamWatchOptions } from './reconcile/stream-watch.js';
export { contentStream, contentSubject } from './content/content-stream.js';
export {
  ContentRelay,
  deleteContentStream,
  type ContentRelayObserver,
  type ContentRelayOptions,
  type ContentRelayPorts,
} from './content/content-relay.js';
