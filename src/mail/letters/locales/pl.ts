import type { Words } from '../words.js';

/** The words in Polish. */
export const pl: Words = {
  testSubject: 'Wiadomość testowa od {name}',
  testText: 'Ta wiadomość pokazuje, że Parley może wysyłać e-maile dla {name}.',
  invitationSubject: 'Zaproszenie do {name}',
  invitationText: 'Możesz odpowiadać na czaty {name}. Zaloguj się tym linkiem:',
  invitationButton: 'Zaloguj się',
  invitationEnd: 'Link działa raz, przez 72 godziny.',
  resetSubject: 'Nowe hasło do {name}',
  resetText: 'Poproszono o nowe hasło dla tego adresu w {name}. Wybierz je tym linkiem:',
  resetButton: 'Wybierz hasło',
  resetEnd: 'Link działa raz, przez godzinę. Jeśli to nie Ty, zignoruj tę wiadomość.',
  chatSubject: 'Twój czat z {name}',
  missedText: '{name} – odpowiedź podczas Twojej nieobecności:',
  missedUnverified: 'W czacie z {name} jest odpowiedź dla Ciebie. Otwórz czat, aby ją przeczytać.',
  more: '… i jeszcze {count}',
  earlier: 'Wcześniej',
  you: 'Ty',
  openChat: 'Otwórz czat',
  linkEnd: 'Link jest ważny 72 godziny.',
  notYou: 'Jeśli to nie Ty pisałeś do {name}, otwórz link i wybierz „To nie ja”.',
  unsubscribe: 'Wypisz się',
  unsubscribeAsk: 'Nie wysyłać na ten adres e-maili o pominiętych odpowiedziach od {name}?',
  unsubscribed: 'Nie będziesz już dostawać tych e-maili.',
};
