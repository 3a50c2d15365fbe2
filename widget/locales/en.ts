const close = 'Close chat';

/** The texts of the button. Two objects, so that the launcher and the panel each bundle their own texts only. */
export const launcherStrings = {
  open: 'Open chat',
  openUnread: 'Open chat ({count} unread)',
  loadFailed: 'Chat could not be loaded. Try again',
  close,
};

/** The texts of the panel, with placeholders such as `{name}`. */
export const panelStrings = {
  close,
  title: 'Chat with us',
  greeting: 'Hi there! How can we help?',
  connecting: 'Connecting…',
  reconnecting: 'Reconnecting…',
  waiting: 'You are now waiting for {groupName}',
  talking: 'You are talking to {name}',
  messages: 'Messages',
  newMessages: 'New messages',
  typing: '{name} is typing',
  you: 'You',
  team: 'Support',
  bot: 'Bot',
  sending: 'Sending…',
  sent: 'Sent',
  seen: 'Seen',
  notSent: 'Not sent',
  offerOver: 'Not sent: this choice has ended',
  retry: 'Retry',
  discard: 'Delete',
  write: 'Write a message…',
  message: 'Message',
  deleted: 'Message deleted',
  send: 'Send message',
  preview: 'We can see what you write before you send it',
  count: '{count} / {limit}',
  tooLong: 'Please shorten it, or send it in parts',
  image: 'Image',
  imageFailed: 'The image could not be loaded:',
  closeImage: 'Close image',
  chosen: 'chosen',
  ended: 'This chat has ended',
  startAgain: 'Start again',
  failed: 'The chat is not available just now',
  tryAgain: 'Try again',
};

/** Every text of the widget; a site may replace any of them. */
export type Strings = typeof launcherStrings & typeof panelStrings;
export type PanelStrings = typeof panelStrings;
