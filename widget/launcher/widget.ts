import type { Identity } from '../client/types.js';
import { launcherStrings } from '../locales/en.js';
import { fill } from '../text.js';
import type { Host, Panel, Settings } from '../types.js';
import type { Commands } from './api.js';
import { applyAppearance } from './appearance.js';
import { localeOf } from './attributes.js';
import { addStyles } from './dom.js';
import { createEvents } from './events.js';
import { createFrame, drawButton } from './frame.js';
import { createLoader } from './loader.js';
import { keeps } from './storage.js';

/** The button and what it controls. Answers the commands of `window.Parley`. */
export function createWidget(script: HTMLScriptElement, widgetKey: string, settings: Settings): Commands {
  const url = new URL(script.dataset.url || script.src).origin;
  const frame = createFrame(script.nonce);
  const { host, button } = frame;
  const { on, emit } = createEvents();
  const load = createLoader(url);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let identity: Identity | undefined = script.dataset.identity;
  let starting: Promise<Panel> | undefined;
  let panel: Panel | undefined;
  let isOpen = false;
  let isLoading = false;
  let hasFailed = false;
  let unread = 0;
  let opener: Element | null = null;

  const label = () => {
    const strings = { ...launcherStrings, ...settings.strings };
    if (hasFailed) return strings.loadFailed;
    if (isOpen) return strings.close;
    return unread ? fill(strings.openUnread, { count: unread }) : strings.open;
  };
  const mark = () => {
    if (hasFailed) return '!';
    return unread > 9 ? '9+' : `${unread || ''}`;
  };
  const draw = () => {
    const isShown = isOpen && !!panel;
    frame.frame.classList.toggle('open', isShown);
    drawButton(frame, { label: label(), isOpen: isShown, isLoading, mark: mark() });
  };
  const dress = () => {
    applyAppearance(frame, settings, dark.matches);
    draw();
  };

  const panelHost: Host = {
    url,
    widgetKey,
    get identity() {
      return identity;
    },
    get settings() {
      return settings;
    },
    mount: frame.mount,
    addStyles: (css) => addStyles(frame.root, css, script.nonce),
    close: () => close(),
    emit: (event, value) => {
      if (event === 'unread') {
        unread = value as number;
        draw();
      }
      emit(event, value);
    },
  };
  const start = (): Promise<Panel> =>
    (starting ??= load().then(
      (module) => (panel = module.start(panelHost)),
      (error: unknown) => {
        starting = undefined;
        emit('error', { code: 'unreachable', detail: String(error) });
        throw error;
      },
    ));

  const open = async (takesFocus = true) => {
    if (isOpen) return;
    isOpen = isLoading = true;
    hasFailed = false;
    opener = document.activeElement;
    dress();
    try {
      const started = await start();
      isLoading = false;
      // It may have been closed while it was loading.
      if (!isOpen) return draw();
      draw();
      started.setOpen(true, takesFocus);
      emit('open', undefined);
    } catch (error) {
      console.error(error);
      hasFailed = isOpen;
      isOpen = isLoading = false;
      draw();
    }
  };
  const close = () => {
    if (!isOpen) return;
    const hadFocus = document.activeElement === host;
    isOpen = false;
    draw();
    if (!panel) return;
    panel.setOpen(false, false);
    if (hadFocus) ((button.checkVisibility?.() ?? true) || !(opener instanceof HTMLElement) ? button : opener).focus();
    emit('close', undefined);
  };
  const toggle = () => (isOpen ? close() : void open());

  const mount = () => {
    document.body.append(host);
    dress();
    emit('ready', undefined);
    if (script.dataset.open !== undefined && script.dataset.open !== 'false') void open(false);
    else if (keeps(widgetKey, 'chatId')) whenIdle(() => void start().catch(() => undefined));
  };

  button.addEventListener('click', toggle);
  button.addEventListener('pointerenter', () => void load().catch(() => undefined));
  dark.addEventListener('change', dress);
  frame.frame.classList.toggle('alone', script.dataset.launcher === 'hidden');
  // After the commands that were queued: their settings count from the first picture on.
  if (document.body) queueMicrotask(mount);
  else document.addEventListener('DOMContentLoaded', mount, { once: true });

  return {
    open: () => void open(),
    close,
    toggle,
    on,
    send: (content: string) => void start().then((started) => started.send(content), console.error),
    identify: (next: Identity | null) => {
      identity = next ?? undefined;
      // Without a panel there is nobody to forget, unless an earlier page left one.
      if (starting || (next === null && keeps(widgetKey, 'token'))) {
        return start()
          .then((started) => started.identify(next))
          .catch(console.error);
      }
      return undefined;
    },
    set: (changes: Partial<Settings>) => {
      settings = {
        ...settings,
        ...changes,
        ...(changes.locale && localeOf(changes.locale)),
        strings: { ...settings.strings, ...changes.strings },
      };
      if (host.isConnected) dress();
      panel?.update(settings);
    },
  };
}

function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work);
  else setTimeout(work, 200);
}
