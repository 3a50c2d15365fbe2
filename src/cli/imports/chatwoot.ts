import { basename } from 'node:path';
import type { Author, Conversation, Said, Source } from './conversation.js';
import { withFiles } from './conversation.js';
import { Fields } from './fields.js';
import { readJson, refused } from './read-lines.js';

/** Chatwoot's types of messages. */
export const [INCOMING, OUTGOING, TEMPLATE] = [0, 1, 3];

/** Conversations as Chatwoot's API answers them, each with all its messages in `messages`. */
export class ChatwootFiles implements Source {
  readonly name = 'chatwoot';

  constructor(private readonly path: string) {}

  async *conversations(): AsyncGenerator<Conversation> {
    for await (const { value, place } of readJson(this.path)) yield toConversation(Fields.of(value, place));
  }

  end(): Promise<void> {
    return Promise.resolve();
  }
}

function toConversation(given: Fields): Conversation {
  const contact = given.part('meta')?.part('sender');
  if (!contact || !given.has('messages'))
    throw refused(`${given.place} isn't a conversation with meta.sender and messages, as Chatwoot's API answers`);
  const id = given.id('id');
  const said = given.list('messages').flatMap((message) => toSaid(message));
  const name = contact.text('name');
  return {
    id,
    createdAt: given.time('created_at'),
    labels: given.texts('labels'),
    said: said.toSorted((one, other) => one.at.getTime() - other.at.getTime()),
    person: {
      id: contact.id('id'),
      externalId: contact.text('identifier'),
      name,
      email: contact.text('email'),
      phone: contact.text('phone_number'),
    },
  };
}

function toSaid(given: Fields): Said[] {
  const type = given.number('message_type');
  const author = authorOf(type, given);
  const files = given
    .list('attachments')
    .map((file) => ({ name: nameOf(file.text('data_url')), url: file.text('data_url') }));
  const text = withFiles(given.text('content') ?? '', files);
  if (author === undefined || text === '') return [];
  return [{ id: given.id('id'), at: given.time('created_at'), author, text, isNote: given.isTrue('private') }];
}

// Activities, such as an assignment, are no messages.
function authorOf(type: number | undefined, given: Fields): Author | undefined {
  const sender = given.part('sender');
  const [id, name] = [sender?.has('id') ? sender.id('id') : 'none', sender?.text('name') ?? undefined];
  if (type === INCOMING) return { type: 'VISITOR', id, name };
  if (type === TEMPLATE || (type === OUTGOING && !sender)) return { type: 'BOT', id: 'none' };
  if (type !== OUTGOING) return undefined;
  return { type: sender!.text('type') === 'agent_bot' ? 'BOT' : 'AGENT', id, name, email: sender!.text('email') };
}

function nameOf(url: string | undefined): string | undefined {
  try {
    return url === undefined ? undefined : decodeURIComponent(basename(new URL(url).pathname));
  } catch {
    return undefined;
  }
}
