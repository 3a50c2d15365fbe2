import type { Chosen, Host, Settings, SiteModule } from '../types.js';

/** The file name of `widget/site`, which the build inserts. */
declare const __SITE__: string;

/** Reads what the organization chose, once for each language, and applies what the page itself does not say. */
export function choose(host: Host): Promise<void> {
  const { locale } = host.settings;
  if (host.chosenFor === locale) return host.choosing!;
  if (!host.chosenFor) followLinks(host);
  host.chosenFor = locale;
  return (host.choosing = read(host).catch(console.warn));
}

/** Opens the chat for a link to `#parley`, on the page or to it. The address loses it, so that the next click opens it again. */
function followLinks(host: Host): void {
  const look = () => {
    if (location.hash !== '#parley' || !host.mount.isConnected) return;
    history.replaceState(history.state, '', location.pathname + location.search);
    void host.open();
  };
  // Routers change the address without a `hashchange`. Browsers before 2026 have no `navigation`: there, only links of the page itself work.
  const page = document.defaultView!;
  page.addEventListener('hashchange', look);
  page.navigation?.addEventListener('currententrychange', look);
  look();
}

async function read(host: Host): Promise<void> {
  const asked = host.settings;
  const address = `${host.url}/api/visitor/widget?key=${host.widgetKey}&locale=${asked.locale}&chosen=${asked.isLocaleChosen}`;
  // The panel waits for it.
  const response = await fetch(address, { signal: AbortSignal.timeout(3_000) });
  const chosen = (await response.json()) as Chosen & { code?: string; detail?: string };
  // If the service refuses the organization or the site, no chat can begin, so there is no button.
  if ('forbidden not_found'.includes(chosen.code!)) host.mount.parentElement!.classList.add('alone');
  // For the developers of the page. Another failure may be a proxy's.
  if (!response.ok) throw Error(chosen.detail);
  // The page has chosen another language since then.
  if (host.settings.locale !== asked.locale) return;
  const before = host.chosen;
  host.chosen = chosen;
  host.ahead = Date.parse(response.headers.get('date')!) - Date.now();
  host.set(left(host, chosen, before));
  host.chosenFor = host.settings.locale;
  const some =
    chosen.greetingAfterSeconds ??
    chosen.cookieDomain ??
    chosen.launcherIcon ??
    chosen.launcherPicture ??
    chosen.botPicture ??
    chosen.proactiveMessages?.[0] ??
    host.settings.avoid ??
    host.settings.hideable;
  // It does not depend on the language.
  if (!before && (chosen.pageContext || some != null)) (await host.load<SiteModule>(__SITE__)).apply(host, chosen);
}

/**
 * What the page leaves to the organization; null is like undefined here. The page may also set its colors with CSS variables.
 * @param before what the organization chose for the language before
 */
function left({ mount, settings }: Host, chosen: Chosen, before?: Chosen): Partial<Settings> {
  const { title, greeting, theme, position, color, isLocaleChosen } = settings;
  const { host } = mount.getRootNode() as ShadowRoot & { host: HTMLElement };
  const ofPage = getComputedStyle(host);
  const isColorFree = !color && !ofPage.getPropertyValue('--parley-color') && chosen.color;
  if (isColorFree && chosen.colorText && !ofPage.getPropertyValue('--parley-color-text'))
    host.style.setProperty('--parley-color-text', chosen.colorText);
  return {
    title: title ?? chosen.name,
    greeting: greeting === before?.greeting ? chosen.greeting : greeting,
    theme: theme ?? chosen.theme,
    position: position ?? chosen.position,
    color: isColorFree ? chosen.color : color,
    ...(chosen.locale && !isLocaleChosen && { locale: chosen.locale }),
  } as Partial<Settings>;
}
