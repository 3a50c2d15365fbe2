import { DocumentBuilder } from '@nestjs/swagger';
import type { ApiDocument } from '../openapi.js';

const DESCRIPTION = `
List an organization's agent groups, send messages into chats and hand chats to people.

Every request carries \`Authorization: Bearer <personal access token>\`; the token decides the organization. Errors are
\`application/problem+json\`; every response carries \`X-Request-Id\`. A 500 or 503 may be retried with exponential
back-off; with an \`Idempotency-Key\` a retry cannot do anything twice. A body has a limit of bytes
and of values, which is enough for every valid one; beyond it the answer is 400 \`body_too_large\`. It may be compressed with
\`gzip\` or \`deflate\`.`;

/** The document of the bot API. */
export const BOT_API: ApiDocument = {
  name: 'Parley bot API',
  prefix: '/api/bot/',
  url: '/api/bot/docs',
  describe: () =>
    new DocumentBuilder().setTitle('Parley bot API').setDescription(DESCRIPTION.trim()).setVersion('1').addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'prl_pat_…',
        description: 'A personal access token of a bot',
      },
      'accessToken',
    ),
};
