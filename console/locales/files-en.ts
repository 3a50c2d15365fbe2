/** The console's own texts about files, in English. Others are in `headless/file-words`. */
export const en = {
  dropIntoMessage: 'Drop files into your reply to {name}',
  dropIntoNote: 'Drop files into a note for colleagues',
  noteNeedsWords: 'Write a few words to add these files as a note',
  notHere: "Files can't be sent in this chat",
  ended: 'This chat has ended',
};

export type ConsoleFileWords = typeof en;
