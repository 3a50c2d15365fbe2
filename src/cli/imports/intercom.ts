import type { Author, Conversation, Person, Said, Source } from './conversation.js';
import { withFiles } from './conversation.js';
import { Fields } from './fields.js';
import { readJson, refused } from './read-lines.js';
import { textOfHtml } from './text.js';

const VISITORS = ['user', 'lead', 'contact'];

/** Conversations as Intercom's API answers `GET /conversations/{id}` (versions 2.x). */
export class Intercom implements Source {
  readonly name = 'intercom';

  constructor(private readonly path: string) {}

  async *conversations(): AsyncGenerator<Conversation> {
    for await (const { value, place } of readJson(this.path)) yield toConversation(Fields.of(value, place));
  }

  end(): Promise<void> {
    return Promise.resolve();
  }
}

function toConversation(given: Fields): Conversation {
  if (!given.has('source') || !given.has('conversation_parts'))
    throw refused(
      `${given.place} isn't a conversation with source and conversation_parts, as GET /conversations/{id} answers`,
    );
  const id = given.id('id');
  const createdAt = given.time('created_at');
  const source = given.part('source')!;
  const parts = given.part('conversation_parts')!.list('conversation_parts');
  const first = toSaid(source, `source ${source.has('id') ? source.id('id') : id}`, createdAt, false);
  const later = parts.map((part) => {
    const isNote = part.text('part_type') === 'note';
    return toSaid(part, `part ${part.id('id')}`, part.time('created_at'), isNote);
  });
  const said = [first, ...later].filter((one) => one.text !== '');
  const labels = (given.part('tags')?.list('tags') ?? []).flatMap((tag) => tag.text('name') ?? []);
  return { id, createdAt, labels, said, person: personOf(given, said, id) };
}

function toSaid(given: Fields, id: string, at: Date, isNote: boolean): Said {
  const files = given.list('attachments').map((file) => ({ name: file.text('name'), url: file.text('url') }));
  return { id, at, isNote, author: authorOf(given), text: withFiles(textOfHtml(given.text('body') ?? ''), files) };
}

function authorOf(given: Fields): Author {
  const author = given.part('author');
  const type = author?.text('type') ?? 'bot';
  const [id, name, email] = [author?.has('id') ? author.id('id') : 'none', author?.text('name'), author?.text('email')];
  if (VISITORS.includes(type)) return { type: 'VISITOR', id, name, email };
  return { type: type === 'bot' ? 'BOT' : 'AGENT', id, name, email };
}

// The conversation names its contacts by id; name and address come from a message of the person.
function personOf(given: Fields, said: readonly Said[], id: string): Person {
  const [contact] = given.part('contacts')?.list('contacts') ?? [];
  const author = said.find((one) => one.author.type === 'VISITOR')?.author;
  return {
    id: contact?.id('id') ?? author?.id ?? `conversation ${id}`,
    externalId: contact?.text('external_id'),
    name: author?.name,
    email: author?.email,
  };
}
