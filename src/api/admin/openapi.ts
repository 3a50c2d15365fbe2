import { DocumentBuilder } from '@nestjs/swagger';
import type { ApiDocument } from '../openapi.js';

const DESCRIPTION = `
What administrators set up and look after: organizations, groups, agents, bots and their tokens, webhooks, chats, visitors.

Every request carries \`Authorization: Bearer <token>\`: the \`ADMIN_TOKEN\` of the installation, or the session of an agent
who is an \`ADMIN\`, which works for its own organization, and may neither list, create nor delete organizations. Errors are
\`application/problem+json\`; every response carries \`X-Request-Id\`. A body has a limit of bytes
and of values, which is enough for every valid one; beyond it the answer is 400 \`body_too_large\`. It may be compressed with
\`gzip\` or \`deflate\`.`;

/** The document of the admin API. */
export const ADMIN_API: ApiDocument = {
  name: 'Parley admin API',
  prefix: '/api/admin/',
  url: '/api/admin/docs',
  describe: () =>
    new DocumentBuilder()
      .setTitle('Parley admin API')
      .setDescription(DESCRIPTION.trim())
      .setVersion('1')
      .addBearerAuth(
        { type: 'http', scheme: 'bearer', description: '`ADMIN_TOKEN`, or the session of an `ADMIN` (`prl_ags_…`)' },
        'adminToken',
      ),
};
