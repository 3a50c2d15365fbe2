import type { Connection, Identity, Message, VisitorError, VisitorProfile } from './client/types.js';
import type { Strings } from './locales/en.js';

export type { Strings };

/** What a site can choose, by `data-` attributes or by `Parley('set', …)`. */
export interface Settings {
  /** A BCP 47 tag that Intl knows. */
  locale: string;
  /** Whether the site named the locale itself: then its direction counts, and not that of the page. */
  isLocaleChosen: boolean;
  theme: 'auto' | 'light' | 'dark';
  /** The corner; where lines end when omitted. */
  position?: 'right' | 'left';
  /** Any CSS colour. */
  color?: string;
  /** Pixels, or any CSS length. */
  radius?: number | string;
  zIndex?: number;
  title?: string;
  greeting?: string;
  strings: Partial<Strings>;
  /** Who an anonymous visitor is; counts until the panel is there. */
  visitor?: VisitorProfile;
}

/** What `Parley('on', event, listener)` tells of, with what the listener is given. */
export interface WidgetEvents {
  ready: undefined;
  open: undefined;
  close: undefined;
  message: Message;
  unread: number;
  connection: Connection;
  error: VisitorError;
}

/** What the launcher gives the panel: a place to draw in, and the way back to the page. */
export interface Host {
  /** The origin of the service. */
  readonly url: string;
  readonly widgetKey: string;
  readonly identity?: Identity;
  readonly settings: Settings;
  /** An empty element of the shadow root. */
  readonly mount: HTMLElement;
  addStyles(css: string): void;
  emit<E extends keyof WidgetEvents>(event: E, value: WidgetEvents[E]): void;
  /** The visitor wants the panel closed; the launcher answers with `setOpen(false)`. */
  close: () => void;
}

/** What the launcher asks of the panel. The launcher alone decides whether it is open. */
export interface Panel {
  /** @param takesFocus false when nobody asked for it just now, as with `data-open` */
  setOpen(isOpen: boolean, takesFocus: boolean): void;
  update(settings: Settings): void;
  identify(identity: Identity | null): Promise<void>;
  send(content: string): void;
}

/** The module that the launcher loads when the chat is wanted. */
export interface PanelModule {
  start(host: Host): Panel;
}
