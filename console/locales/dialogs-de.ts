import type { DialogStrings } from './dialogs-en.js';

/** The texts of dialogs and details that aren't part of the first load, in German. */
export const de: DialogStrings = {
  quote: 'Zitieren',
  deleteMessage: 'Nachricht löschen',
  deleteMessageTitle: 'Diese Nachricht löschen?',
  deleteMessageHint:
    'Der Besucher sieht stattdessen „Nachricht gelöscht“. Das lässt sich nicht rückgängig machen, und vielleicht hat er sie schon gelesen.',
  showMail: 'Ganze E-Mail zeigen',
  wholeMail: 'Die ganze E-Mail',
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
  push: {
    title: 'Benachrichtigungen',
    hint: 'Dieser Browser kann Sie benachrichtigen, solange auf keinem Ihrer Geräte eine Seite von Parley zu sehen ist, auch wenn Parley geschlossen ist.',
    turnOn: 'In diesem Browser einschalten',
    turnOff: 'In diesem Browser ausschalten',
    isOn: 'Benachrichtigungen sind in diesem Browser eingeschaltet.',
    denied:
      'Ihr Browser blockiert Benachrichtigungen dieser Seite. Erlauben Sie sie in seinen Einstellungen für diese Website.',
    unsupported: 'Dieser Browser kann hier keine Benachrichtigungen empfangen.',
    addToHome:
      'Fügen Sie Parley zum Home-Bildschirm hinzu und öffnen Sie es von dort, um Benachrichtigungen einzuschalten.',
    kinds: 'Benachrichtigen bei',
    kind: {
      offer: 'Chats, die mir angeboten werden',
      assignment: 'Chats, die mir zugewiesen werden',
      mention: 'Notizen, die mich erwähnen',
      message: 'Nachrichten in meinen Chats',
    },
    sound: 'Ton abspielen',
    quiet: 'Ruhezeit',
    from: 'Von',
    to: 'Bis',
    allDevices: 'Diese Einstellungen gelten für alle Ihre Geräte.',
    sameTimes: 'Die Ruhezeit muss zu einer anderen Zeit enden, als sie beginnt.',
  },
};
