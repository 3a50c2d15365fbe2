import { basename } from 'node:path';
import { ACTIVITY, INCOMING, OUTGOING, saidIn } from './chatwoot-message.js';
import type { Author, Conversation, Said, Source } from './conversation.js';
import { Fields } from './fields.js';
import { readJson, refused } from './read-lines.js';

/** Agents' e-mail addresses by their ids. */
type Addresses = ReadonlyMap<string, string>;

/**
 * Conversations as Chatwoot's API answers them, each with all its messages in `messages`. Messages name their agents without an address:
 * that's taken from the agents beside the conversations, as `GET …/agents` answers them, and from the conversations' assignees.
 */
export class ChatwootFiles implements Source {
  readonly name = 'chatwoot';

  constructor(private readonly path: string) {}

  async *conversations(): AsyncGenerator<Conversation> {
    const addresses = await this.readAddresses();
    for await (const given of this.items()) if (!isAgent(given)) yield toConversation(given, addresses);
  }

  end(): Promise<void> {
    return Promise.resolve();
  }

  private async readAddresses(): Promise<Addresses> {
    const addresses = new Map<string, string>();
    for await (const given of this.items()) {
      const agent = isAgent(given) ? given : given.part('meta')?.part('assignee');
      const email = agent?.text('email');
      if (agent && email) addresses.set(agent.id('id'), email);
    }
    return addresses;
  }

  private async *items(): AsyncGenerator<Fields> {
    for await (const { value, place } of readJson(this.path)) yield Fields.of(value, place);
  }
}

const isAgent = (given: Fields) => given.has('email') && given.has('role') && !given.has('messages');

function toConversation(given: Fields, addresses: Addresses): Conversation {
  const contact = given.part('meta')?.part('sender');
  if (!contact || !given.has('messages'))
    throw refused(`${given.place} isn't a conversation with meta.sender and messages, as Chatwoot's API answers`);
  const id = given.id('id');
  const said = given.list('messages').flatMap((message) => toSaid(message, addresses));
  return {
    id,
    key: given.has('account_id') ? `${given.id('account_id')} ${id}` : id,
    createdAt: given.time('created_at'),
    labels: given.texts('labels'),
    said: said.toSorted((one, other) => one.at.getTime() - other.at.getTime() || numberOf(one) - numberOf(other)),
    person: {
      id: contact.id('id'),
      externalId: contact.text('identifier'),
      name: contact.text('name'),
      email: contact.text('email'),
      phone: contact.text('phone_number'),
    },
  };
}

// The API's times are whole seconds, and a page may have the newest message first. `12 answer` belongs to message 12, and stays behind it.
const numberOf = ({ id }: Said) => Number.parseInt(id, 10) || 0;

function toSaid(given: Fields, addresses: Addresses): Said[] {
  const type = given.number('message_type');
  if (type === undefined || type === ACTIVITY) return [];
  return saidIn({
    id: given.id('id'),
    at: given.time('created_at'),
    author: authorOf(type, given, addresses),
    isNote: given.isTrue('private'),
    content: given.text('content') ?? '',
    files: given.list('attachments').map(fileOf),
    attributes: given.value('content_attributes'),
  });
}

function authorOf(type: number, given: Fields, addresses: Addresses): Author {
  const sender = given.part('sender');
  const name = sender?.text('available_name') || sender?.text('name');
  const id = sender?.has('id') ? sender.id('id') : 'none';
  if (type === INCOMING) return { type: 'VISITOR', id, name };
  // The other senders are bots: `agent_bot`, `captain_assistant`, and campaigns and automations without a sender.
  if (type !== OUTGOING || (sender?.text('type') ?? 'user') !== 'user' || !sender) return { type: 'BOT', id, name };
  return { type: 'AGENT', id, name, email: sender.text('email') ?? addresses.get(id) };
}

// A place has coordinates, a contact's card has a title.
function fileOf(file: Fields) {
  const url = file.text('data_url');
  const [lat, long] = [file.number('coordinates_lat'), file.number('coordinates_long')];
  const place = file.text('file_type') === 'location' ? `${lat}, ${long}` : undefined;
  return { name: file.text('fallback_title') || place || nameOf(url), url };
}

function nameOf(url: string | undefined): string | undefined {
  try {
    return url === undefined ? undefined : decodeURIComponent(basename(new URL(url).pathname));
  } catch {
    return undefined;
  }
}
