import type { ButtonModule, Chosen, Host, Panel, ProactiveModule } from '../types.js';
import { readPage } from './page.js';
import { isOnOne } from './paths.js';
import { drawLauncher, loadPicture } from './pictures.js';
import { shareSession } from './shared-session.js';

/** The file name of `widget/proactive`, which the build inserts. */
declare const __PROACTIVE__: string;
/** The file name of `widget/button`. */
declare const __BUTTON__: string;

/** Applies what few organizations choose. The panel starts after it. */
export function apply(host: Host, chosen: Chosen): void {
  share(host, chosen);
  if (chosen.pageContext) host.page = readPage;
  const { proactiveMessages } = chosen;
  if (proactiveMessages?.[0])
    void host.load<ProactiveModule>(__PROACTIVE__).then(({ watch }) => watch(host, proactiveMessages), console.warn);
  greetLater(host, chosen);
  const { avoid, hideable } = host.settings;
  if ((avoid ?? hideable) !== undefined)
    void host.load<ButtonModule>(__BUTTON__).then(({ arrange }) => arrange(host), console.warn);
  drawLauncher(host, chosen);
  if (chosen.botPicture) void loadPicture(host, chosen.botPicture).then((draw) => setFace(host, draw));
}

/** Makes the subdomains share the visitor's session. A page of another domain keeps its own. */
function share(host: Host, { cookieDomain }: Chosen): void {
  if (!cookieDomain || !`.${location.hostname}`.endsWith(`.${cookieDomain}`)) return;
  const key = `parley:${host.widgetKey}`;
  try {
    host.storage = shareSession(cookieDomain, key);
  } catch {
    // A browser that keeps nothing has nothing to share.
    return;
  }
  const kept = host.storage.getItem(key);
  if (kept === null) return;
  // The launcher checked before there was anything in this subdomain's storage.
  if (host.identity === null) void start(host, (panel) => panel.identify(null));
  else if (kept.includes('"chatId"')) void start(host);
}

/** Shows the greeting beside the closed button, after a time on the pages where the organization wants it. */
function greetLater(host: Host, { greetingAfterSeconds, greetingPaths }: Chosen): void {
  const isHere = !greetingPaths[0] || isOnOne(greetingPaths);
  if (greetingAfterSeconds == null || !host.settings.greeting || !isHere) return;
  setTimeout(() => {
    // The page may have taken the widget away by then, or a proactive message may be in its place.
    if (host.mount.isConnected && !host.proactive) void start(host, (panel) => panel.greet());
  }, greetingAfterSeconds * 1_000);
}

function setFace(host: Host, draw: ((canvas: HTMLCanvasElement | null) => void) | undefined): void {
  host.face = draw;
  // Renders the panel again.
  host.set({});
}

function start(host: Host, then: (panel: Panel) => unknown = () => undefined) {
  return host.start().then(then, () => undefined);
}
