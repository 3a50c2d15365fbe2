import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { adminStrings } from '../../locales/admin-strings.js';
import { locale } from '../../locales/strings.js';
import { useSize } from '../../ui/parts/use-size.js';
import type { Organization, Pictures, WidgetSettings } from '../api.js';
import { addressOf } from './pictures.js';
import { type Previewed, showWidget } from './preview-frame.js';
import { toSettings, type Values } from './widget-values.js';

/** How long the settings stay as they are before they're shown: not while a word is typed. */
const SETTLED_MS = 300;
/** The narrowest page that has the widget beside its content, and the heights of the shown pages, in pixels. */
const PAGE_WIDTH = 500;
const OPEN_HEIGHT = 540;
const CLOSED_HEIGHT = 110;
const GREETING_HEIGHT = 240;

interface PreviewProps {
  values: Values;
  organization: Organization;
  pictures?: Pictures;
}

/** The widget as a visitor sees it before the first message, with the chosen settings: open, and closed. */
export function Preview({ values, organization: { name, widgetKey }, pictures }: PreviewProps) {
  // Proactive messages would count the preview as visits.
  const settings = { ...toSettings(values), proactiveMessages: [] };
  const closed = closedOf(settings);
  const closedHeight = closed.greeting ? GREETING_HEIGHT : CLOSED_HEIGHT;
  const botPicture = addressOf(pictures?.bot, widgetKey);
  const common = { pictures: pictures ?? { launcher: null, bot: null }, organization: { name, widgetKey } };
  return (
    <figure class="preview">
      <figcaption class="field-name">{adminStrings.value.preview}</figcaption>
      <Site height={OPEN_HEIGHT} previewed={{ ...common, settings, isOpen: true }} />
      <Site height={closedHeight} previewed={{ ...common, settings: closed, isOpen: false }} />
      {botPicture && (
        <p class="preview-bot hint small">
          {adminStrings.value.widget.besideBots}
          <img src={botPicture} alt={adminStrings.value.widget.botPicture} />
        </p>
      )}
    </figure>
  );
}

/** What the closed widget shows: another change doesn't draw it again. */
function closedOf({ greeting, greetingAfterSeconds, ...settings }: WidgetSettings): Previewed['settings'] {
  const { color, colorText, theme, position, launcherIcon, translations } = settings;
  const looks = {
    locale: settings.locale,
    color,
    colorText,
    theme,
    position,
    launcherIcon,
    greetingPaths: [],
    proactiveMessages: [],
  };
  if (greetingAfterSeconds === null) return looks;
  return { ...looks, greeting, translations, greetingAfterSeconds: 0 };
}

/** A page with the widget, scaled down to the available width. The page before stays until the next one is shown. */
function Site({ height, previewed }: { height: number; previewed: Previewed }) {
  const site = useRef<HTMLDivElement>(null);
  const { width } = useSize(site, 'preview', { width: PAGE_WIDTH, height });
  const wanted = useSettled(JSON.stringify(previewed));
  const [shown, show] = useState(wanted);
  const scale = Math.min(1, width / PAGE_WIDTH);
  // The Content-Security-Policy allows no style attributes in markup; the CSSOM is allowed.
  useLayoutEffect(() => {
    const { style } = site.current!;
    style.setProperty('--scale', `${scale}`);
    style.setProperty('--page-height', `${height}px`);
  }, [scale, height]);
  return (
    <div class="preview-site" ref={site}>
      {[...new Set([shown, wanted])].map((one) => (
        <iframe
          key={one}
          inert
          title={adminStrings.value.preview}
          srcdoc="<!doctype html>"
          onLoad={({ currentTarget }) =>
            showWidget(currentTarget, JSON.parse(one) as Previewed, locale.value, () => show(one))
          }
        />
      ))}
    </div>
  );
}

/** A value once it hasn't changed for a moment. */
function useSettled<T>(value: T): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
