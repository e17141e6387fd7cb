const USER_ROLES: ReadonlySet<string> = new Set(['user', 'human']);
const ASSISTANT_ROLES: ReadonlySet<string> = new Set(['assistant', 'ai']);
const TOOL_ROLES: ReadonlySet<string> = new Set(['tool', 'function']);

/** Roles that stand for the end user, as AgentBase's guide and LangChain spell them. */
export const isUserRole = (role: string): boolean => USER_ROLES.has(role.toLowerCase());

/** Roles that stand for the agent: OpenAI's word and LangChain's. */
export const isAssistantRole = (role: string): boolean => ASSISTANT_ROLES.has(role.toLowerCase());

/** Roles that carry the result of a call. */
export const isToolRole = (role: string): boolean => TOOL_ROLES.has(role.toLowerCase());
