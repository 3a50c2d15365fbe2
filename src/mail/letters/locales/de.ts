import type { Words } from '../words.js';

/** The words in German. */
export const de: Words = {
  testSubject: 'Test-Mail von {name}',
  testText: 'Diese Mail zeigt, dass Parley für {name} E-Mails senden kann.',
  invitationSubject: 'Ihre Einladung zu {name}',
  invitationText: 'Sie können die Chats von {name} beantworten. Melden Sie sich mit diesem Link an:',
  invitationButton: 'Anmelden',
  invitationEnd: 'Der Link gilt einmal, 72 Stunden lang.',
  resetSubject: 'Neues Passwort für {name}',
  resetText: 'Für diese Adresse wurde bei {name} ein neues Passwort angefordert. Mit diesem Link wählen Sie eines:',
  resetButton: 'Passwort wählen',
  resetEnd: 'Der Link gilt einmal, eine Stunde lang. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Mail.',
  chatSubject: 'Ihr Chat mit {name}',
  missedText: '{name} hat geantwortet, während Sie weg waren:',
  missedUnverified: 'In Ihrem Chat mit {name} gibt es eine Antwort. Öffnen Sie den Chat, um sie zu lesen.',
  more: '… und {count} weitere',
  earlier: 'Davor',
  you: 'Sie',
  openChat: 'Chat öffnen',
  linkEnd: 'Der Link gilt 72 Stunden.',
  notYou: 'Wenn Sie {name} nicht geschrieben haben, öffnen Sie den Link und wählen Sie „Das bin ich nicht“.',
  unsubscribe: 'Abbestellen',
  unsubscribeAsk: 'Keine E-Mails mehr über verpasste Antworten von {name} an diese Adresse?',
  unsubscribed: 'Sie bekommen diese E-Mails nicht mehr.',
};
