import { getSchemaPath } from '@nestjs/swagger';
import type { ApiDocument } from '../document.js';
import { MessageResponse } from '../messages.dto.js';
import { SeqHintResponse, TypingEventResponse } from '../signals.dto.js';
import { ChatRowResponse, GoneRowResponse } from './chats.dto.js';
import { OfferResponse } from './offers.dto.js';
import {
  OfferEndedResponse,
  PresenceEventResponse,
  SessionEndedResponse,
  StaleResponse,
  ViewersResponse,
} from './socket-events.dto.js';

const DESCRIPTION = `
What the people who answer see and do: their views of chats, the chats themselves, notes, canned replies, reports.

A program sends \`Authorization: Bearer <session token>\`. A browser has a cookie, which works for methods other than GET
from the service's own origin only. The session decides the organization and the role. A chat that the agent may not see is
404. Errors are \`application/problem+json\`. A body has a limit of bytes and of values, which is enough for every valid one;
beyond it the answer is 400 \`body_too_large\`. Bodies may be compressed with \`gzip\` or \`deflate\`, except for signing in. The
Socket.IO namespace \`/agent\` sends the events listed under \`x-socket-events\`.`;

const MODELS = {
  message: MessageResponse,
  seq: SeqHintResponse,
  offer: OfferResponse,
  'offer:ended': OfferEndedResponse,
  typing: TypingEventResponse,
  viewers: ViewersResponse,
  presence: PresenceEventResponse,
  'inbox:stale': StaleResponse,
  'session:ended': SessionEndedResponse,
};
const reference = (model: new () => object) => ({ $ref: getSchemaPath(model) });

/** The document of the agent API. */
export const AGENT_API: ApiDocument = {
  name: 'Parley agent API',
  prefix: '/api/agent/',
  url: '/api/agent/docs',
  description: DESCRIPTION,
  tags: {
    Session: 'Sign in and out, and change the password.',
    Presence: 'Accept chats, or pause.',
    Chats: 'Views, chats and their messages, and everything an agent does with a chat.',
    Offers: 'Chats that the agent is asked to take.',
    Notes: 'Notes about a chat, which only agents see.',
    'Canned replies': 'Texts that agents insert by a shortcut.',
    'Groups and colleagues': 'The groups and the agents of the organization.',
    Reports: 'Counts and medians by day.',
  },
  secure: (builder) =>
    builder
      .addBearerAuth(
        { type: 'http', scheme: 'bearer', bearerFormat: 'prl_ags_…', description: "The token of an agent's session" },
        'agentSession',
      )
      .addCookieAuth(
        '__Host-parley',
        { type: 'apiKey', in: 'cookie', description: 'The session in a browser; `parley` over plain http' },
        'agentCookie',
      ),
  models: [...Object.values(MODELS), ChatRowResponse, GoneRowResponse],
  socketEvents: {
    ...Object.fromEntries(Object.entries(MODELS).map(([event, model]) => [event, reference(model)])),
    chat: { oneOf: [reference(ChatRowResponse), reference(GoneRowResponse)] },
  },
};
