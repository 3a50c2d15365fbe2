// The console's service worker: it only shows push notifications. It handles no requests and stores nothing, so the page always
// comes from the service in its own version.

const WORDS = { en: 'Something new in a chat', de: 'Neues in einem Chat' };
const ICON = new URL('icon-192.png', self.location.href).href;
const CONSOLE = new URL('../', self.location.href).href;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// Browsers end subscriptions whose push events show nothing, so one is shown in each, also without a readable payload.
self.addEventListener('push', (event) => event.waitUntil(show(read(event.data))));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification));
});

/** The notification of a payload in the form of Declarative Web Push. */
function read(data) {
  try {
    const { notification, app_badge: badge } = data.json();
    const { title, navigate, ...options } = notification;
    if (typeof title !== 'string') throw new TypeError('no title');
    return { title, options: { ...options, data: { navigate: addressOf(navigate) } }, badge: Number(badge) };
  } catch {
    const body = self.navigator.language.startsWith('de') ? WORDS.de : WORDS.en;
    return { title: 'Parley', options: { body, tag: 'parley' }, badge: Number.NaN };
  }
}

/** An address of the console: payloads name no other site. */
function addressOf(navigate) {
  if (typeof navigate !== 'string' || !URL.canParse(navigate, CONSOLE)) return CONSOLE;
  const { pathname } = new URL(navigate, CONSOLE);
  const address = new URL(pathname, CONSOLE).href;
  return address.startsWith(CONSOLE) ? address : CONSOLE;
}

async function show({ title, options, badge }) {
  // The sound is played again for a notification that replaces another one.
  const renotify = Boolean(options.tag) && !options.silent;
  await self.registration.showNotification(title, { ...options, icon: ICON, renotify });
  if (Number.isInteger(badge)) await self.navigator.setAppBadge?.(badge).catch(() => undefined);
}

/** Shows the chat in an open console, or opens one. */
async function open({ data, tag }) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(({ url }) => url.startsWith(CONSOLE) || `${url}/` === CONSOLE);
  if (!page) return void (await self.clients.openWindow(data?.navigate ?? CONSOLE));
  // The tag is the chat's id.
  if (tag.startsWith('cht_')) page.postMessage({ chatId: tag });
  await page.focus();
}
