import type { VisitorEvents } from '../../live/feeds/visitor-feed.js';
import { type ApiDocument, describeSocketEvents, type SocketEvents } from '../document.js';
import { MessageResponse } from '../messages.dto.js';
import { SentChatResponse } from './chats.dto.js';
import { SeqHintResponse, TypingEventResponse } from '../signals.dto.js';

const DESCRIPTION = `
What a chat widget calls: sessions, the visitor's chats, and the settings of the widget.

A session is started with the organization's public widget key. Every other request carries \`Authorization: Bearer <token>\`.
A page of every origin may call (CORS), unless the organization limits the origins. Errors are \`application/problem+json\`.
The routes exist for clients without a socket; the Socket.IO namespace \`/visitor\` takes the same requests, and sends the events
listed under \`x-socket-events\`.`;

const EVENTS: SocketEvents<keyof VisitorEvents> = {
  message: [MessageResponse, 'A message was stored in an open chat'],
  'message:deleted': [MessageResponse, 'An agent deleted a message. It has `deletedAt` and no content'],
  chat: [
    SentChatResponse,
    'The status, the owner, the group, the agent, the place in line, a read mark, the rating, or whether its bot is connected changed',
  ],
  typing: [TypingEventResponse, 'Someone types, or stops'],
  seq: [SeqHintResponse, 'You may have missed the last message'],
};

/** The document of the visitor API. */
export const VISITOR_API: ApiDocument = {
  name: 'Parley visitor API',
  prefix: '/api/visitor/',
  url: '/api/visitor/docs',
  description: DESCRIPTION,
  tags: {
    Sessions: 'Start, renew and end sessions.',
    Chats: 'Open, read, close and rate chats, and send messages.',
    Widget: 'What the organization chose for its widget.',
    Files: 'Upload files for messages, and read the files of messages.',
  },
  secure: (builder) =>
    builder.addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of a session' },
      'visitorToken',
    ),
  ...describeSocketEvents(EVENTS),
};
