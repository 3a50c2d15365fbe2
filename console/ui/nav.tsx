import { fill } from '../../headless/text.js';
import type { ViewName } from '../api/types.js';
import { plural, strings } from '../locales/strings.js';
import { counts, groups } from '../state/counts.js';
import { go, pathOf, route, type Route } from '../state/route.js';
import { isSupervisor, me, session } from '../state/session.js';
import type { Place } from '../state/views.js';
import { AccountMenu } from './account-menu.js';
import { Icon, type IconName } from './icon.js';
import { PresencePanel } from './presence-panel.js';
import { overlay } from './screen.js';

/** The views in the order of their keys, 1 to 5. */
export const VIEWS: { view: ViewName; icon: IconName; name: 'mine' | 'waiting' | 'withBot' | 'open' | 'closed' }[] = [
  { view: 'MINE', icon: 'mine', name: 'mine' },
  { view: 'WAITING', icon: 'waiting', name: 'waiting' },
  { view: 'BOT', icon: 'bot', name: 'withBot' },
  { view: 'OPEN', icon: 'chats', name: 'open' },
  { view: 'CLOSED', icon: 'archive', name: 'closed' },
];

/** The name of a place: of its view, or of its group. */
export function nameOfPlace({ view, groupId }: Place): string {
  if (groupId !== undefined) return groups.value.find(({ id }) => id === groupId)?.name ?? strings.value.groups;
  return strings.value[VIEWS.find((one) => one.view === view)!.name];
}

/** Where one can go, with how much there is. */
export function Nav() {
  const text = strings.value;
  const all = counts.value;
  const seen = new Set(me().groups.map(({ id }) => id));
  const own = groups.value.filter(({ id }) => isSupervisor() || seen.has(id));
  const numbers: Partial<Record<ViewName, { count: number; isNews: boolean; label: string }>> = all
    ? {
        MINE: all.mineUnread
          ? { count: all.mineUnread, isNews: true, label: plural(text.unreadCount, all.mineUnread) }
          : { count: all.mine, isNews: false, label: plural(text.chatCount, all.mine) },
        WAITING: { count: all.waiting, isNews: all.waiting > 0, label: plural(text.waitingCount, all.waiting) },
        BOT: { count: all.bot, isNews: false, label: plural(text.chatCount, all.bot) },
      }
    : {};
  return (
    <nav class="nav" aria-label={text.views}>
      <p class="organization" title={session.value!.organization.name}>
        <bdi>{session.value!.organization.name}</bdi>
      </p>
      <ul>
        {VIEWS.map(({ view, icon, name }) => (
          <NavItem place={{ view }} icon={icon} name={text[name]} number={numbers[view]} />
        ))}
      </ul>
      {own.length > 0 && (
        <>
          <h2 id="groups">{text.groups}</h2>
          <ul aria-labelledby="groups" class="groups">
            {own.map(({ id, name, waitingChats: count }) => (
              <NavItem
                place={{ view: 'OPEN', groupId: id }}
                icon="users"
                name={name}
                number={{ count, isNews: false, label: plural(text.waitingCount, count) }}
              />
            ))}
          </ul>
        </>
      )}
      <div class="nav-foot">
        <PresencePanel />
        <AccountMenu />
      </div>
    </nav>
  );
}

interface NavItemProps {
  place: Place;
  icon: IconName;
  name: string;
  number?: { count: number; isNews: boolean; label: string };
}

function NavItem({ place, icon, name, number }: NavItemProps) {
  const target: Route = { page: 'inbox', place };
  const at = route.value;
  const isHere = at.page === 'inbox' && at.place.view === place.view && at.place.groupId === place.groupId;
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    overlay.value = null;
    go(target);
  };
  return (
    <li>
      <a
        class="nav-item"
        href={pathOf(target)}
        aria-current={isHere ? 'page' : undefined}
        title={name}
        onClick={follow}
      >
        <Icon name={icon} />
        <bdi class="nav-name">{name}</bdi>
        {number && number.count > 0 && (
          <span class={`count ${number.isNews ? 'news' : ''}`}>
            <span aria-hidden="true">{number.count >= 999 ? '999+' : number.count}</span>
            <span class="hidden">{fill('({label})', { label: number.label })}</span>
          </span>
        )}
      </a>
    </li>
  );
}
