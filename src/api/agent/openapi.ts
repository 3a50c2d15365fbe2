import type { AgentEvents } from '../../live/agent-state/agent-feed.js';
import { type ApiDocument, describeSocketEvents, type SocketEvents } from '../document.js';
import { MessageResponse } from '../messages.dto.js';
import { SeqHintResponse, TypingEventResponse } from '../signals.dto.js';
import { ChatRowResponse, GoneRowResponse } from './chats.dto.js';
import { MentionEventResponse, MentionsSeenResponse } from './notes.dto.js';
import { OfferResponse } from './offers.dto.js';
import {
  FollowedResponse,
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

const EVENTS: SocketEvents<keyof AgentEvents> = {
  message: [MessageResponse, 'A message was stored in a chat that the agent has or follows'],
  'message:deleted': [MessageResponse, 'An agent deleted a message of such a chat. It has `deletedAt` and no content'],
  seq: [SeqHintResponse, 'You may have missed the last message of such a chat'],
  chat: [
    [ChatRowResponse, GoneRowResponse],
    "A chat changed: one that the agent has or follows, that waits in the agent's groups, or of the watched view. The second form: the agent may no longer see it",
  ],
  offer: [OfferResponse, 'Routing offers a chat to the agent'],
  'offer:ended': [OfferEndedResponse, 'The offer was answered, expired, or was withdrawn'],
  mention: [MentionEventResponse, 'A note mentions the agent'],
  followed: [FollowedResponse, 'The agent follows a chat, or no longer does, perhaps in another tab'],
  'mentions:seen': [MentionsSeenResponse, 'The agent has seen the mentions of a chat, perhaps in another tab'],
  typing: [
    TypingEventResponse,
    'The visitor, a bot, or a colleague types in a chat that the agent has or follows, or stops',
  ],
  viewers: [ViewersResponse, 'An agent began or stopped following a chat that the agent has or follows'],
  presence: [PresenceEventResponse, 'An agent of the organization came online, paused, or went offline'],
  'inbox:stale': [
    StaleResponse,
    'You may have missed something: read the view and the counts again, and `sync` what you follow',
  ],
  'session:ended': [SessionEndedResponse, 'The session ended. Parley closes the socket right after it'],
};

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
    Search: 'Find chats by what was written in them.',
    Offers: 'Chats that the agent is asked to take.',
    Notes: 'Notes about a chat, which only agents see.',
    'Canned replies': 'Texts that agents insert by a shortcut.',
    Views: 'Searches that agents keep under a name.',
    'Groups and colleagues': 'The groups and the agents of the organization.',
    'Push notifications': 'Browsers of the agent that are notified while no page is visible.',
    Reports: 'Counts and medians by day.',
    Team: 'Who works on what right now, for supervisors.',
    Files: 'Upload files for messages, and read the files of messages.',
  },
  secure: (builder, cookies) =>
    builder
      .addBearerAuth(
        { type: 'http', scheme: 'bearer', bearerFormat: 'prl_ags_…', description: "The token of an agent's session" },
        'agentSession',
      )
      .addCookieAuth(
        cookies.secure,
        { type: 'apiKey', in: 'cookie', description: `The session in a browser; \`${cookies.plain}\` over plain http` },
        'agentCookie',
      ),
  ...describeSocketEvents(EVENTS),
};
