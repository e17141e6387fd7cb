/** Roles of the end user in lower case, as spelled by AgentBase's guide and LangChain. */
export const USER_ROLES: ReadonlySet<string> = new Set(['user', 'human']);
const ASSISTANT_ROLES: ReadonlySet<string> = new Set(['assistant', 'ai']);
const TOOL_ROLES: ReadonlySet<string> = new Set(['tool', 'function']);

export const isUserRole = (role: string): boolean => USER_ROLES.has(role.toLowerCase());

/** Roles of the agent, as spelled by OpenAI and LangChain. */
export const isAssistantRole = (role: string): boolean => ASSISTANT_ROLES.has(role.toLowerCase());

/** Roles of a tool result. */
export const isToolRole = (role: string): boolean => TOOL_ROLES.has(role.toLowerCase());
