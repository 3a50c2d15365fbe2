import { render } from 'preact';
import { createVisitorClient } from '../client.js';
import type { Identity, VisitorClient, VisitorError } from '../client/types.js';
import type { Strings } from '../locales/en.js';
import type { Host, Panel } from '../types.js';
import { PanelView } from './panel.js';
import { isSmallScreen } from './media.js';
import { remember } from './tab-storage.js';
import { counted, withOwn } from './words.js';
import styles from './styles.css?inline';

let isStyled = false;

/** Renders the panel, closed, into the launcher's element. Opens the chat when this browser has one. */
export function start(host: Host): Panel {
  return new ChatPanel(host);
}

class ChatPanel implements Panel {
  readonly #host: Host;
  readonly #client: VisitorClient;
  #isOpen = false;
  #takesFocus = false;
  #isOpening = false;
  #isGreeting = false;
  #failure: VisitorError | undefined;

  constructor(host: Host) {
    const { url, widgetKey, identity, settings } = host;
    this.#host = host;
    this.#client = createVisitorClient({ url, widgetKey, identity, visitor: settings.visitor });
    if (!isStyled) host.addStyles(styles);
    isStyled = true;
    this.#emitEvents();
    this.update();
    if (this.#client.hasChat()) this.#openOnce();
  }

  setOpen(isOpen: boolean, takesFocus: boolean): void {
    this.#isOpen = isOpen;
    this.#isGreeting = false;
    this.#takesFocus = takesFocus;
    // On a phone it would cover the page that the visitor has gone to.
    remember('open', isOpen && !isSmallScreen() ? '1' : '');
    if (!isOpen) return this.update();
    // Not in the task that has loaded it: on a slow device each of them takes long enough.
    setTimeout(() => this.#isOpen && this.update());
    this.#openOnce();
  }

  update(): void {
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
    if (identity === null) {
      remember('draft', '');
      remember('introduced', '');
    }
    await this.#client.identify(identity);
    // What was drawn for the last person is not the next one's: the draft, the list of chats, what was read aloud.
    if (identity === null) {
      this.#takesFocus = false;
      render(null, this.#host.mount);
      this.update();
    }
    if (this.#isOpen) this.#openOnce();
  }

  send(content: string): void {
    this.#openOnce();
    this.#client.send(content).catch(() => undefined);
  }

  stop(): void {
    // What is under way draws nothing any more.
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
    client.unread.subscribe((count) => host.emit('unread', count));
    client.connection.subscribe((connection) => {
      host.emit('connection', connection);
      if (connection.state === 'refused' && connection.error) this.#report(connection.error);
    });
  }

  #openOnce(): void {
    if (!this.#client.chat.value && !this.#isOpening) void this.#openChat();
  }

  async #openChat(options?: { chatId?: string; isNew?: boolean }): Promise<void> {
    this.#isOpening = true;
    if (this.#failure) {
      this.#failure = undefined;
      this.update();
    }
    try {
      await this.#client.openChat(options);
    } catch (error) {
      this.#fail(error as VisitorError);
    }
    this.#isOpening = false;
    this.update();
  }

  #fail(error: VisitorError): void {
    // A logout interrupts the request. That is no failure.
    if (error.code !== 'interrupted') this.#report((this.#failure = error));
  }

  /** Why it failed is for developers: visitors read a plain sentence. */
  #report(error: VisitorError): void {
    console.warn(`Parley: ${error.detail}`);
    this.#host.emit('error', error);
  }
}

// What loaded this module goes on in a task of its own.
await new Promise((resolve) => setTimeout(resolve));
