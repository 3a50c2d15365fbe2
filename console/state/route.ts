import { signal } from '@preact/signals';
import type { ViewName } from '../api/types.js';
import type { Place } from './views.js';

/** Where the page is: `/console/waiting/cht_…`, `/console/groups/grp_…/cht_…`, `/console/link`. */
export type Route = { page: 'inbox'; place: Place; chatId?: string } | { page: 'link' };

const BASE = '/console';
const VIEWS: Record<string, ViewName> = {
  mine: 'MINE',
  waiting: 'WAITING',
  bot: 'BOT',
  open: 'OPEN',
  closed: 'CLOSED',
};

export const route = signal<Route>(parse(location.pathname));

addEventListener('popstate', () => (route.value = parse(location.pathname)));

/** Goes to another place of the console. @param replaces whether the way back leaves this step out */
export function go(next: Route, replaces = false): void {
  const path = pathOf(next);
  if (path !== location.pathname) history[replaces ? 'replaceState' : 'pushState'](null, '', path);
  route.value = next;
}

/** The address of a place. */
export function pathOf(target: Route): string {
  if (target.page === 'link') return `${BASE}/link`;
  const { place, chatId } = target;
  const folder =
    place.groupId === undefined
      ? Object.keys(VIEWS).find((name) => VIEWS[name] === place.view)!
      : `groups/${encodeURIComponent(place.groupId)}`;
  return [BASE, folder, ...(chatId === undefined ? [] : [encodeURIComponent(chatId)])].join('/');
}

/** Opens a chat in the view that is shown, or closes it. */
export function goToChat(chatId: string | undefined, replaces = false): void {
  const { value } = route;
  const place: Place = value.page === 'inbox' ? value.place : { view: 'MINE' };
  go({ page: 'inbox', place, chatId }, replaces);
}

function parse(path: string): Route {
  const [folder = '', ...rest] = path
    .slice(BASE.length)
    .split('/')
    .filter(Boolean)
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
  if (folder === 'link') return { page: 'link' };
  if (folder === 'groups' && rest[0]) {
    return { page: 'inbox', place: { view: 'OPEN', groupId: rest[0] }, chatId: rest[1] };
  }
  return { page: 'inbox', place: { view: VIEWS[folder] ?? 'MINE' }, chatId: folder in VIEWS ? rest[0] : undefined };
}
