import { useEffect, useRef, useState } from 'preact/hooks';
import { textColorOn } from '../../widget/launcher/contrast.js';
import { adminStrings } from '../locales/admin-strings.js';
import { language, strings } from '../locales/strings.js';
import { notify } from '../state/notices.js';
import { Icon } from '../ui/icon.js';
import { PageHead } from '../ui/page-head.js';
import { change, type Organization, read } from './api.js';
import { SavePageLine, TextArea, useForm } from './form.js';
import { CopyField, Part, Select, Shown } from './kit.js';
import { type Reading, useReading } from './reading.js';

/** The widget's own colour. */
const COLOR = '#4353ff';

/** How the chat looks on a site, as the attributes of its script say it. */
interface Look {
  title: string;
  greeting: string;
  color: string;
  theme: 'auto' | 'light' | 'dark';
  position: '' | 'right' | 'left';
  locale: string;
}

const PLAIN: Look = { title: '', greeting: '', color: COLOR, theme: 'auto', position: '', locale: '' };

/** The chat on the organization's own sites: the line to embed, how it looks, and where it may be. */
export function WidgetPage() {
  const organization = useReading(() => read<Organization>(''));
  return (
    <>
      <PageHead title={strings.value.section.widget} />
      <div class="page-body">
        <p class="lead">{adminStrings.value.widgetLead}</p>
        <Shown of={organization}>
          {(value) => (
            <>
              <Snippet widgetKey={value.widgetKey} />
              <Origins organization={value} reading={organization} />
            </>
          )}
        </Shown>
      </div>
    </>
  );
}

/** The line to embed, made of what is chosen. */
function Snippet({ widgetKey }: { widgetKey: string }) {
  const text = adminStrings.value;
  const [look, setLook] = useState(PLAIN);
  const set = (change: Partial<Look>) => setLook({ ...look, ...change });
  const words = (name: 'title' | 'greeting', most: number) => (
    <label class="field">
      <span class="field-name">{text.widget[name]}</span>
      <input
        value={look[name]}
        maxLength={most}
        dir="auto"
        onInput={(event) => set({ [name]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <Part title={text.look} hint={text.lookHint}>
      <div class="builder">
        <div class="form">
          {words('title', 60)}
          {words('greeting', 300)}
          <div class="pair">
            <label class="field">
              <span class="field-name">{text.widget.color}</span>
              <input type="color" value={look.color} onInput={(event) => set({ color: event.currentTarget.value })} />
            </label>
            <Select
              label={text.widget.theme}
              value={look.theme}
              choices={(['auto', 'light', 'dark'] as const).map((value) => [value, text.themes[value]] as const)}
              onChange={(theme) => set({ theme })}
            />
          </div>
          <div class="pair">
            <Select
              label={text.widget.position}
              value={look.position}
              choices={[['', text.lineEnd] as const, ['right', text.right] as const, ['left', text.leftSide] as const]}
              onChange={(position) => set({ position })}
            />
            <Select
              label={text.widget.locale}
              value={look.locale}
              choices={[['', text.ofPage], ...LOCALES.map((tag) => [tag, localeName(tag)] as const)]}
              onChange={(locale) => set({ locale })}
            />
          </div>
        </div>
        <Preview look={look} />
      </div>
      <CopyField label={text.snippet} value={snippetOf(widgetKey, look)} isLong />
      <p class="hint small">{text.snippetHint}</p>
    </Part>
  );
}

const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'tr', 'uk', 'ar', 'he', 'ja', 'zh'];

function localeName(tag: string): string {
  return new Intl.DisplayNames(language.value, { type: 'language' }).of(tag) ?? tag;
}

/** The script element. A value that is that of a script without the attribute is left out. */
function snippetOf(widgetKey: string, look: Look): string {
  const attributes: [name: string, value: string][] = [
    ['src', `${location.origin}/widget.js`],
    ['data-widget-key', widgetKey],
    ['data-title', look.title],
    ['data-greeting', look.greeting],
    ['data-color', look.color === COLOR ? '' : look.color],
    ['data-theme', look.theme === 'auto' ? '' : look.theme],
    ['data-position', look.position],
    ['data-locale', look.locale],
  ];
  const written = attributes.filter(([, value]) => value !== '').map(([name, value]) => `${name}="${escaped(value)}"`);
  return written.length <= 2
    ? `<script async ${written.join(' ')}></script>`
    : `<script async\n  ${written.join('\n  ')}></script>`;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** How it looks, as far as it can be chosen here: a drawing, in which nothing can be written. */
function Preview({ look }: { look: Look }) {
  const text = adminStrings.value;
  const drawing = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The Content-Security-Policy allows no style attributes in markup; the CSSOM is allowed.
    const { style } = drawing.current!;
    style.setProperty('--color', look.color);
    style.setProperty('--color-text', textColorOn(asComputed(look.color)));
  }, [look.color]);
  return (
    <figure class="preview">
      <figcaption class="field-name">{text.preview}</figcaption>
      <div class={`preview-site ${look.theme}`} ref={drawing} data-position={look.position || 'right'}>
        <div class="preview-panel">
          <div class="preview-head">
            <bdi>{look.title || text.widgetTitle}</bdi>
          </div>
          <p dir="auto">{look.greeting || text.widgetGreeting}</p>
          <p class="preview-own">{text.previewOwn}</p>
        </div>
        <span class="preview-button">
          <Icon name="chats" />
        </span>
      </div>
    </figure>
  );
}

/** A colour of a colour field, `#rrggbb`, as a browser computes it. */
function asComputed(color: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return `color(srgb ${channels.join(' ')})`;
}

/** The sites on which the chat may be. */
function Origins({ organization, reading }: { organization: Organization; reading: Reading<Organization> }) {
  const text = adminStrings.value;
  const form = useForm(
    { allowedOrigins: organization.allowedOrigins.join('\n') },
    async ({ allowedOrigins }) => {
      reading.set(await change<Organization>('', { allowedOrigins: linesOf(allowedOrigins) }));
      notify(text.saved);
    },
    { guards: true },
  );
  const isOpen = linesOf(form.values.allowedOrigins).length === 0;
  return (
    <Part title={text.origins} hint={text.originsHint}>
      <form class="form" onSubmit={form.submit}>
        <TextArea
          form={form}
          name="allowedOrigins"
          label={text.originsLabel}
          hint={isOpen ? text.originsAny : undefined}
          rule={text.originsRule}
          area={{ dir: 'ltr', spellcheck: false, placeholder: 'https://www.example.com', class: 'code' }}
        />
        <SavePageLine form={form} />
      </form>
    </Part>
  );
}

function linesOf(typed: string): string[] {
  return typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
