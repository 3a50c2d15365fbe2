import { Fragment, h } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type * as answers from '../parts/answers/answers.js';
import type * as chats from '../parts/chats/chats.js';
import type * as choices from '../parts/choices/choices.js';
import type * as extras from '../parts/extras/extras.js';
import type * as files from '../parts/files/files.js';
import type * as fold from '../parts/fold/fold.js';
import type * as media from '../parts/media/media.js';
import type * as markdown from '../parts/markdown/markdown.js';
import type * as news from '../parts/news/news.js';
import type * as offers from '../parts/offers/offers.js';
import type * as thumbs from '../parts/thumbs/thumbs.js';
import type * as uploads from '../parts/uploads/uploads.js';
import type { Host } from '../types.js';
import { backoff } from '../../headless/backoff.js';
import { hasCode, RequestError, toFailure } from '../../headless/errors.js';
import { focusPanel } from './lib/focus.js';
import { Icon } from './icon.js';
import { usePanel } from './lib/context.js';
import { useObservable } from './lib/observable.js';
import { Linked, Sentence } from './rich.js';
import { isOver } from './header.js';
import { recall, remember } from './lib/tab-storage.js';

/** The file names of the parts, which the build inserts: they contain a hash of the content. */
declare const __ANSWERS__: string;
declare const __CHATS__: string;
declare const __CHOICES__: string;
declare const __EXTRAS__: string;
declare const __FILES__: string;
declare const __FOLD__: string;
declare const __MEDIA__: string;
declare const __MARKDOWN__: string;
declare const __NEWS__: string;
declare const __OFFERS__: string;
declare const __THUMBS__: string;
declare const __UPLOADS__: string;

/** The parts of the panel that are loaded when they are needed: each is a folder of `widget/parts`. */
interface Parts {
  answers: typeof answers;
  chats: typeof chats;
  choices: typeof choices;
  extras: typeof extras;
  files: typeof files;
  fold: typeof fold;
  media: typeof media;
  markdown: typeof markdown;
  news: typeof news;
  offers: typeof offers;
  thumbs: typeof thumbs;
  uploads: typeof uploads;
}

/**
 * What the parts take from the panel. It only grows: a page that was open during an upgrade loads parts of the next release. The build leaves the modules of these out of the parts: `SHARED` in scripts/build-widget.mjs.
 */
const shared = {
  h,
  Fragment,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  focusPanel,
  Icon,
  usePanel,
  usePart,
  useObservable,
  Linked,
  Sentence,
  isOver,
  recall,
  remember,
  // An error of the panel is an instance of its own class.
  RequestError,
  hasCode,
  toFailure,
};

const FILES: Record<keyof Parts, string> = {
  answers: __ANSWERS__,
  chats: __CHATS__,
  choices: __CHOICES__,
  extras: __EXTRAS__,
  files: __FILES__,
  fold: __FOLD__,
  media: __MEDIA__,
  markdown: __MARKDOWN__,
  news: __NEWS__,
  offers: __OFFERS__,
  thumbs: __THUMBS__,
  uploads: __UPLOADS__,
};
const loaded: Partial<Parts> = {};

/** Returns a part once it is loaded, and renders again then; undefined while it is not. What is needed is tried again after a failure. */
export function usePart<K extends keyof Parts>(name: K, isNeeded = true): Parts[K] | undefined {
  const { host } = usePanel();
  const [tries, setTries] = useState(0);
  const part = loaded[name];
  useEffect(() => {
    // Another component may have loaded it since this one was rendered without it.
    if (isNeeded && !part) {
      load(name, host).then(
        () => setTries(-1),
        () => setTimeout(setTries, backoff(tries), tries + 1),
      );
    }
  }, [isNeeded, tries]);
  return part;
}

async function load<K extends keyof Parts>(name: K, host: Host): Promise<void> {
  const { default: make } = await host.load<{ default: (given: typeof shared) => Parts[K] }>(FILES[name]);
  if (loaded[name]) return;
  loaded[name] = make(shared);
  host.addStyles(loaded[name].styles);
}
