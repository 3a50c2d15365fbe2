import type { Words } from '../words.js';

/** The words in English. */
export const en: Words = {
  testSubject: 'Test mail of {name}',
  testText: 'This mail shows that Parley can send e-mails for {name}.',
  invitationSubject: 'Your invitation to {name}',
  invitationText: 'You can answer the chats of {name}. Sign in with this link:',
  invitationButton: 'Sign in',
  invitationEnd: 'The link works once, for 72 hours.',
  resetSubject: 'Reset your password at {name}',
  resetText: 'Someone asked for a new password for this address at {name}. Choose one with this link:',
  resetButton: 'Choose a password',
  resetEnd: "The link works once, for one hour. If you didn't ask for it, you can ignore this mail.",
  chatSubject: 'Your chat with {name}',
  missedText: '{name} answered while you were offline:',
  missedUnverified: "There's an answer for you in your chat with {name}. Open the chat to read it.",
  more: '… and {count} more',
  earlier: 'Before that',
  you: 'You',
  openChat: 'Open the chat',
  linkEnd: 'The link is valid for 72 hours.',
  notYou: "If you didn't write to {name}, open the link and choose “This isn't me”.",
  unsubscribe: 'Unsubscribe',
  unsubscribeAsk: 'Stop e-mails about missed answers of {name} to this address?',
  unsubscribed: 'You no longer get these e-mails.',
};
