import type { ApiDocument } from '../document.js';
import { EVENT_CLASSES, EVENT_SCHEMAS, PING_CLASS, WEBHOOKS } from '../events.dto.js';

const DESCRIPTION = `
List an organization's agent groups, send messages into chats, hand chats to people, and get events.

Every request carries \`Authorization: Bearer <personal access token>\`. The token decides the organization. Errors are
\`application/problem+json\`. A 500 or 503 may be retried with exponential backoff; with an \`Idempotency-Key\`, a retry never
does anything twice. A body has a limit of bytes and of values, which is enough for every valid one; beyond it the answer is
400 \`body_too_large\`. Bodies may be compressed with \`gzip\` or \`deflate\`. Unknown fields are ignored, except misspelt ones such as
\`if_owner\`, which are 400.`;

/** The document of the bot API. */
export const BOT_API: ApiDocument = {
  name: 'Parley bot API',
  prefix: '/api/bot/',
  reportsRate: true,
  url: '/api/bot/docs',
  description: DESCRIPTION,
  tags: {
    Me: 'The bot that a token belongs to.',
    Chats: 'Open, read and close chats, and say that you are typing or have read.',
    Visitors: 'What is known of visitors.',
    Search: 'Find chats by what was written in them. Needs a token with the scope `search` or `search:all`.',
    Messages: 'Send messages.',
    Transfer: 'Hand chats to agents, and take them back.',
    Groups: 'The groups of agents.',
    Events: 'Poll for events. Each is returned until you acknowledge it.',
    Webhooks: 'What Parley sends to your webhooks. The bodies are the same as when you poll.',
    Files: 'Upload files for messages, and read the files of messages.',
  },
  secure: (builder) =>
    builder.addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'prl_pat_…',
        description: 'A personal access token of a bot',
      },
      'accessToken',
    ),
  models: [...EVENT_CLASSES, PING_CLASS],
  schemas: EVENT_SCHEMAS,
  webhooks: WEBHOOKS,
};
