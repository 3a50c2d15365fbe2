import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { usePanel } from '../../panel/lib/context.js';
import { useObservable } from '../../panel/lib/observable.js';
import { MAX_FILES } from '../../../headless/files/tray.js';
import { ChosenFile } from '../../../headless/files/view/chosen-file.js';
import chosen from '../../../headless/files/view/chosen.css?inline';
import { useKit } from '../files/kit.js';
import { Chooser } from './chooser.js';
import { Recorder } from './recorder-view.js';
import own from './styles.css?inline';
import { type Submit, trayOf } from './tray.js';

export const styles = chosen + own;

interface TrayProps {
  /** Files to take; `give` sets them. */
  given: readonly File[];
  give: (files: readonly File[]) => void;
  /** Whether the visitor chooses a way to add one. */
  isAdding: boolean;
  add: (isAdding: boolean) => void;
  mayUpload: boolean;
  setHasFiles: (hasFiles: boolean) => void;
  submit: { current: Submit | null };
}

/** Above the field: the ways to add a file, and the files of the draft, which are uploaded immediately. */
export function Tray({ given, give, isAdding, add, mayUpload, setHasFiles, submit }: TrayProps) {
  const { host, client } = usePanel();
  const kit = useKit();
  const { words } = kit;
  const place = useRef<HTMLDivElement>(null);
  const tray = trayOf(client);
  const items = useObservable(tray.items);
  const [isRecording, record] = useState(false);
  const [notice, say] = useState('');
  // The visitor sent the draft before everything was uploaded.
  const [isDue, setDue] = useState(false);
  const maxSize = (client.chat.value ?? host.chosen)?.visitorUploads?.maxSize ?? Infinity;
  const isUploading = items.some((item) => item.state === 'waiting' || item.state === 'uploading');

  const take = (files: readonly File[]) => {
    setDue(false);
    const tooMany = tray.add(files, maxSize) > 0;
    say(tooMany && words ? fill(words.tooMany, { count: MAX_FILES }) : '');
    add(false);
  };
  useEffect(() => {
    if (!given[0] || !words) return;
    give([]);
    take(given);
  }, [given, !words]);
  useLayoutEffect(() => setHasFiles(items.length > 0), [items.length > 0]);
  useLayoutEffect(() => {
    const form = place.current?.closest('form');
    // What is written after it isn't part of it.
    const hold = () => setDue(false);
    form?.addEventListener('input', hold);
    return () => form?.removeEventListener('input', hold);
  }, [!words]);
  useEffect(() => {
    if (!isDue || isUploading) return;
    setDue(false);
    place.current?.closest('form')?.requestSubmit();
  }, [isDue, isUploading]);
  submit.current = (text) => {
    const files = tray.take();
    // A failure is shown with the message, which stays in `pending`.
    if (files) client.send(text, { files }).catch(() => undefined);
    const isHeld = !files && tray.items.value.some((item) => item.state === 'failed');
    setDue(!files && !isHeld);
    say(isHeld && words ? words.held : '');
    return !!files;
  };

  if (!words) return null;
  const isStuck = isUploading && !kit.isOnline;
  const hasVideo = items.some(({ type }) => type.startsWith('video/'));
  const news = notice || (isStuck && words.lost) || (isDue && words.waits) || (hasVideo && words.video);
  return (
    <div class="tray" ref={place}>
      {isAdding && mayUpload && !isRecording && (
        <Chooser words={words} onFiles={take} onRecord={() => record(true)} onClose={() => add(false)} />
      )}
      {isRecording && (
        <Recorder
          words={words}
          onDone={(file) => {
            record(false);
            if (file) take([file]);
            else add(false);
          }}
          onFailure={() => {
            record(false);
            add(false);
            say(words.noMicrophone);
          }}
        />
      )}
      {items[0] && (
        <ul class="chosen-files" aria-label={words.attached}>
          {items.map((item) => (
            <ChosenFile key={item.key} item={item} tray={tray} kit={kit} words={words} maxSize={maxSize} />
          ))}
        </ul>
      )}
      <p class={news ? 'count' : 'hidden'} role="status">
        {news}
      </p>
    </div>
  );
}
