import type { Offer, Row, SearchResult } from '../api/types.js';
import { fill } from '../../headless/text.js';
import { lastWords, senderName, visitorName } from '../lib/names.js';
import { ranked } from '../lib/ranking.js';
import { piecesOf } from '../lib/search-words.js';
import { dialogStrings } from '../locales/dialog-strings.js';
import { strings } from '../locales/strings.js';
import { accepts } from '../state/actions.js';
import { listTime } from '../lib/times.js';
import { now } from '../state/clock.js';
import { isConnected } from '../state/connection.js';
import { groups } from '../state/inbox/counts.js';
import { offers } from '../state/inbox/offers.js';
import { goToFound } from '../state/chat/found.js';
import { openChat } from '../state/chat/open-chat.js';
import { go, pathOf, type Route, SECTIONS } from '../state/route.js';
import { allRows, rowOf } from '../state/inbox/rows.js';
import { isAdmin, isSupervisor, me } from '../state/session.js';
import { acting, actionsOf } from './chat/chat-actions.js';
import type { IconName } from './parts/icon.js';
import { SECTION_ICONS, VIEWS } from './nav/nav.js';
import { answering, offerWords, takeOffer } from './offer-cards.js';
import { overlay } from './screen.js';

/** Maximum loaded chats. */
const MAX_LOADED = 8;

export interface Command {
  key: string;
  name: string;
  /** The name without what others have too. */
  label?: string;
  /** Further words that find it. */
  words?: string;
  more?: string;
  /** What matches in a message or a note: every second piece. */
  pieces?: readonly string[];
  icon: IconName;
  /** What is typed instead, and the dialog stays open. */
  completion?: string;
  /** It does nothing now. */
  isDisabled?: boolean;
  run: () => unknown;
}

/** What a button does: a command is disabled while the button is. */
const asButton = ({ 'aria-disabled': isDisabled, onClick: run }: ReturnType<typeof acting>) => ({ isDisabled, run });

/** @param offered the offers that may be among them */
export function commands(offered: readonly Offer[]): Command[] {
  const text = strings.value;
  const row = openChat.value && rowOf(openChat.value.id);
  const seen = new Set(me().groups.map(({ id }) => id));
  return [
    ...offers.value
      .filter(({ id }) => offered.some((offer) => offer.id === id))
      .map((offer): Command => ({
        key: offer.id,
        name: offerWords(offer),
        icon: 'check',
        ...asButton(answering(offer, takeOffer)),
      })),
    ...(row ? actionsOf(row) : []).map(({ name, icon, run }): Command => ({
      key: `${row!.id} ${icon}`,
      name,
      icon,
      ...asButton(acting(row!, run)),
    })),
    ...VIEWS.map(({ view, icon, name }): Command => ({
      key: view,
      name: fill(text.goTo, { name: text[name] }),
      label: text[name],
      icon,
      run: () => go({ page: 'inbox', place: { view } }),
    })),
    ...groups.value
      .filter(({ id }) => isSupervisor() || seen.has(id))
      .map(({ id, name }): Command => ({
        key: id,
        name: fill(text.goTo, { name }),
        label: name,
        icon: 'users',
        run: () => go({ page: 'inbox', place: { view: 'OPEN', groupId: id } }),
      })),
    ...pages().map(({ target, icon, name, label = name, words }): Command => ({
      key: pathOf(target),
      name: fill(text.goTo, { name }),
      label,
      words,
      icon,
      run: () => go(target),
    })),
    ...ownCommands(),
  ];
}

/** What concerns the agent alone, and pages that each agent has. */
function ownCommands(): Command[] {
  const text = strings.value;
  const { about } = dialogStrings.value;
  const { isAccepting } = me();
  return [
    {
      key: `accepting ${isAccepting}`,
      name: isAccepting ? text.keyPause : text.goOn,
      icon: isAccepting ? 'pause' : 'check',
      isDisabled: !isConnected.value,
      run: () => accepts(!isAccepting),
    },
    {
      key: 'SNOOZED',
      name: fill(text.goTo, { name: text.snoozed }),
      label: text.snoozed,
      icon: 'snooze',
      run: () => go({ page: 'inbox', place: { view: 'SNOOZED' } }),
    },
    {
      key: 'mentions',
      name: fill(text.goTo, { name: text.mentions }),
      label: text.mentions,
      icon: 'at',
      run: () => go({ page: 'mentions' }),
    },
    { key: 'replies', name: text.ownReplies, icon: 'quote', run: () => go({ page: 'replies' }) },
    { key: 'keys', name: text.keys, icon: 'keys', run: () => (overlay.value = 'keys') },
    {
      key: 'profile',
      name: text.profile,
      words: about.profile,
      icon: 'account',
      run: () => (overlay.value = 'profile'),
    },
    {
      key: 'sessions',
      name: text.sessions,
      words: about.sessions,
      icon: 'screen',
      run: () => (overlay.value = 'sessions'),
    },
    { key: 'push', name: text.push, words: about.push, icon: 'bell', run: () => (overlay.value = 'push') },
  ];
}

interface PageCommand {
  target: Route;
  icon: IconName;
  name: string;
  label?: string;
  words: string;
}

function pages(): PageCommand[] {
  const text = strings.value;
  const { about } = dialogStrings.value;
  if (!isSupervisor()) return [];
  const plain = (page: 'overview' | 'team' | 'reports', icon: IconName): PageCommand => ({
    target: { page },
    icon,
    name: text[page],
    words: about[page],
  });
  const own = [plain('overview', 'chart'), plain('team', 'people'), plain('reports', 'log')];
  if (!isAdmin()) return own;
  const sections = SECTIONS.map((section): PageCommand => ({
    target: { page: 'admin', section },
    icon: SECTION_ICONS[section],
    name: `${text.administration}: ${text.section[section]}`,
    label: text.section[section],
    words: about.section[section],
  }));
  return [...own, ...sections];
}

/** Chats whose visitor's name or email contains a text: loaded ones, and ones found by the service. */
export function chats(wanted: string, found: readonly SearchResult[]): Command[] {
  if (wanted === '') return [];
  const ids = new Set(found.map(({ chat }) => chat.id));
  const others = [...allRows().values()].filter(({ id }) => !ids.has(id));
  const loaded = ranked(
    others.map((row) => ({ name: `${visitorName(row)} ${row.visitor.email ?? ''}`, row })),
    wanted,
  ).slice(0, MAX_LOADED);
  return [
    ...loaded.map(({ one }) => toCommand(one.row)),
    ...found.flatMap(({ chat, message, note }) => {
      const row = rowOf(chat.id);
      return row ? toCommand(row, message ?? note) : [];
    }),
  ];
}

const timeOf = (row: Row) => row.lastMessageAt ?? row.createdAt;

function stateWords({ owner, assignedTo }: Row): string {
  const text = strings.value;
  if (owner === 'AGENT') return assignedTo?.id === me().id ? text.isYours : (assignedTo?.name ?? '');
  return { QUEUE: text.waiting, BOT: text.withBot, NOBODY: text.isEnded }[owner];
}

/** Without a name, the address stands in its place. */
const emailOf = ({ visitor }: Row) => visitor.name && visitor.email;

type Hit = NonNullable<SearchResult['message'] | SearchResult['note']>;

function toCommand(row: Row, hit?: Hit): Command {
  const visitor = visitorName(row);
  if (hit) {
    const who =
      'author' in hit ? fill(strings.value.noteOf, { name: hit.author.name }) : senderName(hit.sender, visitor);
    return {
      key: row.id,
      name: visitor,
      more: [emailOf(row), stateWords(row), who, listTime(hit.createdAt, now.value)].filter(Boolean).join(' · '),
      pieces: piecesOf(hit.snippet, hit.ranges),
      icon: 'author' in hit ? 'note' : 'chats',
      run: () => goToFound(row.id, hit.id),
    };
  }
  return {
    key: row.id,
    name: visitor,
    more: [emailOf(row), stateWords(row), listTime(timeOf(row), now.value), lastWords(row)].filter(Boolean).join(' · '),
    icon: 'chats',
    run: () => goToFound(row.id, undefined),
  };
}
