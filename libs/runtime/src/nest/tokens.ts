/** Injection tokens for dependencies without a class. */
export const SETTINGS = Symbol('settings');
export const LOGGER = Symbol('logger');
/** Everything the process opened: a service's extension of `Runtime`. Prefer a narrower token. */
export const RESOURCES = Symbol('resources');
/** The adapters of all ports, as use cases take them: `Stores`. */
export const STORES = Symbol('stores');

// Ports that controllers use without a use case in between.
export const MEMORY_STORE = Symbol('memory store');
export const AGENT_STORE = Symbol('agent store');
export const EVENT_STORE = Symbol('event store');
export const GRAPH_ITEMS = Symbol('graph items');
export const VENDOR_APP_STORE = Symbol('vendor app store');
export const WEBHOOK_ENDPOINT_STORE = Symbol('webhook endpoint store');
export const DELIVERY_STORE = Symbol('delivery store');
export const CONNECTOR_STORE = Symbol('connector store');
export const NOTICE_STORE = Symbol('notice store');
/** First answers to requests with an `Idempotency-Key`. */
export const FIRST_ANSWERS = Symbol('first answers');
export const CLOCK = Symbol('clock');
