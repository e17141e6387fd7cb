export { Webhooks } from './webhooks/list';
export { Endpoint } from './webhooks/endpoint';
