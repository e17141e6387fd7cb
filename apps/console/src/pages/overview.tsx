export { Overview } from './overview/overview';
