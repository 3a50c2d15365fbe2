import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { VisitorClient, VisitorError } from '../client/types.js';
import type { Strings } from '../locales/en.js';
import type { Host } from '../types.js';
import { Announcer } from './announcer.js';
import { Banner } from './banner.js';
import { Composer } from './composer.js';
import { Conversation } from './conversation.js';
import { focusPanel, keepFocus } from './focus.js';
import { createFormats } from './formats.js';
import { Header, isOver } from './header.js';
import { provideKit } from './kit.js';
import { useFullScreen, useSmallScreen } from './media.js';
import { Ended, Failed } from './notices.js';
import { useObservable } from './observable.js';
import { usePart } from './parts.js';
import type { Picture } from '../../headless/picture.js';

export interface PanelProps {
  host: Host;
  client: VisitorClient;
  strings: Strings;
  isOpen: boolean;
  takesFocus: boolean;
  /** Why the chat could not be opened. */
  failure?: VisitorError;
  /** Whether the greeting is shown beside the closed button. */
  isGreeting: boolean;
  openChat: (options?: { isNew: boolean }) => void;
}

/** The whole panel. It covers the page on a small screen only. */
export function PanelView(props: PanelProps) {
  const { host, client, strings, isOpen, takesFocus, failure, isGreeting, openChat } = props;
  const { settings, close, chosen } = host;
  const panel = useRef<HTMLDivElement>(null);
  const [picture, enlarge] = useState<Picture>();
  const isSmall = useSmallScreen();
  const chat = useObservable(client.chat);
  const connection = useObservable(client.connection);
  const isRefused = connection.state === 'refused';
  const formats = useMemo(() => createFormats(settings.locale), [settings.locale]);
  provideKit({ host, client, strings, formats, enlarge });
  const extras = usePart('extras', !!(picture || isGreeting || (isOpen && chosen)));

  useFullScreen(panel, isOpen && isSmall);
  useLayoutEffect(() => {
    if (isOpen && takesFocus) focusPanel(panel.current!);
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab' && isSmall) keepFocus(panel.current!, event);
    if (event.key !== 'Escape' || event.isComposing) return;
    event.stopPropagation();
    close();
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
        <Header title={settings.title || strings.title} onClose={close} />
        <Banner />
        {isRefused || (failure && !chat) ? (
          <Failed onRetry={() => openChat()} />
        ) : (
          <>
            <Conversation
              isOpen={isOpen}
              greeting={settings.greeting || strings.greeting}
              welcome={extras && <extras.Welcome />}
            />
            {extras && <extras.Foot />}
            {chat && isOver(chat) ? <Ended onStart={() => openChat({ isNew: true })} /> : <Composer />}
          </>
        )}
        <Announcer isOpen={isOpen} />
      </div>
      {isGreeting && extras && <extras.Greeting />}
      {picture && extras && <extras.Lightbox picture={picture} onClose={() => enlarge(undefined)} />}
    </>
  );
}
