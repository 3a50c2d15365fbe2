import { withoutMarks } from '../../headless/markdown/marks.js';
import { fill } from '../../headless/text.js';
import type { Message, Sender } from '../../headless/types.js';
import type { LastFile, Row } from '../api/types.js';
import { locale, strings } from '../locales/strings.js';
import { session } from '../state/session.js';
import { dayAndTime } from './times.js';

/** A visitor's name, or their email, or "Visitor N02Q", which differs between anonymous visitors. */
export function visitorName({ visitor }: Pick<Row, 'visitor'>): string {
  return nameOfVisitor(visitor);
}

export function nameOfVisitor({ id, name, email }: { id: string; name: string | null; email?: string | null }): string {
  return name?.trim() || email?.trim() || `${strings.value.unnamed} ${id.slice(-4).toUpperCase()}`;
}

/** The longest name in a notice, in characters. */
const MAX_SHORT = 40;

/** The same for a notice, which is one sentence: long names are cut. */
export function shortName(row: Pick<Row, 'visitor'>): string {
  return shortened(visitorName(row));
}

/** A name for a sentence: the end of a long one is cut off. */
export function shortened(name: string): string {
  const characters = [...name];
  return characters.length > MAX_SHORT ? `${characters.slice(0, MAX_SHORT - 1).join('')}…` : characters.join('');
}

export function senderName({ type, name }: Sender, visitor: string): string {
  if (type === 'VISITOR') return visitor;
  return name?.trim() || (type === 'BOT' ? strings.value.bot : '');
}

/** The name of a language, in the page's language. */
export function languageName(tag: string): string {
  return new Intl.DisplayNames(locale.value, { type: 'language' }).of(tag) ?? tag;
}

/** Names as a sentence joins them: "Ada, Bob and Cleo". */
export function listNames(names: readonly string[]): string {
  return new Intl.ListFormat(locale.value, { type: 'conjunction' }).format(names);
}

/** The last message of a chat that isn't the service's own, otherwise the last one. */
export function lastMessageOf({ lastMessage, lastWords: before }: Row): Row['lastMessage'] {
  return lastMessage?.metadata && before ? before : lastMessage;
}

/** What happened to a chat since its last words, such as that an agent joined; null: nothing. */
export function lastEvent({ lastMessage, lastWords: before }: Row): string | null {
  return before && lastMessage?.metadata ? systemWords({ ...lastMessage, metadata: lastMessage.metadata }) : null;
}

/** The last words in a chat, with their sender. */
export function lastWords(row: Row): string {
  const text = strings.value;
  const message = lastMessageOf(row);
  if (!message) return text.noMessages;
  const { sender, content, type, metadata, files } = message;
  if (metadata) return systemWords({ content, metadata });
  const isPicture = type === 'IMAGE' && !files;
  const said = isPicture ? text.pictureWords : content || fileWords(files) || text.deleted;
  if (sender.type === 'VISITOR' || sender.type === 'SYSTEM') return said;
  const words = content ? withoutMarks(said) : said;
  if (sender.type === 'BOT') return fill(text.botSaid, { text: words });
  if (sender.id === session.value?.agent.id) return fill(text.youSaid, { text: words });
  return fill(text.agentSaid, { name: sender.name ?? '', text: words });
}

/** Files without words: "Image", or the name of the first, and how many more there are. */
function fileWords([first, ...more]: readonly LastFile[] = []): string {
  if (!first) return '';
  const name = first.type.startsWith('image/') ? strings.value.pictureWords : first.name;
  return more.length > 0 ? `${name} +${more.length}` : name;
}

/** "Snoozed until Thu, 15 Jan, 9:00" */
export function snoozeWords({ snooze }: Pick<Row, 'snooze'>): string {
  const { snoozedUntil, snoozedUntilAnswer } = strings.value;
  return snooze?.until ? fill(snoozedUntil, { time: dayAndTime(snooze.until) }) : snoozedUntilAnswer;
}

/** Why a chat was transferred: the bot's own words, or the service's reason in the page's language. */
export function reasonWords(reason: string): string {
  const { silentBot } = strings.value;
  return reason in silentBot ? silentBot[reason as keyof typeof silentBot] : reason;
}

/** A system message in the page's language. Unknown events keep their own text. */
export function systemWords({ content, metadata }: Pick<Message, 'content' | 'metadata'>): string {
  const { event } = strings.value;
  const { groupName, reason, agentName } = metadata as Record<string, unknown>;
  switch (metadata.event) {
    case 'chat.transferred':
      if (typeof groupName !== 'string') return content;
      return typeof reason === 'string' && reason
        ? fill(event.transferredWhy, { groupName, reason: reasonWords(reason) })
        : fill(event.transferred, { groupName });
    case 'chat.assigned':
      return typeof agentName === 'string' ? fill(event.assigned, { agentName }) : content;
    case 'chat.unassigned':
      return typeof agentName === 'string' ? fill(event.unassigned, { agentName }) : content;
    case 'chat.returned':
      return event.returned;
    case 'chat.unanswered':
      return event.unanswered;
    case 'chat.closed':
      return fill(event.closed, { name: nameOf(metadata.by as Sender) });
    case 'chat.reopened':
      return fill(event.reopened, { name: nameOf(metadata.by as Sender) });
    default:
      return content;
  }
}

// System messages don't contain the names of visitors and administrators.
function nameOf({ type, name }: Pick<Sender, 'name'> & { type: string }): string {
  const { event, bot } = strings.value;
  if (type === 'VISITOR') return event.visitor;
  return name || (type === 'BOT' ? bot : event.administrator);
}
