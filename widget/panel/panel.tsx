import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Message, CoreClient, VisitorError } from '../client/types.js';
import type { Strings } from '../locales/en.js';
import type { Chosen, Host } from '../types.js';
import { Announcer } from './conversation/announcer.js';
import { useBack } from './lib/back.js';
import { Banner } from './banner.js';
import { Composer } from './composer.js';
import { Conversation } from './conversation/conversation.js';
import { focusPanel, keepFocus } from './lib/focus.js';
import { correctionOf, createFormats } from './lib/formats.js';
import { isAlone } from './lib/alone.js';
import { Header, isOver } from './header.js';
import { setPanel } from './lib/context.js';
import { useFullScreen, useSmallScreen, useVisible } from './lib/media.js';
import { Failed } from './conversation/notices.js';
import { useObservable } from './lib/observable.js';
import { usePart } from './parts.js';
import type { Picture } from '../../headless/picture.js';

export interface PanelProps {
  host: Host;
  client: CoreClient;
  strings: Strings;
  isOpen: boolean;
  takesFocus: boolean;
  /** Why the chat could not be opened. */
  failure?: VisitorError;
  openChat: (options?: { chatId?: string; isNew?: boolean }) => void;
  /** Whether the greeting is shown beside the closed button. */
  isGreeting: boolean;
  /** Whether it is not known yet if the visitor has an open chat. */
  isResuming: boolean;
}

/** The whole panel. It covers the page on a small screen only. */
export function PanelView(props: PanelProps) {
  const { host, client, strings, isOpen, takesFocus, failure, isGreeting, isResuming, openChat } = props;
  const { settings, chosen } = host;
  const [picture, enlarge] = useState<Picture>();
  const formats = useMemo(() => createFormats(settings.locale, () => nowOf(host, client)), [settings.locale]);
  // Before the hooks that use it.
  setPanel({ host, client, strings, formats, enlarge });
  const panel = useRef<HTMLDivElement>(null);
  const isSmall = useSmallScreen();
  const chat = useObservable(client.chat);
  const connection = useObservable(client.connection);
  const arrived = useArrived(client);
  const unread = useObservable(client.unread);
  const isSeen = useVisible() && isOpen;
  const news = usePart('news', unread > 0 && !isSeen);
  const isRefused = connection.state === 'refused';
  const [isListed, setListed] = useState(false);
  const isListShown = isListed && isOpen;
  const isEnded = !!chat && isOver(chat);
  // The chat begins with the first message, or with a request for a person, which stays shown while the chat is being opened.
  const wasNew = useRef(false);
  const isNew = (wasNew.current = !chat && !isResuming && (wasNew.current || connection.state === 'idle'));
  const isWaiting = isAlone(chat, useObservable(client.messages));
  const extras = usePart('extras', isGreeting || (isOpen && (isEnded || isWaiting || hasExtras(chosen))));
  const chats = usePart('chats', isListShown);
  const media = usePart('media', !!picture);

  const close = useBack(isOpen && isSmall, host.close);
  useFullScreen(panel, isOpen && isSmall);
  useLayoutEffect(() => {
    if (isOpen && takesFocus) focusPanel(panel.current!);
    return () => setListed(false);
  }, [isOpen]);
  useLayoutEffect(() => {
    if (isListShown) return () => focusPanel(panel.current!);
    return undefined;
  }, [isListShown]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab' && isSmall) keepFocus(panel.current!, event);
    if (event.key !== 'Escape' || event.isComposing) return;
    event.stopPropagation();
    if (isListShown) setListed(false);
    else close();
  };

  return (
    <>
      <div
        ref={panel}
        class={`panel ${isOpen ? 'shown' : ''}`}
        role="dialog"
        aria-labelledby="title"
        aria-modal={isSmall}
        onKeyDown={onKeyDown}
      >
        <Header title={settings.title || strings.title} onClose={close} onList={() => setListed(!isListed)} />
        <Banner />
        {isRefused || (failure && !chat) ? (
          <Failed onRetry={() => openChat({})} />
        ) : isListShown && chats ? (
          <chats.Chats onBack={() => setListed(false)} openChat={openChat}>
            {extras && <extras.Person key={chat?.id} onDone={() => setListed(false)} />}
          </chats.Chats>
        ) : (
          <>
            <Conversation
              isOpen={isOpen}
              isNew={isNew}
              greeting={host.proactive?.greeting || settings.greeting || strings.greeting}
              welcome={extras && <extras.Welcome />}
            />
            {extras && <extras.Foot isNew={isNew} isAlone={isWaiting} />}
            {isEnded ? extras && <extras.Ended onStart={() => openChat({ isNew: true })} /> : <Composer />}
          </>
        )}
        <Announcer isOpen={isOpen} />
      </div>
      {isGreeting && extras && <extras.Greeting />}
      {news && <news.News arrived={isSeen ? undefined : arrived} isOpen={isOpen} />}
      {picture && media && <media.Lightbox picture={picture} onClose={() => enlarge(undefined)} />}
    </>
  );
}

/** Whether the organization says or asks something before the first message. */
function hasExtras(chosen: Chosen | undefined): boolean {
  const { consent, privacyUrl, askName, askEmail, formFields, officeHours, hours, questions, personAfter } =
    chosen ?? {};
  const says = consent || privacyUrl || officeHours || hours || questions?.[0];
  return !!(says || askName || askEmail || personAfter != null || formFields?.[0]);
}

/** By the service's clock, or by its newest message if that's later: a proxy may hide the clock. */
function nowOf(host: Host, client: CoreClient): number {
  const newest = Date.parse(client.messages.value.at(-1)?.createdAt ?? '') || 0;
  return Math.max(Date.now() + correctionOf(host), newest);
}

/** The last message of a bot or an agent that has arrived on this page. */
function useArrived(client: CoreClient): Message | undefined {
  const [arrived, setArrived] = useState<Message>();
  useEffect(
    () =>
      client.onMessage((message) => {
        if (message.sender.type === 'BOT' || message.sender.type === 'AGENT') setArrived(message);
      }),
    [client],
  );
  return arrived;
}
