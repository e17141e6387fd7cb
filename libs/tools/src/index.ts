export {
  forget,
  getContext,
  MEMORY_TOOLS,
  recall,
  remember,
  type AnyMemoryTool,
  type MemoryScope,
  type MemoryTool,
} from './memory-tools.js';
