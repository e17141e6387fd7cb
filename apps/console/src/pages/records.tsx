export { Records } from './records/list';
export { Why } from './records/why';
