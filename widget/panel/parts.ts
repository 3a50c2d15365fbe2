import { Fragment, h } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type * as extras from '../parts/extras/extras.js';
import type * as markdown from '../parts/markdown/markdown.js';
import type { Host } from '../types.js';
import { focusPanel } from './focus.js';
import { Icon } from './icon.js';
import { useKit } from './kit.js';
import { useObservable } from './observable.js';
import { Linked, Sentence } from './rich.js';
import { isOver } from './header.js';
import { recall, remember } from './tab-storage.js';

/** The file names of the parts, which the build inserts: they contain a hash of the content. */
declare const __EXTRAS__: string;
declare const __MARKDOWN__: string;

/** The parts of the panel that are loaded when they are needed: each is a folder of `widget/parts`. */
interface Parts {
  extras: typeof extras;
  markdown: typeof markdown;
}

/** What the parts take from the panel. The build leaves the modules of these out of the parts: `SHARED` in scripts/build-widget.mjs. */
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
  useKit,
  useObservable,
  Linked,
  Sentence,
  isOver,
  recall,
  remember,
};

const FILES: Record<keyof Parts, string> = { extras: __EXTRAS__, markdown: __MARKDOWN__ };
const loaded: Partial<Parts> = {};

/** Returns a part once it is loaded, and renders again then; undefined while it is not, or when it cannot be loaded. */
export function usePart<K extends keyof Parts>(name: K, isNeeded = true): Parts[K] | undefined {
  const { host } = useKit();
  const [, setLoaded] = useState(false);
  useEffect(() => {
    if (isNeeded && !loaded[name]) {
      load(name, host).then(
        () => setLoaded(true),
        () => undefined,
      );
    }
  }, [isNeeded]);
  return loaded[name];
}

async function load<K extends keyof Parts>(name: K, host: Host): Promise<void> {
  const { default: make } = await host.load<{ default: (given: typeof shared) => Parts[K] }>(FILES[name]);
  if (loaded[name]) return;
  loaded[name] = make(shared);
  host.addStyles(loaded[name].styles);
}
