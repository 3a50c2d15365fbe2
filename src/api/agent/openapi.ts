import { DocumentBuilder } from '@nestjs/swagger';
import type { ApiDocument } from '../openapi.js';

const DESCRIPTION = `
What the people who answer see and do: their views of chats, the chats themselves, notes, canned replies, reports.

A program carries \`Authorization: Bearer <session token>\`; a browser has a cookie, which works for other methods than GET
from the service's own origin only. The session decides the organization and the role. A chat that the agent may not see is
404. Errors are \`application/problem+json\`; every response carries \`X-Request-Id\`. A body has a limit of bytes
and of values, which is enough for every valid one; beyond it the answer is 400 \`body_too_large\`. It may be compressed with
\`gzip\` or \`deflate\`, but not to sign in.`;

/** The document of the agent API. */
export const AGENT_API: ApiDocument = {
  name: 'Parley agent API',
  prefix: '/api/agent/',
  url: '/api/agent/docs',
  describe: () =>
    new DocumentBuilder()
      .setTitle('Parley agent API')
      .setDescription(DESCRIPTION.trim())
      .setVersion('1')
      .addBearerAuth(
        { type: 'http', scheme: 'bearer', bearerFormat: 'prl_ags_…', description: 'The token of an agent’s session' },
        'agentSession',
      ),
};
