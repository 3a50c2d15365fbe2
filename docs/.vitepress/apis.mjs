/** The HTTP APIs that have a page in the reference, by their audiences; `security` is the scheme that their document names first. */
export const APIS = {
  bot: { name: 'Bot API', security: 'accessToken' },
  visitor: { name: 'Visitor API', security: 'visitorToken' },
  agent: { name: 'Agent API', security: 'agentSession' },
  admin: { name: 'Admin API', security: 'adminToken' },
};
