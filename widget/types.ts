import type {
  Connection,
  Identity,
  Message,
  PageContext,
  VisitorError,
  VisitorProfile,
  VisitorStorage,
} from './client/types.js';
import type { PublicWidget } from '../headless/visitor-api.js';
import type { Strings } from './locales/en.js';

export type { Strings };

/** The settings of a site, from `data-` attributes or `Parley('set', …)`. */
export interface Settings {
  /** A BCP 47 tag that Intl knows. */
  locale: string;
  /** Whether the site named the locale. Its writing direction then overrides the page's. */
  isLocaleChosen: boolean;
  theme: 'auto' | 'light' | 'dark';
  /** The corner. When omitted: right, or left in right-to-left languages. */
  position?: 'right' | 'left';
  /** Any CSS color. */
  color?: string;
  /** Pixels, or any CSS length. */
  radius?: number | string;
  zIndex?: number | string;
  /** A CSS selector of the page's elements that the button moves above, from `data-avoid`. */
  avoid?: string;
  /** Whether the visitor can hide the button until the next page, from `data-hideable`. */
  hideable?: string;
  /** `off` or false: no sound for unseen messages. */
  sound?: boolean | 'off';
  title?: string;
  greeting?: string;
  strings: Partial<Strings>;
  /** The profile of an anonymous visitor; of others only `metadata` counts. */
  visitor?: VisitorProfile;
}

/** What the organization chose (CONTRACT: Widget settings). Null: the widget decides. What the page says itself wins. */
export type Chosen = PublicWidget;

/** The events of `Parley('on', event, listener)`, with the type of their value. */
export interface WidgetEvents {
  ready: undefined;
  open: undefined;
  close: undefined;
  message: Message;
  unread: number;
  connection: Connection;
  error: VisitorError;
  'chat.started': { chatId: string };
  'chat.ended': { chatId: string };
  'chat.rated': { chatId: string; score: number };
  /** The chat waits for a person. */
  'handoff.requested': { chatId: string; group: string | null };
  'person.joined': { chatId: string; name: string };
  /** The visitor has given a name or an address. */
  'lead.left': { chatId: string | null };
  /** A proactive message is beside the button; the visitor opened the chat with it. */
  'proactive.shown': { id: string };
  'proactive.opened': { id: string };
}

/** A proactive message, from the moment when its rules hold. */
export interface Proactive {
  /** Its text beside the closed button. */
  readonly offered: string;
  /** Its text as the greeting in the panel; undefined until it was beside the button. */
  readonly greeting: string | undefined;
  /** Call these when it is beside the button, and when the visitor opens or dismisses it there. */
  shown(): void;
  opened(): void;
  dismissed(): void;
}

/** What the panel gets from the launcher. A cached launcher loads panels of later releases, which must do without later members. */
export interface Host {
  /** The address of the service, without a slash at the end. */
  readonly url: string;
  readonly widgetKey: string;
  /** Null: the page has signed the visitor out. */
  identity?: Identity | null;
  /** Used instead of `localStorage`. */
  storage?: VisitorStorage;
  /** Draws the bots' picture; undefined when there is none. */
  face?: (canvas: HTMLCanvasElement | null) => void;
  /** The metadata of a new chat, and the page of a message: where the visitor is, and the proactive message that was opened. */
  page?: () => Partial<PageContext> | undefined;
  /** The proactive message that is shown or was opened; undefined without one. */
  proactive?: Proactive;
  readonly settings: Settings;
  /** Undefined until it is read, and when it cannot be read. */
  chosen?: Chosen;
  /**
   * How far the service's clock was ahead of this computer's then, in milliseconds; NaN if a proxy hides it. Up to five minutes
   * too little, because browsers cache the settings.
   */
  ahead?: number;
  /** Resolves when it was read. */
  choosing?: Promise<void>;
  /** The locale that it is read for. */
  chosenFor?: string;
  /** The words of the language of `settings.locale`; set before the panel starts. */
  readonly words: Strings;
  /** An empty element of the shadow root. */
  readonly mount: HTMLElement;
  addStyles(css: string): void;
  /** Loads a module of the widget once, by its file name. After a failure the next call tries again. */
  readonly load: <T>(name: string) => Promise<T>;
  emit<E extends keyof WidgetEvents>(event: E, value: WidgetEvents[E]): void;
  /** Changes settings. */
  set(changes: Partial<Settings>): void;
  /** Loads and starts the panel once. */
  start(): Promise<Panel>;
  open(): Promise<void>;
  /** Asks the launcher to close the panel. The launcher then calls `setOpen(false)`. Bound to the host. */
  close: () => void;
}

/** What the launcher calls on the panel. Only the launcher opens and closes it. */
export interface Panel {
  /**
   * Returns whether the panel is open then: without a click it covers no small screen, and shows the greeting beside the button.
   * @param takesFocus false when the page opened the panel, not a click: with `data-open`
   */
  setOpen(isOpen: boolean, takesFocus: boolean): boolean;
  /** Call this after a change of the host's settings or texts. */
  update(): void;
  /** The accessible name of the button that opens and closes it. */
  label(isOpen: boolean): string;
  identify(identity: Identity | null): Promise<void>;
  /** Runs a command that the launcher doesn't know itself, such as `send`. */
  run(command: string, ...args: unknown[]): void;
  /** Shows the greeting beside the closed button, unless the visitor has done something in this tab. */
  greet(): void;
  /** Ends its connection and clears `mount`. A new one can be started after it. */
  stop(): void;
}

/** The module that the launcher loads when the chat is needed. */
export interface PanelModule {
  start(host: Host): Panel;
}

/** What few organizations choose, loaded when they do. */
export interface SiteModule {
  apply(host: Host, chosen: Chosen): void;
}

/** Loaded for a script with `data-avoid` or `data-hideable`. */
export interface ButtonModule {
  arrange(host: Host): void;
}

/** Loaded when the organization has proactive messages. */
export interface ProactiveModule {
  watch(host: Host, messages: readonly Chosen['proactiveMessages'][number][]): void;
}

/** A file of words. */
export interface WordsModule {
  default: Strings;
  /** Reads what the organization chose, once, and applies what the page itself does not say. */
  choose(host: Host): Promise<void>;
}
