/** What the button says before the panel is there; apart, so that the launcher carries nothing else. */
export const launcherStrings = {
  open: 'Open chat',
  openUnread: 'Open chat ({count} unread)',
  close: 'Close chat',
  loadFailed: 'Chat could not be loaded. Try again',
};

/** Every text of the widget. `{name}` and the like are filled in; a site may replace any of them. */
export const en = {
  ...launcherStrings,
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
  sending: 'Sending…',
  sent: 'Sent',
  seen: 'Seen',
  notSent: 'Not sent',
  retry: 'Retry',
  discard: 'Delete',
  write: 'Write a message…',
  message: 'Message',
  send: 'Send message',
  count: '{count} / {limit}',
  image: 'Image',
  imageFailed: 'The image could not be loaded:',
  closeImage: 'Close image',
  chosen: 'chosen',
  ended: 'This chat has ended',
  startAgain: 'Start again',
  failed: 'The chat is not available',
};

export type Strings = typeof en;
