import { cutText } from './text.js';

/** A person who wrote, as the other system knows them. */
export interface Person {
  id: string;
  /** The customer's own id of the person, if they gave one. */
  externalId?: string;
  name?: string;
  email?: string;
  phone?: string;
}

/** Who wrote a message. */
export interface Author {
  type: 'VISITOR' | 'AGENT' | 'BOT';
  id: string;
  name?: string;
  /** Of an agent. */
  email?: string;
}

/** A message, or a note that only agents saw. */
export interface Said {
  id: string;
  at: Date;
  author: Author;
  text: string;
  isNote: boolean;
}

/** A conversation of another system, with its messages in order. */
export interface Conversation {
  /** As people know it there. */
  id: string;
  /** Names it among all that are imported; default: `id`. */
  key?: string;
  person: Person;
  createdAt: Date;
  labels: string[];
  said: Said[];
}

/** Another system's data. */
export interface Source {
  /** Part of the ids: the same conversation has the same id whenever it's imported. */
  readonly name: 'chatwoot' | 'intercom';
  conversations(): AsyncIterable<Conversation>;
  end(): Promise<void>;
}

/** The parts of a text that fit into a message each. */
export function partsOf(text: string): string[] {
  return cutText(text, 5_000);
}
