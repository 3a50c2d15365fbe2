import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { VisitorClient } from '../client/types.js';
import type { Strings } from '../types.js';
import type { Formats } from './formats.js';
import type { Picture } from './picture.js';

/** What nearly every part needs. */
export interface Kit {
  client: VisitorClient;
  strings: Strings;
  formats: Formats;
  /** Shows a picture over the whole page. */
  enlarge: (picture: Picture) => void;
}

export const KitContext = createContext<Kit>(null as never);

export const useKit = (): Kit => useContext(KitContext);
