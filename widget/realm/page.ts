import type { RealmFrame } from './realm.js';

/** The window of the page, also for code that runs in the frame of `realm.ts`. The build replaces the globals with these. */
const page = (self.frameElement as RealmFrame | null)?.parley ? parent : self;

export const { document, history, location, navigator } = page;
