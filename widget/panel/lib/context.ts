import type { CoreClient } from '../../client/types.js';
import type { Strings } from '../../locales/en.js';
import type { Host } from '../../types.js';
import type { Formats } from './formats.js';
import type { Picture } from '../../../headless/picture.js';

/** What nearly every component of the panel needs. */
export interface PanelContext {
  host: Host;
  client: CoreClient;
  strings: Strings;
  formats: Formats;
  /** Shows a picture over the whole page. */
  enlarge: (picture: Picture) => void;
}

let panel: PanelContext;

/** A variable instead of a Preact context: a page has one panel, which renders completely on every change. */
export const setPanel = (next: PanelContext): PanelContext => (panel = next);

export const usePanel = (): PanelContext => panel;
