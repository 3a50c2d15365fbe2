/** The console's own texts about files and the composer's tools, in English. Others are in `headless/file-words`. */
export const en = {
  dropIntoMessage: 'Drop files into your reply to {name}',
  dropIntoNote: 'Drop files into a note for colleagues',
  noteNeedsWords: 'Write a few words to add these files as a note',
  notHere: "Files can't be sent in this chat",
  ended: 'This chat has ended',
  deleteTitle: 'Delete this note and its files?',
  deleteHint: "You can't undo this.",
  notReady: 'Wait for the uploads to finish, and remove failed files.',
  writing: {
    emoji: 'Emoji',
    format: 'Format',
    bold: 'Bold',
    italic: 'Italic',
    code: 'Code',
    list: 'List',
    link: 'Link',
  },
};

export type ConsoleFileWords = typeof en;
