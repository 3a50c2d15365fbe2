import type { Author, Said } from './conversation.js';
import { type ElsewhereFile, textOfHtml, withFiles } from './text.js';
import { refused } from './read-lines.js';

/** Types of messages in Chatwoot. Type 3 is a template, which bots send. */
export const [INCOMING, OUTGOING, ACTIVITY] = [0, 1, 2];

/** A message as Chatwoot stores it. */
export interface ChatwootMessage {
  id: string;
  at: Date;
  author: Author;
  isNote: boolean;
  content: string;
  files: readonly ElsewhereFile[];
  /** `content_attributes`: an object, or a text that holds one, as Rails writes it into a column of JSON. */
  attributes: unknown;
}

type Json = Record<string, unknown>;

/**
 * What was said in a message: its text with the choices, cards, or articles that it offered, and what the visitor entered into it, as their
 * answer. Nothing of a deleted message. @throws CliError that names the message, if its attributes can't be read
 */
export function saidIn({ id, at, author, isNote, content, files, attributes: stored }: ChatwootMessage): Said[] {
  const attributes = readAttributes(stored, id);
  if (attributes.deleted === true) return [];
  const words = [content.trim() || mailIn(attributes), ...objectsIn(attributes.items).map(lineOfItem)];
  const text = withFiles(words.filter(Boolean).join('\n'), files);
  const answer = answerIn(attributes);
  const said: Said[] = text === '' ? [] : [{ id, at, author, text, isNote }];
  if (answer !== '')
    said.push({ id: `${id} answer`, at, author: { type: 'VISITOR', id: 'none' }, text: answer, isNote: false });
  return said;
}

function readAttributes(stored: unknown, id: string): Json {
  if (typeof stored !== 'string') return objectOf(stored);
  try {
    const read: unknown = stored === '' ? {} : JSON.parse(stored);
    return typeof read === 'string' ? readAttributes(read, id) : objectOf(read);
  } catch {
    throw refused(`message ${id}: content_attributes isn't JSON`);
  }
}

// An e-mail without a plain part has its text only here.
function mailIn({ email }: Json): string {
  const [text, html] = [objectOf(objectOf(email).text_content), objectOf(objectOf(email).html_content)];
  return wordsOf(text.reply) || wordsOf(text.full) || textOfHtml(wordsOf(html.reply) || wordsOf(html.full));
}

// A choice, a card, an article, or a field of a form.
function lineOfItem(item: Json): string {
  const title = [item.title ?? item.label ?? item.name, item.description].map(wordsOf).filter(Boolean).join(': ');
  const links = [item.link, ...objectsIn(item.actions).map(({ uri }) => uri)].map(wordsOf).filter(Boolean);
  return title === '' && links.length === 0 ? '' : ['–', title, ...links].filter(Boolean).join(' ');
}

// A choice has a title; a field of a form has its name and what was entered. A rating may have words.
function answerIn({ submitted_values: values, submitted_email: email }: Json): string {
  const { feedback_message: feedback } = objectOf(objectOf(values).csat_survey_response);
  const entered = objectsIn(values).map(
    ({ title, name, value }) => wordsOf(title) || [name, value].map(wordsOf).filter(Boolean).join(': '),
  );
  return [...entered, wordsOf(email), wordsOf(feedback)].filter(Boolean).join('\n');
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function objectsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}
