/** The texts about e-mails of a chat, in English. */
export const en = {
  mailsTitle: 'E-mails to check',
  mailsHint:
    'Nothing proves who wrote these. Accept one only if you know that it is from the visitor: then it is their message, and bots answer it.',
  mailFrom: 'From {from}, not verified',
  acceptMail: 'Accept as the visitor’s message',
  dropMail: 'Drop',
  mailAccepted: 'It is the visitor’s message now.',
  mailDropped: 'Dropped.',
  mailIsOver: 'A colleague has decided about it.',
  mailWhenAway: 'E-mail me while the console is closed',
  mailWhenAwayHint: 'When a chat is assigned to you, or a note mentions you.',
  sendTranscript: 'Send transcript',
  sendTranscriptHint: 'All messages of this chat, to {email}',
  transcriptSent: 'The transcript goes to {email}.',
  bounced: 'E-mails to this address came back',
  unsubscribed: 'Gets no e-mails: unsubscribed',
  resubscribe: 'Asked for e-mails again',
  resubscribeTitle: 'Send {name} e-mails again?',
  resubscribeHint: 'Only if the visitor asked you for it. It is in the audit log.',
  resubscribeNow: 'They asked for it',
  resubscribed: '{name} gets e-mails again.',
};

export type MailStrings = typeof en;
