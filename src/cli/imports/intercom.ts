import { note } from '../show.js';
import type { Author, Conversation, Person, Said, Source } from './conversation.js';
import { Fields } from './fields.js';
import { readJson, refused } from './read-lines.js';
import { textOfHtml, withFiles } from './text.js';

const VISITORS = ['user', 'lead', 'contact'];
const NOTES = ['note', 'note_and_reopen'];
/** Where the answers of Intercom's lists have their items. */
const LISTS = ['conversations', 'data'];

/** What's kept of a contact: there may be millions, and each has a hundred fields. */
type Contact = Omit<Person, 'id'>;
type Contacts = ReadonlyMap<string, Contact>;

/**
 * Conversations as Intercom's API answers `GET /conversations/{id}` (versions 2.x). They name their contacts by id: names and addresses of
 * contacts who haven't written come from the contacts beside the conversations, as `GET /contacts` answers them. Other things are left out.
 */
export class Intercom implements Source {
  readonly name = 'intercom';

  constructor(private readonly path: string) {}

  async *conversations(): AsyncGenerator<Conversation> {
    const contacts = new Map<string, Contact>();
    for await (const given of this.items()) if (isContact(given)) contacts.set(given.id('id'), toContact(given));
    for await (const given of this.items())
      if ((given.text('type') ?? 'conversation') === 'conversation') yield toConversation(given, contacts);
  }

  end(): Promise<void> {
    return Promise.resolve();
  }

  private async *items(): AsyncGenerator<Fields> {
    for await (const { value, place } of readJson(this.path)) {
      const given = Fields.of(value, place);
      if (given.text('type')?.endsWith('list')) for (const name of LISTS) yield* given.list(name);
      else yield given;
    }
  }
}

const isContact = (given: Fields) => VISITORS.includes(given.text('type') ?? '');

function toContact(given: Fields): Contact {
  const [name, email, phone] = [given.text('name'), given.text('email'), given.text('phone')];
  return { externalId: given.text('external_id'), name, email, phone };
}

function toConversation(given: Fields, contacts: Contacts): Conversation {
  if (!given.has('source') || !given.has('conversation_parts'))
    throw refused(
      `${given.place} isn't a conversation with source and conversation_parts, as GET /conversations/{id} answers`,
    );
  const id = given.id('id');
  const createdAt = given.time('created_at');
  const source = given.part('source')!;
  const first = toSaid(source, `source ${source.has('id') ? source.id('id') : id}`, createdAt, false);
  const later = partsOf(given, id).map((part) => {
    const isNote = NOTES.includes(part.text('part_type') ?? '');
    return toSaid(part, `part ${part.id('id')}`, part.time('created_at'), isNote);
  });
  const said = [first, ...later].filter((one) => one.text !== '');
  const labels = (given.part('tags')?.list('tags') ?? []).flatMap((tag) => tag.text('name') ?? []);
  return { id, createdAt, labels, said, person: personOf(given, said, id, contacts) };
}

function partsOf(given: Fields, id: string): Fields[] {
  const list = given.part('conversation_parts')!;
  const parts = list.list('conversation_parts');
  const total = list.number('total_count') ?? 0;
  if (total > parts.length)
    note(`conversation ${id} has ${total} parts, and the answer ${parts.length}: Intercom gives the last 500 only`);
  return parts;
}

// A redacted part has words of Intercom's own in its place.
function toSaid(given: Fields, id: string, at: Date, isNote: boolean): Said {
  const isRedacted = given.isTrue('redacted');
  const files = isRedacted ? [] : given.list('attachments');
  const text = isRedacted ? '' : textOfHtml(given.text('body') ?? '');
  const named = files.map((file) => ({ name: file.text('name'), url: file.text('url') }));
  return { id, at, isNote, author: authorOf(given), text: withFiles(text, named) };
}

// A part without an author, such as from Twitter, isn't the team's. Intercom's own bot may be an admin named Operator.
function authorOf(given: Fields): Author {
  const author = given.part('author');
  const type = author?.text('type') ?? 'bot';
  const [id, name, email] = [author?.has('id') ? author.id('id') : 'none', author?.text('name'), author?.text('email')];
  if (VISITORS.includes(type)) return { type: 'VISITOR', id, name, email };
  const isOperator = email?.startsWith('operator+') && email.endsWith('@intercom.io');
  return { type: type === 'bot' || isOperator ? 'BOT' : 'AGENT', id, name, email };
}

function personOf(given: Fields, said: readonly Said[], id: string, contacts: Contacts): Person {
  const [contact] = given.part('contacts')?.list('contacts') ?? [];
  const authors = said.map(({ author }) => author).filter(({ type }) => type === 'VISITOR');
  const key = contact?.id('id') ?? authors[0]?.id ?? `conversation ${id}`;
  const author = authors.find((one) => one.id === key) ?? authors[0];
  const known = contacts.get(key);
  return {
    id: key,
    externalId: contact?.text('external_id') ?? known?.externalId,
    name: known?.name || author?.name,
    email: known?.email || author?.email,
    phone: known?.phone,
  };
}
