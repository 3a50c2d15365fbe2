import type { PushWords } from './words-en.js';

/** The texts of push notifications' settings, in German. */
export const de: PushWords = {
  title: 'Benachrichtigungen',
  hint: 'Dieser Browser kann dich benachrichtigen, solange auf keinem deiner Geräte eine Seite von Parley zu sehen ist, auch wenn Parley geschlossen ist.',
  turnOn: 'In diesem Browser einschalten',
  turnOff: 'In diesem Browser ausschalten',
  isOn: 'Benachrichtigungen sind in diesem Browser eingeschaltet.',
  denied:
    'Dein Browser blockiert Benachrichtigungen dieser Seite. Erlaube sie in seinen Einstellungen für diese Website.',
  unsupported: 'Dieser Browser kann hier keine Benachrichtigungen empfangen.',
  addToHome: 'Füge Parley zum Home-Bildschirm hinzu und öffne es von dort, um Benachrichtigungen einzuschalten.',
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
  allDevices: 'Diese Einstellungen gelten für alle deine Geräte.',
  sameTimes: 'Die Ruhezeit muss zu einer anderen Zeit enden, als sie beginnt.',
};
