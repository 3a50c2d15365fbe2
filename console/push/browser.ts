import { signal } from '@preact/signals';
import { call, get } from '../api/request.js';
import type { PushSettings } from '../api/types.js';
import { basePath, PUSH_KEY } from '../lib/service.js';
import { me } from '../state/session.js';

const APP = `${basePath}/console/app`;

/** What the agent has set, on all devices; null: not loaded yet. */
export const pushSettings = signal<PushSettings | null>(null);

/** The id of the agent who turned push notifications on in this browser; null: none. */
export const pushAgent = signal(readAgent());

/** Whether this browser can receive push notifications on this page. */
export const isSupported = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Whether an app on the home screen could receive them, as on iPhones. */
export const needsHomeScreen = !isSupported && 'standalone' in navigator && !navigator.standalone;

/** The reads and changes until now. The answer of an older one must not replace what's shown of a newer one. */
let turn = 0;
/** The last change, which the next one waits for. */
let changing: Promise<unknown> = Promise.resolve();

/** @throws RequestError */
export async function loadPushSettings(): Promise<void> {
  const own = ++turn;
  await changing;
  const settings = await get<PushSettings>('/push');
  if (own === turn) pushSettings.value = settings;
}

/** Changes what's given: on the page immediately, and one after the other in the service. @throws RequestError */
export async function changePushSettings(change: Partial<Omit<PushSettings, 'publicKey'>>): Promise<void> {
  const own = ++turn;
  const { value } = pushSettings;
  if (value) pushSettings.value = { ...value, ...change };
  const saved = changing.then(() => call<PushSettings>('PATCH', '/push', change));
  changing = saved.catch(() => undefined);
  try {
    const settings = await saved;
    if (own === turn) pushSettings.value = settings;
  } catch (error) {
    if (own === turn) {
      pushSettings.value = value;
      await loadPushSettings().catch(() => undefined);
    }
    throw error;
  }
}

/** Subscribes this browser, after the agent's permission. Call this from a click. @throws RequestError, DOMException */
export async function turnOn(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return;
  await subscribe();
  setPushAgent(me().id);
}

/** @throws RequestError */
export async function turnOff(): Promise<void> {
  setPushAgent(null);
  const subscription = await (await findRegistration())?.pushManager.getSubscription();
  if (!subscription) return;
  await call('DELETE', '/push/subscriptions', { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

/**
 * Renews the subscription of the agent who turned notifications on in this browser: it ended with the session, or has an older key. One of
 * another agent, who used this browser before, ends.
 */
export async function renew(): Promise<void> {
  if (!isSupported || pushAgent.value === null) return;
  if (pushAgent.value === me().id) {
    if (Notification.permission === 'granted') await subscribe();
    return;
  }
  setPushAgent(null);
  await (await (await findRegistration())?.pushManager.getSubscription())?.unsubscribe();
}

/** Closes the notifications of a chat, which was read. */
export async function closeNotifications(chatId: string): Promise<void> {
  const shown = (await (await findRegistration())?.getNotifications({ tag: chatId })) ?? [];
  for (const notification of shown) notification.close();
}

function setPushAgent(agentId: string | null): void {
  pushAgent.value = agentId;
  try {
    if (agentId === null) localStorage.removeItem(PUSH_KEY);
    else localStorage.setItem(PUSH_KEY, agentId);
  } catch {
    // The choice holds as long as the page.
  }
}

function readAgent(): string | null {
  try {
    return localStorage.getItem(PUSH_KEY);
  } catch {
    return null;
  }
}

async function subscribe(): Promise<void> {
  const { publicKey } = await get<PushSettings>('/push');
  const registration = await navigator.serviceWorker.register(`${APP}/worker.js`, {
    scope: `${basePath}/console/`,
    updateViaCache: 'none',
  });
  await untilActive(registration);
  const { pushManager } = registration;
  const current = await pushManager.getSubscription();
  const isCurrent = current !== null && keyOf(current) === publicKey;
  if (current && !isCurrent) await current.unsubscribe();
  const subscription = isCurrent
    ? current
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  await call('PUT', '/push/subscriptions', { ...subscription.toJSON(), language: document.documentElement.lang });
}

/** Waits until the worker can subscribe. `serviceWorker.ready` never resolves on a page outside of its scope, such as `/console`. */
function untilActive({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting;
  if (active || !worker) return Promise.resolve();
  return new Promise((resolve) =>
    worker.addEventListener('statechange', () => worker.state === 'activated' && resolve()),
  );
}

function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return isSupported ? navigator.serviceWorker.getRegistration(`${basePath}/console/`) : Promise.resolve(undefined);
}

/** The key that a subscription was made with, in base64url. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
