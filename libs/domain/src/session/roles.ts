/** Roles that stand for the end user, as AgentBase's guide and LangChain spell them. */
export const isUserRole = (role: string): boolean => ['user', 'human'].includes(role.toLowerCase());
