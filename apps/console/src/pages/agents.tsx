export { Agents } from './agents/list';
export { Agent } from './agents/agent';
