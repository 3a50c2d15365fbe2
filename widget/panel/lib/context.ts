import type { VisitorClient } from '../../client/types.js';
import type { Strings } from '../../locales/en.js';
import type { Host } from '../../types.js';
import type { Formats } from './formats.js';
import type { Picture } from '../../../headless/picture.js';

/** What nearly every component needs. */
export interface Kit {
  host: Host;
  client: VisitorClient;
  strings: Strings;
  formats: Formats;
  /** Shows a picture over the whole page. */
  enlarge: (picture: Picture) => void;
}

let kit: Kit;

/** A variable is enough in the place of a context: a page has one panel, and it renders completely on every change. */
export const provideKit = (next: Kit): Kit => (kit = next);

export const useKit = (): Kit => kit;
