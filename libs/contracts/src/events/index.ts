export * from './event-schemas.js';
export * from './upcast.js';
export * from './check-event.js';
export { eventNoticeMessage } from './event-notice.js';
export { cloudEvent, cloudEventOf, type CloudEvent } from './cloud-event.js';
