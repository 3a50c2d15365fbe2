import type { Chosen, Host, Settings, SiteModule } from '../types.js';

/** The file name of `widget/site`, which the build inserts. */
declare const __SITE__: string;

/** The longest time that the panel waits for the settings. */
const TIMEOUT_MS = 3_000;

/** Reads what the organization chose, once, and applies what the page itself does not say. */
export function choose(host: Host): Promise<void> {
  return (host.choosing ??= read(host).catch(() => undefined));
}

async function read(host: Host): Promise<void> {
  const address = `${host.url}/api/visitor/widget?key=${host.widgetKey}&locale=${host.settings.locale}`;
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const chosen = (await response.json()) as Chosen & { code?: string };
  // Of an organization or a site that the service refuses no chat can be had: the button would lead nowhere.
  if ('forbidden not_found'.includes(chosen.code!)) host.mount.parentElement!.classList.add('alone');
  // Another failure, which may be a proxy's.
  if (!response.ok) return;
  host.chosen = chosen;
  host.set({ ...left(host.settings, chosen), ...colorOf(host, chosen) });
  const { greetingAfterSeconds, cookieDomain, launcherIcon, launcherPicture, botPicture } = chosen;
  if ((greetingAfterSeconds ?? cookieDomain ?? launcherIcon ?? launcherPicture ?? botPicture) != null)
    (await host.load<SiteModule>(__SITE__)).apply(host, chosen);
}

/** What the page leaves to the organization. */
function left(page: Settings, { name, greeting, theme, position, locale }: Chosen): Partial<Settings> {
  const settings = Object.entries({ title: name, greeting, theme, position }) as [keyof Settings, string | null][];
  const free = settings.filter(([key, value]) => value !== null && page[key] === undefined);
  return { ...Object.fromEntries(free), ...(locale !== null && !page.isLocaleChosen && { locale }) };
}

// The page may also set its colors with CSS variables.
function colorOf({ mount, settings }: Host, { color, colorText }: Chosen): Partial<Settings> {
  const { host } = mount.getRootNode() as ShadowRoot & { host: HTMLElement };
  const ofPage = getComputedStyle(host);
  const isFree = settings.color === undefined && !ofPage.getPropertyValue('--parley-color');
  if (!isFree || color === null) return {};
  if (colorText !== null && !ofPage.getPropertyValue('--parley-color-text'))
    host.style.setProperty('--parley-color-text', colorText);
  return { color };
}
