import type { Words } from '../words.js';

/** The words in Dutch. */
export const nl: Words = {
  testSubject: 'Testmail van {name}',
  testText: 'Deze mail laat zien dat Parley e-mails voor {name} kan versturen.',
  invitationSubject: 'Uw uitnodiging voor {name}',
  invitationText: 'U kunt de chats van {name} beantwoorden. Meld u aan met deze link:',
  invitationButton: 'Aanmelden',
  invitationEnd: 'De link werkt één keer, 72 uur lang.',
  resetSubject: 'Nieuw wachtwoord voor {name}',
  resetText: 'Voor dit adres is bij {name} een nieuw wachtwoord aangevraagd. Kies er een met deze link:',
  resetButton: 'Wachtwoord kiezen',
  resetEnd: 'De link werkt één keer, één uur lang. Hebt u dit niet aangevraagd, negeer dan deze mail.',
  chatSubject: 'Uw chat met {name}',
  missedText: '{name} heeft geantwoord terwijl u weg was:',
  missedUnverified: 'Er is een antwoord in uw chat met {name}. Open de chat om het te lezen.',
  more: '… en nog {count}',
  earlier: 'Daarvoor',
  you: 'U',
  openChat: 'Chat openen',
  linkEnd: 'De link is 72 uur geldig.',
  notYou: 'Hebt u {name} niet geschreven, open dan de link en kies ‘Dit ben ik niet’.',
  unsubscribe: 'Afmelden',
  unsubscribeAsk: 'Geen e-mails meer over gemiste antwoorden van {name} naar dit adres?',
  unsubscribed: 'U krijgt deze e-mails niet meer.',
};
