/** The texts of notifications in a language of the console. */
export interface PushWords {
  language: 'en' | 'de';
  visitor: string;
  offer: string;
  assignment: string;
  mention: (author: string) => string;
  message: string;
}

const EN: PushWords = {
  language: 'en',
  visitor: 'Visitor',
  offer: 'Chat offer',
  assignment: 'Assigned to you',
  mention: (author) => `${author} mentioned you`,
  message: 'New message',
};

const DE: PushWords = {
  language: 'de',
  visitor: 'Besucher',
  offer: 'Chat-Angebot',
  assignment: 'Ihnen zugewiesen',
  mention: (author) => `${author} hat Sie erwähnt`,
  message: 'Neue Nachricht',
};

/** The words of a language; English if there are none. */
export function wordsOf(language: string): PushWords {
  return language === 'de' || language.startsWith('de-') ? DE : EN;
}
