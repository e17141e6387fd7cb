/** Injection tokens of what has no class of its own to be asked for by. */
export const MEMORY_STORE = Symbol('memory store');
export const AGENT_STORE = Symbol('agent store');
export const EVENT_STORE = Symbol('event store');
export const VENDOR_APP_STORE = Symbol('vendor app store');
export const CLOCK = Symbol('clock');
export const WEBHOOK_ENDPOINT_STORE = Symbol('webhook endpoint store');
export const DELIVERY_STORE = Symbol('delivery store');
export const CONNECTOR_STORE = Symbol('connector store');
export const NOTICE_STORE = Symbol('notice store');
/** Where clients and vendors reach this service, without a slash at the end. */
export const PUBLIC_URL = Symbol('public url');
export const STREAM_RECONCILER = Symbol('stream reconciler');
/** `() => void`: events were appended by this process. */
export const APPENDED = Symbol('appended');
