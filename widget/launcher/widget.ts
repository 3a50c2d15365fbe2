import type { Identity } from '../client/types.js';
import type { Chosen, Host, Panel, PanelModule, Settings, WidgetEvents, WordsModule } from '../types.js';
import type { Commands } from './api.js';
import { applyAppearance } from './appearance.js';
import { localeOf } from './attributes.js';
import { badgeOf } from './button-state.js';
import { addStyles } from './dom.js';
import { createEvents } from './events.js';
import { createFrame, drawButton, type Frame } from './frame.js';
import { afterNow } from './guard.js';
import { languageOf } from './languages.js';
import { createLoader } from './loader.js';
import { keeps, wasOpen } from './storage.js';

/** The panel's file name, and the hash in the words' file names. The build inserts these hashes of the files' contents. */
declare const __PANEL__: string;
declare const __WORDS__: string;

/** What `Parley('boot', …)` takes. */
type Boot = Partial<Settings> & { identity?: Identity };

/** The button, and the panel that it opens. The panel sees it as its `Host`. */
export class Widget implements Host {
  readonly url: string;
  readonly widgetKey: string;
  readonly mount: HTMLElement;
  identity: Identity | null | undefined;
  settings: Settings;
  chosen?: Chosen;
  choosing?: Promise<void>;
  words!: Host['words'];
  readonly #script: HTMLScriptElement;
  readonly #frame: Frame;
  readonly load: Host['load'];
  readonly #events = createEvents();
  readonly #darkScheme = window.matchMedia?.('(prefers-color-scheme: dark)') as MediaQueryList | undefined;
  #starting: Promise<Panel> | undefined;
  #panel: Panel | undefined;
  /** Whether the page removed it; the page's stub may do so before the widget is loaded. */
  #isDown = false;
  #isOpen = false;
  #isLoading = false;
  #hasFailed = false;
  #unread = 0;
  /** The element that had the focus when the panel opened. */
  #opener: Element | null = null;

  constructor(script: HTMLScriptElement, widgetKey: string, settings: Settings) {
    this.#script = script;
    this.widgetKey = widgetKey;
    this.settings = settings;
    const { src, dataset } = script;
    this.identity = dataset.identity;
    // The given address, or the script's folder. A script in the page itself has no address.
    this.url = new URL(dataset.url || '.', src || undefined).href.replace(/\/+$/, '');
    this.#frame = createFrame(script.nonce);
    this.mount = this.#frame.mount;
    this.load = createLoader(this.url, script.nonce);
    this.#listen();
    this.#frame.frame.classList.toggle('alone', dataset.launcher === 'hidden');
    this.#mountWhenReady();
  }

  /** The commands of `window.Parley`. */
  commands(): Commands {
    return {
      open: () => void this.open(),
      close: this.close,
      toggle: this.#toggle,
      on: this.#events.on,
      identify: (identity: Identity | null) => this.#identify(identity),
      set: (changes: Partial<Settings>) => this.set(changes),
      shutdown: () => this.#shutDown(),
      boot: (changes: Boot = {}) => this.#boot(changes),
      // All others.
      run: (...given: [string]) =>
        void this.start()
          .then((panel) => panel.run(...given))
          .catch(console.error),
    };
  }

  addStyles(css: string): void {
    addStyles(this.#frame.root, css, this.#script.nonce);
  }

  emit<E extends keyof WidgetEvents>(event: E, value: WidgetEvents[E]): void {
    if (event === 'unread') {
      this.#unread = value as number;
      this.#draw();
    }
    this.#events.emit(event, value);
  }

  readonly close = (): void => {
    if (!this.#isOpen) return;
    const hadFocus = document.activeElement === this.#frame.host;
    this.#isOpen = false;
    this.#draw();
    if (!this.#panel) return;
    this.#panel.setOpen(false, false);
    if (hadFocus) this.#returnFocus();
    this.emit('close', undefined);
  };

  #listen(): void {
    const { button } = this.#frame;
    button.addEventListener('click', this.#toggle);
    button.addEventListener('pointerenter', () => void this.start().catch(() => undefined));
    this.#darkScheme?.addEventListener('change', this.#applySettings);
  }

  // After the queued commands, so that the first render shows their settings.
  #mountWhenReady(): void {
    const mount = () => this.#isDown || this.#mount();
    if (document.body) void afterNow(mount);
    else document.addEventListener('DOMContentLoaded', mount, { once: true });
  }

  #mount(): void {
    if (this.#frame.host.isConnected) return;
    const { open } = this.#script.dataset;
    // Outside `body`: page routers replace the body, and a CSS transform on it would move the button.
    document.documentElement.appendChild(this.#frame.host);
    this.#applySettings();
    this.emit('ready', undefined);
    if (open !== undefined ? open !== 'false' : wasOpen()) void this.open(false);
    // A known visitor may already have a chat from another device.
    else this.#startWhenIdle();
  }

  #startWhenIdle(): undefined {
    (window.requestIdleCallback ?? setTimeout)(() => {
      // The page may have taken the widget away by then.
      if (!this.#frame.host.isConnected) return;
      const starting: Promise<unknown> =
        this.identity || keeps(this.widgetKey, 'chatId') ? this.start() : this.#prepare();
      starting.catch(() => undefined);
    });
  }

  async open(takesFocus = true): Promise<void> {
    if (this.#isOpen) return;
    this.#isOpen = this.#isLoading = true;
    this.#hasFailed = false;
    this.#opener = document.activeElement;
    this.#applySettings();
    try {
      this.#showPanel(await this.start(), takesFocus);
    } catch (error) {
      console.error(error);
      this.#hasFailed = this.#isOpen;
      this.#isOpen = this.#isLoading = false;
      this.#draw();
    }
  }

  #showPanel(panel: Panel, takesFocus: boolean): void {
    this.#isLoading = false;
    // The visitor may have closed it while it was loading.
    if (this.#isOpen) this.#isOpen = panel.setOpen(true, takesFocus);
    this.#draw();
    if (this.#isOpen) this.emit('open', undefined);
  }

  #returnFocus(): void {
    const { button } = this.#frame;
    const isVisible = button.checkVisibility?.() ?? true;
    (isVisible || !(this.#opener instanceof HTMLElement) ? button : this.#opener).focus();
  }

  readonly #toggle = (): void => {
    if (this.#isOpen) this.close();
    else void this.open();
  };

  #identify(identity: Identity | null): Promise<void> | undefined {
    this.identity = identity;
    // Without a panel there is no session to end, unless an earlier page left one in storage.
    if (!this.#starting && (identity || !keeps(this.widgetKey, 'token'))) return this.#startWhenIdle();
    return this.start()
      .then((panel) => panel.identify(identity))
      .catch(console.error);
  }

  set(changes: Partial<Settings>): void {
    this.settings = {
      ...this.settings,
      ...changes,
      ...(changes.locale && localeOf(changes.locale)),
      strings: { ...this.settings.strings, ...changes.strings },
    };
    if (this.#frame.host.isConnected) this.#applySettings();
    this.#panel?.update();
    if (changes.locale) void this.#starting?.then(() => this.#prepare()).catch(console.error);
  }

  async #loadAll(): Promise<PanelModule> {
    const loading = this.load<PanelModule>(__PANEL__);
    loading.catch(() => undefined);
    await this.#prepare();
    return loading;
  }

  /** Reads what the organization chose, by the module that comes with the words; it may have chosen the language. */
  async #prepare(): Promise<void> {
    await (await this.#changeWords()).choose(this);
    await this.#changeWords();
  }

  /** Loads the words of the language alone, and shows them; English when they cannot be loaded. */
  async #changeWords(): Promise<WordsModule> {
    const language = languageOf(this.settings.locale);
    const load = (name: string) => this.load<WordsModule>(`words.${name}.${__WORDS__}.js`);
    const module = await load(language).catch(() => load('en'));
    // Another one may have been chosen while it was loading.
    if (language === languageOf(this.settings.locale)) this.words = module.default;
    this.#panel?.update();
    this.#draw();
    return module;
  }

  /** Loads and starts the panel once; after a failure the next call tries again. */
  start(): Promise<Panel> {
    return (this.#starting ??= this.#loadAll().then(
      (module) => (this.#panel = module.start(this)),
      (error: unknown) => {
        this.#starting = undefined;
        this.emit('error', { code: 'unreachable', detail: String(error) });
        throw error;
      },
    ));
  }

  /** Takes everything off the page. The session stays in the browser: only `identify(null)` ends it. */
  #shutDown(): void {
    this.#isDown = true;
    this.close();
    void this.#starting?.then((panel) => panel.stop()).catch(() => undefined);
    this.#frame.host.remove();
    this.#starting = this.#panel = undefined;
    this.#unread = 0;
  }

  #boot({ identity, ...changes }: Boot): void {
    if (identity) this.identity = identity;
    this.set(changes);
    this.#isDown = false;
    this.#mount();
  }

  readonly #applySettings = (): void => {
    applyAppearance(this.#frame, this.settings, !!this.#darkScheme?.matches);
    this.#draw();
  };

  #draw(): void {
    const isOpen = this.#isOpen && !!this.#panel;
    this.#frame.frame.classList.toggle('open', isOpen);
    const label = this.#panel?.label(this.#isOpen) ?? this.#labelAlone();
    drawButton(this.#frame, label, isOpen, this.#isLoading, badgeOf(this.#hasFailed, this.#unread));
  }

  /** What the button says without the panel. */
  #labelAlone(): string {
    const words: Partial<Host['words']> = { ...this.words, ...this.settings.strings };
    const { loadFailed = "Chat couldn't load. Try again", open = 'Open chat' } = words;
    return this.#hasFailed ? loadFailed : open;
  }
}
