import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { focusTitle } from './lib/focus.js';
import { Icon } from './icon.js';
import { usePart } from './parts.js';
import type { Submit } from '../parts/uploads/tray.js';
import { usePanel } from './lib/context.js';
import { useObservable } from './lib/observable.js';
import { recall, remember } from './lib/tab-storage.js';

/** The longest message that the service accepts, in code points. */
const LIMIT = 5_000;
/** From this length on the count is shown. */
const COUNT_FROM = LIMIT - 500;

/** Where the visitor writes. A draft stays in the tab: when the panel is closed, when the chat ends, and on other pages. */
export function Composer() {
  const { host, client, strings } = usePanel();
  const [draft, setDraft] = useState(() => recall('draft'));
  const field = useRef<HTMLTextAreaElement>(null);
  const length = draft.length > COUNT_FROM ? [...draft.trim()].length : draft.length;
  const chat = useObservable(client.chat);
  const mayUpload = !!(chat ?? host.chosen)?.visitorUploads;
  const isTooLong = length > LIMIT;
  // The files that the visitor has chosen, for the part that's loaded when it's needed.
  const [given, give] = useState<readonly File[]>([]);
  const [isAdding, add] = useState(false);
  const [hasFiles, setHasFiles] = useState(false);
  const submit = useRef<Submit>(null);
  // Without a connection it can't be loaded: files wait for it.
  const isOnline = useObservable(client.connection, ({ state }) => state !== 'offline');
  const uploads = usePart('uploads', isOnline && (isAdding || !!given[0] || !!recall('files')));
  // So that the message shows them immediately, even without a connection.
  usePart('files', hasFiles);
  const isSendable = (!!draft.trim() || hasFiles) && !isTooLong;

  useGrowth(field, draft);
  // The launcher reports a file that was dropped or pasted.
  const [hasFile, setFile] = useState(false);
  useLayoutEffect(() => {
    const root = field.current!.getRootNode();
    const take = (event: Event) =>
      mayUpload ? give((before) => [...before, ...(event as CustomEvent<FileList>).detail]) : setFile(true);
    const prefill = () => setDraft(recall('draft'));
    root.addEventListener('files', take);
    root.addEventListener('draft', prefill);
    return () => {
      root.removeEventListener('files', take);
      root.removeEventListener('draft', prefill);
    };
  }, [mayUpload]);
  // The chat may end while the visitor writes.
  useLayoutEffect(() => {
    const { parentElement: place } = field.current!;
    return () => place!.contains((place!.getRootNode() as ShadowRoot).activeElement) && focusTitle(place!);
  }, []);
  const write = (text: string) => {
    setDraft(text);
    setFile(false);
    remember('draft', text);
    client.setTyping(!!text.trim(), text);
  };
  const send = (event: Event) => {
    event.preventDefault();
    if (!isSendable) return;
    // A failure is shown with the message, which stays in `pending`.
    if (!hasFiles) client.send(draft.trim()).catch(() => undefined);
    else if (!submit.current!(draft.trim())) return;
    write('');
    field.current!.focus();
  };

  return (
    <form class="composer" onSubmit={send}>
      {uploads && (
        <uploads.Tray
          given={given}
          give={give}
          isAdding={isAdding}
          add={add}
          mayUpload={mayUpload}
          setHasFiles={setHasFiles}
          submit={submit}
        />
      )}
      <div class="field">
        {mayUpload && (
          <button
            type="button"
            class="round close"
            aria-label={strings.attach}
            aria-expanded={isAdding}
            onClick={() => add(!isAdding)}
          >
            <Icon name="clip" />
          </button>
        )}
        <textarea
          ref={field}
          rows={1}
          // An empty field has no direction of its own: `auto` would make it left-to-right.
          dir={draft ? 'auto' : undefined}
          value={draft}
          placeholder={strings.write}
          aria-label={strings.message}
          aria-invalid={isTooLong}
          enterkeyhint="send"
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => isSendKey(event) && send(event)}
          onBlur={() => client.setTyping(false)}
        />
        <button type="submit" class="round send" aria-label={strings.send} disabled={!isSendable}>
          <Icon name="send" />
        </button>
      </div>
      {hasFile && (
        <p class="count" role="status">
          {strings.noFiles}
        </p>
      )}
      {chat?.typingPreview && <p class="count">{strings.preview}</p>}
      {length > COUNT_FROM && <Count length={length} />}
    </form>
  );
}

function Count({ length }: { length: number }) {
  const { strings } = usePanel();
  return (
    <p class={`count ${length > LIMIT ? 'over' : ''}`} role="status">
      {fill(strings.count, { count: length, limit: LIMIT })}
      {length > LIMIT && ` · ${strings.tooLong}`}
    </p>
  );
}

/** Enter without Shift, unless it ends the composition of a word. Safari signals that by key code 229. */
function isSendKey({ key, shiftKey, isComposing, keyCode }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !isComposing && keyCode !== 229;
}

/** Makes the field as high as its text. */
function useGrowth(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const { style } = field.current!;
    style.height = 'auto';
    // Without a text it has its one row; to measure that would lay out everything.
    if (text) style.height = `${field.current!.scrollHeight}px`;
  }, [text]);
}
