import type { ApiDocument } from '../document.js';
import { EVENT_CLASSES, EVENT_SCHEMAS, PING_CLASS, WEBHOOKS } from '../events.dto.js';

const DESCRIPTION = `
What administrators set up and look after: organizations, groups, agents, bots and their tokens, webhooks, chats, visitors.

Every request carries \`Authorization: Bearer <token>\`: the \`ADMIN_TOKEN\` of the installation, an operator's token, or the session of an agent
with the role \`ADMIN\`. A session works for its own organization, and can't list, create or delete organizations. Errors are
\`application/problem+json\`. A body has a limit of bytes and of values, which is enough for every valid one; beyond it the
answer is 400 \`body_too_large\`. Bodies may be compressed with \`gzip\` or \`deflate\`.`;

/** The document of the admin API. */
export const ADMIN_API: ApiDocument = {
  name: 'Parley admin API',
  prefix: '/api/admin/',
  url: '/api/admin/docs',
  description: DESCRIPTION,
  tags: {
    Organizations: 'The tenants of the installation.',
    Installation: 'What happened to organizations, who operates the installation, its nodes, and its secrets.',
    Groups: 'Groups of agents, and how their chats are routed.',
    Agents: 'The people who answer, and their sign-in links.',
    'Audit log': 'Who changed what.',
    Bots: 'Bots, their access tokens, and the events that wait for them.',
    Chats: 'Create chats, and change their status.',
    Visitors: 'Find, export and erase visitors.',
    Tags: 'Rename, color, merge, and delete the tags of chats.',
    Webhooks: 'Webhooks and their deliveries, and what Parley sends to them.',
    Mails: 'E-mails that Parley sends to visitors and agents.',
    Widget: 'The look and the questions of the chat widget.',
  },
  secure: (builder, cookies) =>
    builder
      .addBearerAuth(
        {
          type: 'http',
          scheme: 'bearer',
          description: "`ADMIN_TOKEN`, an operator's token (`prl_opr_…`), or the session of an `ADMIN` (`prl_ags_…`)",
        },
        'adminToken',
      )
      .addCookieAuth(
        cookies.secure,
        {
          type: 'apiKey',
          in: 'cookie',
          description: `The session of an \`ADMIN\`, in a browser; \`${cookies.plain}\` over plain http`,
        },
        'adminCookie',
      ),
  models: [...EVENT_CLASSES, PING_CLASS],
  schemas: EVENT_SCHEMAS,
  webhooks: WEBHOOKS,
};
