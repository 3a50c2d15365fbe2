import type { MailStrings } from './mail-en.js';

/** The texts about e-mails of a chat, in German. */
export const de: MailStrings = {
  mailsTitle: 'E-Mails zum Prüfen',
  mailsHint:
    'Nichts belegt, wer sie geschrieben hat. Nehmen Sie eine nur an, wenn Sie wissen, dass sie von der Person im Chat ist: Dann ist sie deren Nachricht, und Bots antworten darauf.',
  mailFrom: 'Von {from}, nicht bestätigt',
  acceptMail: 'Als Nachricht annehmen',
  dropMail: 'Verwerfen',
  mailAccepted: 'Sie ist jetzt eine Nachricht im Chat.',
  mailDropped: 'Verworfen.',
  mailIsOver: 'Jemand anderes hat darüber entschieden.',
  mailWhenAway: 'E-Mails an mich, solange die Konsole zu ist',
  mailWhenAwayHint: 'Wenn Ihnen ein Chat zugewiesen wird oder eine Notiz Sie erwähnt.',
  sendTranscript: 'Chatverlauf senden',
  sendTranscriptHint: 'Alle Nachrichten dieses Chats, an {email}',
  transcriptSent: 'Der Chatverlauf geht an {email}.',
  bounced: 'E-Mails an diese Adresse kamen zurück',
  unsubscribed: 'Bekommt keine E-Mails: abbestellt',
  resubscribe: 'Möchte wieder E-Mails',
  resubscribeTitle: 'Wieder E-Mails an {name} senden?',
  resubscribeHint: 'Nur, wenn Sie darum gebeten wurden. Es steht im Protokoll.',
  resubscribeNow: 'Wurde gewünscht',
  resubscribed: '{name} bekommt wieder E-Mails.',
};
