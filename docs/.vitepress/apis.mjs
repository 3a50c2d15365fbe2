/** The HTTP APIs that have a page in the reference, by their audiences. */
export const APIS = { bot: 'Bot API', visitor: 'Visitor API', agent: 'Agent API', admin: 'Admin API' };
