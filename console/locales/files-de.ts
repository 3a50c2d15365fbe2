import type { ConsoleFileWords } from './files-en.js';

/** The console's own texts about files, in German. */
export const de: ConsoleFileWords = {
  dropIntoMessage: 'Dateien hier in Ihre Antwort an {name} ablegen',
  dropIntoNote: 'Dateien hier in eine Notiz für das Team ablegen',
  noteNeedsWords: 'Schreiben Sie ein paar Worte, um diese Dateien als Notiz hinzuzufügen',
  notHere: 'In diesem Chat können keine Dateien gesendet werden',
  ended: 'Dieser Chat ist beendet',
  deleteTitle: 'Diese Notiz mit ihren Dateien löschen?',
  deleteHint: 'Das lässt sich nicht rückgängig machen.',
  notReady: 'Warten Sie, bis die Dateien hochgeladen sind, und entfernen Sie fehlgeschlagene.',
  writing: {
    emoji: 'Emoji',
    format: 'Format',
    bold: 'Fett',
    italic: 'Kursiv',
    code: 'Code',
    list: 'Liste',
    link: 'Link',
  },
};
