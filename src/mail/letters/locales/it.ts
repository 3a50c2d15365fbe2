import type { Words } from '../words.js';

/** The words in Italian. */
export const it: Words = {
  testSubject: 'Mail di prova di {name}',
  testText: 'Questa mail mostra che Parley può inviare e-mail per {name}.',
  invitationSubject: 'Il tuo invito a {name}',
  invitationText: 'Puoi rispondere alle chat di {name}. Accedi con questo link:',
  invitationButton: 'Accedi',
  invitationEnd: 'Il link funziona una volta, per 72 ore.',
  resetSubject: 'Reimposta la password di {name}',
  resetText: 'È stata chiesta una nuova password per questo indirizzo su {name}. Sceglila con questo link:',
  resetButton: 'Scegli la password',
  resetEnd: 'Il link funziona una volta, per un’ora. Se non l’hai chiesto tu, ignora questa mail.',
  chatSubject: 'La tua chat con {name}',
  missedText: '{name} ha risposto mentre eri via:',
  missedUnverified: 'C’è una risposta nella tua chat con {name}. Apri la chat per leggerla.',
  more: '… e altri {count}',
  earlier: 'Prima',
  you: 'Tu',
  openChat: 'Apri la chat',
  linkEnd: 'Il link è valido per 72 ore.',
  notYou: 'Se non hai scritto a {name}, apri il link e scegli «Non sono io».',
  unsubscribe: 'Annulla l’iscrizione',
  unsubscribeAsk: 'Non ricevere più a questo indirizzo e-mail sulle risposte perse di {name}?',
  unsubscribed: 'Non riceverai più queste e-mail.',
};
