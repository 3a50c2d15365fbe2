import { render } from 'preact';
import type { Road } from '../client/transport.js';
import { createVisitorClient } from '../client/visitor-client.js';
import type { Identity, CoreClient, VisitorError } from '../client/types.js';
import type { Strings } from '../locales/en.js';
import type { Host, Panel } from '../types.js';
import { PanelView } from './panel.js';
import { storageOf } from './lib/guest.js';
import { isSmallScreen } from './lib/media.js';
import { forgetWords, recall, remember } from './lib/tab-storage.js';
import { counted, withOwn } from './lib/words.js';
import styles from './styles.css?inline';

/** The names of the files, which the build inserts. */
declare const __ROAD__: string;
declare const __FACTS__: string;
declare const __COMMANDS__: string;
/** A chat to open. */
type Opening = { chatId?: string; isNew?: boolean };
type FactsModule = typeof import('../facts/facts.js');
type CommandsModule = typeof import('../commands/commands.js');

let isStyled = false;

/** Renders the panel, closed, into the launcher's element. Opens the chat when this browser has one. */
export function start(host: Host): Panel {
  return new ChatPanel(host);
}

class ChatPanel implements Panel {
  readonly #host: Host;
  readonly #client: CoreClient;
  #isOpen = false;
  #takesFocus = false;
  #isResuming = false;
  #isGreeting = false;
  #failure: VisitorError | undefined;

  constructor(host: Host) {
    const { url, widgetKey } = host;
    const identity = host.identity ?? undefined;
    this.#host = host;
    const onSignedOut = (isSignOut: boolean) => this.#forget(isSignOut);
    this.#client = createVisitorClient(
      {
        url,
        widgetKey,
        identity,
        page: () => host.page?.(),
        metadata: () => JSON.parse(recall('fields') || '{}'),
        locale: () => host.settings.locale,
        onSignedOut,
        onIdentityFailed: (detail) => {
          console.warn(`Parley: ${detail}. The visitor isn't identified`);
          host.emit('error', { code: 'unauthorized', detail });
        },
        storage: storageOf(host),
      },
      () => host.load<Road>(__ROAD__),
    );
    if (!isStyled) host.addStyles(styles);
    isStyled = true;
    this.#emitEvents();
    // The page has signed out while the panel couldn't be loaded.
    if (host.identity === null) void this.identify(null);
    else this.#resume();
    this.update();
  }

  setOpen(isOpen: boolean, takesFocus: boolean): boolean {
    if (isOpen && !takesFocus && isSmallScreen()) {
      this.greet();
      return false;
    }
    this.#isOpen = isOpen;
    this.#isGreeting = false;
    this.#takesFocus = takesFocus;
    // On a phone, it would cover the page that the visitor navigated to.
    remember('open', isOpen && !isSmallScreen() ? '1' : '');
    if (isOpen) {
      // In a task of its own: on a slow device, loading takes long enough.
      setTimeout(() => this.#isOpen && this.update());
      this.#resume();
    } else this.update();
    return isOpen;
  }

  update(): void {
    evenOut(this.#host.mount);
    this.#client.setVisitor(this.#host.settings.visitor).catch(() => undefined);
    render(
      <PanelView
        host={this.#host}
        client={this.#client}
        strings={this.#strings}
        isOpen={this.#isOpen}
        takesFocus={this.#takesFocus}
        failure={this.#failure}
        isGreeting={this.#isGreeting}
        isResuming={this.#isResuming}
        openChat={(options) => void this.#openChat(options)}
      />,
      this.#host.mount,
    );
  }

  greet(): void {
    this.#isGreeting = !this.#isOpen;
    this.update();
  }

  label(isOpen: boolean): string {
    const unread = this.#client.unread.value;
    if (isOpen) return this.#strings.close;
    return unread ? counted(this.#strings, 'openUnread', unread) : this.#strings.open;
  }

  async identify(identity: Identity | null): Promise<void> {
    // Of the tab, before the whole browser: `storageOf`.
    if (!identity) void this.#client.identify(identity);
    await this.#client.identify(identity);
    this.#resume();
  }

  run(command: string, given: string): void {
    const host = this.#host;
    const client = this.#client;
    const { askName, askEmail, formFields, consent, privacyUrl } = host.chosen ?? {};
    const isFree = client.hasChat() || !(askName || askEmail || formFields?.[0] || consent || privacyUrl);
    if (command === 'send' && isFree) client.send(given).catch(() => undefined);
    else {
      const page = { host, client, recall, remember, openChat: (options?: Opening) => this.#openChat(options) };
      host.load<CommandsModule>(__COMMANDS__).then(({ run }) => run(page, command, given), console.warn);
    }
  }

  stop(): void {
    // Pending work no longer renders.
    this.update = () => undefined;
    this.#client.close();
    render(null, this.#host.mount);
  }

  get #strings(): Strings {
    return withOwn(this.#host.words, this.#host.settings.strings);
  }

  /** Passes the events of the client on to the page. */
  #emitEvents(): void {
    const host = this.#host;
    const client = this.#client;
    client.onMessage((message) => host.emit('message', message));
    // Loaded with the page's first chat: without one there's nothing to report.
    let isReporting = false;
    client.chat.subscribe((chat) => {
      if (!chat || isReporting) return;
      isReporting = true;
      void host.load<FactsModule>(__FACTS__).then(({ report }) => report(host, client, chat), console.warn);
    });
    client.unread.subscribe((count) => host.emit('unread', count));
    client.connection.subscribe((connection) => {
      host.emit('connection', connection);
      if (connection.state === 'refused' && connection.error) this.#report(connection.error);
    });
  }

  /** Clears what belongs to one person before the next: the draft, the list of chats, the announcements. */
  #forget(isSignOut: boolean): void {
    // A panel that starts later on this page would sign in again.
    if (isSignOut) this.#host.identity = undefined;
    forgetWords();
    this.#failure = undefined;
    this.#takesFocus = false;
    render(null, this.#host.mount);
    this.update();
  }

  #resume(): void {
    if (!this.#client.chat.value && !this.#isResuming) void this.#openChat();
  }

  /** @param options of a chat to open; when omitted, the one that is open is resumed, and none is made */
  async #openChat(options?: Opening): Promise<void> {
    this.#isResuming = true;
    if (this.#failure) {
      this.#failure = undefined;
      this.update();
    }
    try {
      await (options ? this.#client.openChat(options) : this.#client.resumeChat());
    } catch (error) {
      this.#fail(error as VisitorError);
    }
    this.#isResuming = false;
    setTimeout(() => this.update());
  }

  #fail(error: VisitorError): void {
    // A sign-out interrupts the request. That isn't a failure.
    if (error.code !== 'interrupted') this.#report((this.#failure = error));
  }

  /** Logs the reason for developers: visitors see a plain sentence. */
  #report(error: VisitorError): void {
    console.warn(`Parley: ${error.detail}`);
    this.#host.emit('error', error);
  }
}

/** Undoes a `zoom` of the page, which would make the panel larger than the window: its units of the window aren't zoomed. */
function evenOut(mount: HTMLElement): void {
  const { host } = mount.getRootNode() as ShadowRoot & { host: Element & { currentCSSZoom?: number } };
  mount.parentElement!.style.setProperty('zoom', `${1 / (host.currentCSSZoom ?? 1)}`);
}

// The code that loaded this module continues in its own task.
await new Promise((resolve) => setTimeout(resolve));
