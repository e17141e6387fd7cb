/** Injection tokens for dependencies without a class. */
export const MEMORY_STORE = Symbol('memory store');
export const AGENT_STORE = Symbol('agent store');
export const EVENT_STORE = Symbol('event store');
export const VENDOR_APP_STORE = Symbol('vendor app store');
/** Everything the process opened: `IngestResources`. Prefer a narrower token. */
export const RESOURCES = Symbol('resources');
export const SETTINGS = Symbol('settings');
/** The adapters of all ports, as use cases take them: `Stores`. */
export const STORES = Symbol('stores');
export const GRAPH_ITEMS = Symbol('graph items');
export const CLOCK = Symbol('clock');
export const WEBHOOK_ENDPOINT_STORE = Symbol('webhook endpoint store');
export const DELIVERY_STORE = Symbol('delivery store');
export const CONNECTOR_STORE = Symbol('connector store');
export const NOTICE_STORE = Symbol('notice store');
/** Public base URL of this service, without a trailing slash. */
export const PUBLIC_URL = Symbol('public url');
export const STREAM_RECONCILER = Symbol('stream reconciler');
/** `() => void`: called after this process has appended events. */
export const APPENDED = Symbol('appended');
/** First answers to requests with an `Idempotency-Key`. */
export const FIRST_ANSWERS = Symbol('first answers');
export const LOGGER = Symbol('logger');
