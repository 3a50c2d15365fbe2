import { signal } from '@preact/signals';
import type { ViewName } from '../api/types.js';
import { basePath } from '../lib/service.js';
import type { Place } from './inbox/views.js';

/** The sections of the administration, in the order of the navigation. */
export const SECTIONS = [
  'setup',
  'people',
  'groups',
  'bots',
  'webhooks',
  'replies',
  'tags',
  'widget',
  'visitors',
  'mail',
  'organization',
  'audit',
] as const;
export type Section = (typeof SECTIONS)[number];

/**
 * The page's location: `/console/waiting/cht_…`, `/console/groups/grp_…/waiting/cht_…`, `/console/open?agent=agt_…`,
 * `/console/mine?unanswered`, `/console/link`, `/console/overview`, `/console/team`, `/console/reports`, `/console/mentions`, `/console/replies`,
 * `/console/admin/people/agt_…`.
 */
export type Route =
  | { page: 'inbox'; place: Place; chatId?: string }
  | { page: 'link' }
  | { page: 'overview' }
  | { page: 'team' }
  | { page: 'reports' }
  | { page: 'mentions' }
  | { page: 'replies' }
  | { page: 'admin'; section: Section; id?: string };

/** Where the console is. Below a path, the page is also found without it, on the machine of the service. */
const ROOT = '/console';
const BASE = basePath + ROOT;
const VIEWS: Record<string, ViewName> = {
  mine: 'MINE',
  snoozed: 'SNOOZED',
  waiting: 'WAITING',
  bot: 'BOT',
  open: 'OPEN',
  closed: 'CLOSED',
};

const PLAIN = ['link', 'overview', 'team', 'reports', 'mentions', 'replies'] as const;
type PlainName = (typeof PLAIN)[number];
const isPlainName = (name: string): name is PlainName => (PLAIN as readonly string[]).includes(name);

export const route = signal<Route>(here());

/** Continues leaving the page, after the question about unsaved changes. */
export const leaving = signal<(() => void) | null>(null);
/** The page's forms, each a function that returns whether it has unsaved changes. */
const guards = new Set<() => boolean>();
const isUnsaved = () => [...guards].some((hasChanges) => hasChanges());

/** Asks before the page is left while `hasChanges` returns true. Returns a function that ends it. */
export function guardLeaving(hasChanges: () => boolean): () => void {
  guards.add(hasChanges);
  const warn = (event: BeforeUnloadEvent) => hasChanges() && event.preventDefault();
  addEventListener('beforeunload', warn);
  return () => {
    removeEventListener('beforeunload', warn);
    guards.delete(hasChanges);
  };
}

addEventListener('popstate', () => {
  const next = here();
  isPlaceChosen = true;
  if (!isUnsaved()) return void (route.value = next);
  history.pushState(null, '', pathOf(route.value));
  go(next);
});

/** Whether the agent chose the page's location; otherwise the page went there by itself. */
export let isPlaceChosen = true;

/**
 * Navigates within the console.
 * @param replaces whether the current history entry is replaced
 * @param isChosen whether the agent chose the place; false if the page goes there by itself
 */
export function go(next: Route, replaces = false, isChosen = true): void {
  const path = pathOf(next);
  if (isUnsaved() && path !== pathOf(route.value)) {
    leaving.value = () => {
      guards.clear();
      go(next, replaces, isChosen);
    };
    return;
  }
  isPlaceChosen = isChosen;
  if (path !== location.pathname + location.search) history[replaces ? 'replaceState' : 'pushState'](null, '', path);
  route.value = next;
}

/** The address of a place. */
export function pathOf(target: Route): string {
  if (target.page !== 'inbox' && target.page !== 'admin') return `${BASE}/${target.page}`;
  if (target.page === 'admin') {
    const { section, id } = target;
    return [BASE, 'admin', section, ...(id === undefined ? [] : [encodeURIComponent(id)])].join('/');
  }
  const { place, chatId } = target;
  const view = Object.keys(VIEWS).find((name) => VIEWS[name] === place.view)!;
  const folder = place.groupId === undefined ? view : `groups/${encodeURIComponent(place.groupId)}/${view}`;
  const path = [BASE, folder, ...(chatId === undefined ? [] : [encodeURIComponent(chatId)])].join('/');
  const filters = [
    ...(place.agentId === undefined ? [] : [`agent=${encodeURIComponent(place.agentId)}`]),
    ...(place.isUnanswered ? ['unanswered'] : []),
  ];
  return filters.length > 0 ? `${path}?${filters.join('&')}` : path;
}

/** The attributes of a link to a place, which opens on this page unless the click asks for another tab. @param leave called before it opens */
export const linkTo = (target: Route, leave?: () => void) => ({
  href: pathOf(target),
  onClick: (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    leave?.();
    go(target);
  },
});

/** Opens a chat in the view that is shown, or closes it. */
export function goToChat(chatId: string | undefined, replaces = false, isChosen = true): void {
  const { value } = route;
  const place: Place = value.page === 'inbox' ? value.place : { view: 'MINE' };
  go({ page: 'inbox', place, chatId }, replaces, isChosen);
}

/** The page's location, from the browser's address. */
function here(): Route {
  const found = parse(location.pathname);
  if (found.page !== 'inbox') return found;
  const query = new URLSearchParams(location.search);
  const { view } = found.place;
  // Only these views can be filtered.
  const agentId = (view === 'OPEN' || view === 'CLOSED') && query.get('agent');
  const canBeUnanswered = view === 'MINE' || (view === 'OPEN' && agentId);
  const filters = {
    ...(agentId && { agentId }),
    ...(canBeUnanswered && query.has('unanswered') && { isUnanswered: true }),
  };
  return { ...found, place: { ...found.place, ...filters } };
}

function parse(path: string): Route {
  const [folder = '', ...rest] = path
    .slice((path.startsWith(BASE) ? BASE : ROOT).length)
    .split('/')
    .filter(Boolean)
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
  if (isPlainName(folder)) return { page: folder };
  if (folder === 'admin')
    return { page: 'admin', section: SECTIONS.find((one) => one === rest[0]) ?? 'people', id: rest[1] };
  if (folder === 'groups' && rest[0]) {
    const [groupId, view = '', chatId] = rest;
    // Older links name no view.
    return view in VIEWS
      ? { page: 'inbox', place: { view: VIEWS[view]!, groupId }, chatId }
      : { page: 'inbox', place: { view: 'OPEN', groupId }, chatId: view || undefined };
  }
  return { page: 'inbox', place: { view: VIEWS[folder] ?? 'MINE' }, chatId: folder in VIEWS ? rest[0] : undefined };
}
