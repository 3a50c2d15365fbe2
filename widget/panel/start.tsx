import { render } from 'preact';
import { createVisitorClient } from '../client.js';
import type { VisitorError } from '../client/types.js';
import type { Host, Panel } from '../types.js';
import { PanelView } from './panel.js';
import styles from './styles.css?inline';

/** Puts the panel, closed, into the launcher's element, and goes on with the chat when there is one. */
export function start(host: Host): Panel {
  const { url, widgetKey, identity } = host;
  const client = createVisitorClient({ url, widgetKey, identity, visitor: host.settings.visitor });
  let isOpen = false;
  let takesFocus = false;
  let isOpening = false;
  let failure: VisitorError | undefined;

  const draw = () =>
    render(
      <PanelView
        client={client}
        settings={host.settings}
        isOpen={isOpen}
        takesFocus={takesFocus}
        failure={failure}
        onClose={host.close}
        openChat={(options) => void openChat(options)}
      />,
      host.mount,
    );
  const openChat = async (options?: { isNew: boolean }) => {
    isOpening = true;
    failure = undefined;
    draw();
    try {
      await client.openChat(options);
    } catch (error) {
      const reason = error as VisitorError;
      // Who logs out has changed their mind; that is no failure.
      if (reason.code !== 'interrupted') host.emit('error', (failure = reason));
    }
    isOpening = false;
    draw();
  };
  const openOnce = () => {
    if (!client.chat.value && !isOpening) void openChat();
  };

  host.addStyles(styles);
  client.onMessage((message) => host.emit('message', message));
  client.unread.subscribe((count) => host.emit('unread', count));
  client.connection.subscribe((connection) => {
    host.emit('connection', connection);
    if (connection.state === 'refused' && connection.error) host.emit('error', connection.error);
  });
  draw();
  if (client.hasChat()) openOnce();

  return {
    setOpen(next, focuses) {
      isOpen = next;
      takesFocus = focuses;
      draw();
      if (isOpen) openOnce();
    },
    update: draw,
    async identify(next) {
      await client.identify(next);
      if (isOpen) openOnce();
    },
    send(content) {
      openOnce();
      client.send(content).catch(() => undefined);
    },
  };
}
