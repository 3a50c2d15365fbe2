import type { VisitorClient } from '../client/types.js';
import type { PanelStrings } from '../locales/en.js';
import type { Formats } from './formats.js';
import type { Picture } from './picture.js';

/** What nearly every part needs. */
export interface Kit {
  client: VisitorClient;
  strings: PanelStrings;
  formats: Formats;
  /** Shows a picture over the whole page. */
  enlarge: (picture: Picture) => void;
}

let kit: Kit;

/** There is one panel to a page, and it draws all of itself when this changes: a context would be of no use. */
export const provideKit = (next: Kit): Kit => (kit = next);

export const useKit = (): Kit => kit;
