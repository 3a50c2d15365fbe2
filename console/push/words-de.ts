import type { PushWords } from './words-en.js';

/** The texts of push notifications' settings, in German. */
export const de: PushWords = {
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
};
