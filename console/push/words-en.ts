/** The texts of push notifications' settings, in English. */
export const en = {
  title: 'Notifications',
  hint: 'This browser can notify you while no Parley page is visible on any of your devices, even when Parley is closed.',
  turnOn: 'Turn on in this browser',
  turnOff: 'Turn off in this browser',
  isOn: 'Notifications are on in this browser.',
  denied: 'Your browser blocks notifications of this page. Allow them in its settings for this site.',
  unsupported: 'This browser can’t receive notifications here.',
  addToHome: 'Add Parley to your home screen, and open it from there to turn on notifications.',
  kinds: 'Notify me of',
  kind: {
    offer: 'Chats that are offered to me',
    assignment: 'Chats that are assigned to me',
    mention: 'Notes that mention me',
    message: 'Messages in my chats',
  },
  sound: 'Play a sound',
  quiet: 'Quiet hours',
  from: 'From',
  to: 'Until',
  allDevices: 'These settings apply to all your devices.',
  sameTimes: 'Quiet hours must end at another time than they begin.',
};

export type PushWords = typeof en;
