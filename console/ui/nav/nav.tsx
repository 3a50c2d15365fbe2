import { fill } from '../../../headless/text.js';
import type { Counts, Group, ViewName } from '../../api/types.js';
import { countWords, pluralOfChats, strings } from '../../locales/strings.js';
import { counts, groups } from '../../state/inbox/counts.js';
import { linkTo, route, type Route, type Section, SECTIONS } from '../../state/route.js';
import { isAdmin, isSupervisor, me, session } from '../../state/session.js';
import type { Place } from '../../state/inbox/views.js';
import { AccountMenu } from './account-menu.js';
import { Icon, type IconName } from '../parts/icon.js';
import { PresencePanel } from './presence-panel.js';
import { unsent } from '../../state/chat/outbox.js';
import { hideOverlay, overlay } from '../screen.js';

/** The views in the order of their keys, 1 to 5. */
export const VIEWS: { view: ViewName; icon: IconName; name: 'mine' | 'waiting' | 'withBot' | 'open' | 'closed' }[] = [
  { view: 'MINE', icon: 'mine', name: 'mine' },
  { view: 'WAITING', icon: 'waiting', name: 'waiting' },
  { view: 'BOT', icon: 'bot', name: 'withBot' },
  { view: 'OPEN', icon: 'chats', name: 'open' },
  { view: 'CLOSED', icon: 'archive', name: 'closed' },
];

/** It has no key. */
const SNOOZED = { view: 'SNOOZED', icon: 'snooze', name: 'snoozed' } as const;

/** The name of a view or group. */
export function nameOfPlace({ view, groupId }: Place): string {
  if (groupId !== undefined) return groups.value.find(({ id }) => id === groupId)?.name ?? strings.value.groups;
  return strings.value[[...VIEWS, SNOOZED].find((one) => one.view === view)!.name];
}

export const SECTION_ICONS: Record<Section, IconName> = {
  setup: 'check',
  people: 'people',
  groups: 'users',
  bots: 'bot',
  webhooks: 'webhook',
  replies: 'quote',
  tags: 'tag',
  widget: 'palette',
  visitors: 'find',
  mail: 'mail',
  organization: 'building',
  audit: 'log',
};

/** The navigation of the inbox, or of the administration. */
export function Nav() {
  const text = strings.value;
  const isSetUp = route.value.page === 'admin' && isAdmin();
  return (
    <nav class="nav" aria-label={isSetUp ? text.administration : text.views}>
      <p class="organization one-line" title={session.value!.organization.name}>
        <bdi>{session.value!.organization.name}</bdi>
      </p>
      {isSetUp ? <SectionItems /> : <InboxItems />}
      <div class="nav-foot">
        <PresencePanel />
        <AccountMenu />
      </div>
    </nav>
  );
}

function SectionItems() {
  const text = strings.value;
  const at = route.value;
  return (
    <>
      <ul>
        <NavItem target={{ page: 'inbox', place: { view: 'MINE' } }} icon="back" name={text.toInbox} />
      </ul>
      <h2 id="sections">{text.administration}</h2>
      <ul aria-labelledby="sections">
        {SECTIONS.map((section) => (
          <NavItem
            key={section}
            target={{ page: 'admin', section }}
            isHere={at.page === 'admin' && at.section === section}
            icon={SECTION_ICONS[section]}
            name={text.section[section]}
          />
        ))}
      </ul>
      <Elsewhere />
    </>
  );
}

/** Links to the overview, the reports, and the administration. */
function Elsewhere() {
  const text = strings.value;
  const { page } = route.value;
  if (!isSupervisor()) return null;
  return (
    <ul class="elsewhere">
      <NavItem target={{ page: 'overview' }} isHere={page === 'overview'} icon="chart" name={text.overview} />
      <NavItem target={{ page: 'team' }} isHere={page === 'team'} icon="people" name={text.team} />
      <NavItem target={{ page: 'reports' }} isHere={page === 'reports'} icon="log" name={text.reports} />
      {isAdmin() && page !== 'admin' && (
        <NavItem target={{ page: 'admin', section: 'people' }} icon="settings" name={text.administration} />
      )}
    </ul>
  );
}

/** The numbers beside the views. */
function numbersOf(all: Counts): Partial<Record<ViewName, Amount>> {
  const text = strings.value;
  return {
    MINE: all.mineUnread
      ? { count: all.mineUnread, isNews: true, label: pluralOfChats(text.unreadCount, all.mineUnread) }
      : { count: all.mine, isNews: false, label: pluralOfChats(text.chatCount, all.mine) },
    WAITING: { count: all.waiting, isNews: all.waiting > 0, label: pluralOfChats(text.waitingCount, all.waiting) },
    SNOOZED: { count: all.snoozed, isNews: false, label: pluralOfChats(text.chatCount, all.snoozed) },
    BOT: { count: all.bot, isNews: false, label: pluralOfChats(text.chatCount, all.bot) },
  };
}

/** Opens the list of answers that weren't sent, if there are any. */
function UnsentItem() {
  const count = unsent.value.length;
  if (count === 0) return null;
  return (
    <button
      type="button"
      class="nav-item unsent"
      title={strings.value.isUnsent}
      onClick={() => (overlay.value = 'unsent')}
    >
      <Icon name="alert" />
      <span class="nav-name one-line">{strings.value.isUnsent}</span>
      <span class="count news">{countWords(count)}</span>
    </button>
  );
}

/** The groups whose chats the agent sees. */
export function ownGroups(): Group[] {
  const seen = new Set(me().groups.map(({ id }) => id));
  return groups.value.filter(({ id }) => isSupervisor() || seen.has(id));
}

/** Waiting chats come first. */
export function placeOfGroup({ id, waitingChats }: Group): Place {
  return { view: waitingChats > 0 ? 'WAITING' : 'OPEN', groupId: id };
}

/** The views and groups, with their counts. */
function InboxItems() {
  const text = strings.value;
  const all = counts.value;
  const own = ownGroups();
  const numbers = all ? numbersOf(all) : {};
  const mentions = all?.mentions ?? 0;
  const at = route.value;
  const item = (place: Place, icon: IconName, name: string, number?: Amount) => (
    <NavItem
      key={place.groupId ?? place.view}
      target={{ page: 'inbox', place }}
      isHere={
        at.page === 'inbox' &&
        at.place.groupId === place.groupId &&
        (place.groupId !== undefined || at.place.view === place.view)
      }
      icon={icon}
      name={name}
      number={number}
    />
  );
  return (
    <>
      <ul>
        {VIEWS.map(({ view, icon, name }) => item({ view }, icon, text[name], numbers[view]))}
        {item({ view: SNOOZED.view }, SNOOZED.icon, text[SNOOZED.name], numbers.SNOOZED)}
        <NavItem
          target={{ page: 'mentions' }}
          isHere={at.page === 'mentions'}
          icon="at"
          name={text.mentions}
          number={
            mentions > 0
              ? { count: mentions, isNews: true, label: pluralOfChats(text.unseenCount, mentions) }
              : undefined
          }
        />
      </ul>
      <UnsentItem />
      {own.length > 0 && (
        <>
          <h2 id="groups">{text.groups}</h2>
          <ul aria-labelledby="groups" class="groups">
            {own.map((group) =>
              item(placeOfGroup(group), 'users', group.name, {
                count: group.waitingChats,
                isNews: false,
                label: pluralOfChats(text.waitingCount, group.waitingChats),
              }),
            )}
          </ul>
        </>
      )}
      <Elsewhere />
    </>
  );
}

interface Amount {
  count: number;
  isNews: boolean;
  label: string;
}

interface NavItemProps {
  target: Route;
  isHere?: boolean;
  icon: IconName;
  name: string;
  number?: Amount;
}

function NavItem({ target, isHere = false, icon, name, number }: NavItemProps) {
  return (
    <li>
      <a class="nav-item" {...linkTo(target, hideOverlay)} aria-current={isHere ? 'page' : undefined} title={name}>
        <Icon name={icon} />
        <bdi class="nav-name one-line">{name}</bdi>
        {number && number.count > 0 && (
          <span class={`count ${number.isNews ? 'news' : ''}`}>
            <span aria-hidden="true">{countWords(Math.min(number.count, 999))}</span>
            <span class="hidden">{fill('({label})', { label: number.label })}</span>
          </span>
        )}
      </a>
    </li>
  );
}
