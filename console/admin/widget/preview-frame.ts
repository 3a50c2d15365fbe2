import type { ParleyFunction } from '../../../widget/launcher/api.js';
import { basePath } from '../../lib/service.js';
import type { Organization, Pictures, WidgetSettings } from '../api.js';

export interface Previewed {
  isOpen: boolean;
  settings: Partial<WidgetSettings>;
  pictures: Pictures;
  organization: Pick<Organization, 'name' | 'widgetKey'>;
}

type Page = Window & typeof globalThis & { Parley?: ParleyFunction };

/**
 * Puts the real widget into an empty frame of this origin. The settings that it reads are the given ones, and it finds no chat in
 * the browser's storage. Nothing is sent but requests for pictures.
 * @param locale of the frame's page
 */
export function showWidget(frame: HTMLIFrameElement, previewed: Previewed, locale: string, onShown: () => void): void {
  const page = frame.contentWindow as Page;
  const { document } = page;
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(page, name, { value: NO_STORAGE });
  const answerPage = (address: RequestInfo | URL) =>
    answer(new URL(address instanceof Request ? address.url : address), previewed);
  // Bound, so that it looks like the browser's own. Otherwise, the widget gets another one from an empty frame.
  page.fetch = answerPage.bind(undefined);
  document.documentElement.lang = locale;
  // As the console around it. Otherwise, the browser gives the frame a background.
  document.documentElement.style.colorScheme = 'light dark';
  const script = document.createElement('script');
  script.src = `${basePath}/widget.js`;
  script.dataset.widgetKey = previewed.organization.widgetKey;
  script.dataset.open = String(previewed.isOpen);
  const onOpen = () => {
    showEnd(page);
    onShown();
  };
  script.addEventListener('load', () => (previewed.isOpen ? page.Parley?.('on', 'open', onOpen) : onShown()));
  document.body.append(script);
}

/** Scrolls to the questions below a long greeting: no one can scroll in the frame. */
function showEnd({ document, ResizeObserver }: Page): void {
  const view = document.querySelector('parley-widget')?.shadowRoot?.querySelector('.view');
  const list = view?.firstElementChild;
  if (view && list) new ResizeObserver(() => view.scrollTo(0, view.scrollHeight)).observe(list);
}

const NO_STORAGE = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

function answer(address: URL, { settings, pictures, organization }: Previewed): Promise<Response> {
  const settingsPath = `${basePath}/api/visitor/widget`;
  if (address.pathname.startsWith(`${settingsPath}/pictures/`)) return fetch(address);
  if (address.pathname !== settingsPath) return new Promise(() => undefined);
  const { translations = {}, ...ofAll } = settings;
  const locale = address.searchParams.get('locale') ?? '';
  const texts = translations[locale] ?? translations[locale.split('-')[0]!];
  const { launcher, bot } = pictures;
  return Promise.resolve(
    Response.json({
      ...ofAll,
      ...texts,
      formFields: settings.formFields?.map((field) => ({ ...field, ...texts?.formFields?.[field.key] })),
      name: settings.name ?? organization.name,
      // Nothing is shared with other subdomains.
      cookieDomain: null,
      launcherPicture: launcher,
      botPicture: bot,
      hours: null,
      captcha: null,
    }),
  );
}
