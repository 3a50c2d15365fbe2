import { sha256 } from '../platform/lib/secrets.js';
import type { NotificationState } from './notifications.queries.js';
import type { PushKind } from './push-kind.js';
import { withPushDefaults } from './push-settings.js';
import { type PushWords, wordsOf } from './push-words.js';

/** The most characters of a text, and of a name. */
const MAX_TEXT = 120;
const MAX_NAME = 80;
/** The most characters of a topic (RFC 8030). */
const TOPIC_LENGTH = 32;
/** The view of the console that has the chat. */
const VIEWS: Record<PushKind, string> = { offer: 'waiting', assignment: 'mine', message: 'mine', mention: 'open' };

/** A notification as browsers show it without a service worker (Declarative Web Push), and as the console's service worker reads it. */
export interface PushPayload {
  web_push: 8030;
  notification: {
    title: string;
    body: string;
    /** The address that opens the chat. */
    navigate: string;
    /** The chat's id, so that each chat shows one notification. */
    tag: string;
    lang: string;
    silent: boolean;
  };
  /** The number on the console's icon. */
  app_badge: string;
}

/** What's sent to a browser (CONTRACT: Push). At most 3 kB. @param baseUrl the address of this installation */
export function payloadOf(state: NotificationState, kind: PushKind, chatId: string, baseUrl: string): PushPayload {
  const words = wordsOf(state.language);
  return {
    web_push: 8030,
    notification: {
      ...textOf(state, kind, words),
      navigate: `${baseUrl}/console/${VIEWS[kind]}/${chatId}`,
      tag: chatId,
      lang: words.language,
      silent: withPushDefaults(state.settings).isSilent,
    },
    app_badge: String(state.unread),
  };
}

/** A push service replaces an earlier notification with the same topic. It's a hash, so the service learns no id. */
export function topicOf(organizationId: string, chatId: string): string {
  return sha256(`push topic ${organizationId}/${chatId}`).toString('base64url').slice(0, TOPIC_LENGTH);
}

function textOf(state: NotificationState, kind: PushKind, words: PushWords): { title: string; body: string } {
  const isMention = kind === 'mention';
  const label = isMention ? words.mention(shorten(state.noteAuthor ?? '', MAX_NAME)) : words[kind];
  if (!state.hasContent) return { title: shorten(state.organizationName, MAX_NAME), body: label };
  const title = shorten(state.visitorName ?? '', MAX_NAME) || words.visitor;
  const text = shorten((isMention ? state.noteText : state.text) ?? '', MAX_TEXT);
  if (text === '') return { title, body: label };
  return { title, body: kind === 'message' ? text : `${label}: ${text}` };
}

/** One line of at most `max` characters. */
function shorten(text: string, max: number): string {
  // A character has at most two code units, and the rest of a long text isn't read.
  const line = text
    .slice(0, max * 4)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line;
}
