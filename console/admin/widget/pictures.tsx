import { useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { basePath } from '../../lib/service.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { type Pictures, put, remove } from '../api.js';
import { explainHere } from '../parts/explain.js';
import { PageSection } from '../parts/page-section.js';
import type { Reading } from '../parts/reading.js';
import { fitPicture } from './fit-picture.js';

type Place = keyof Pictures;

interface PicturesProps {
  reading: Reading<Pictures>;
  widgetKey: string;
}

/** The address of a picture; undefined without one. */
export function addressOf(name: string | null | undefined, widgetKey: string): string | undefined {
  return name ? `${basePath}/api/visitor/widget/pictures/${name}?key=${widgetKey}` : undefined;
}

/** The pictures of the button and of bots. Each is stored when it's chosen. */
export function PicturesSection({ reading, widgetKey }: PicturesProps) {
  const words = adminStrings.value.widget;
  return (
    <PageSection title={words.pictures} hint={words.picturesHint}>
      <div class="pictures">
        <OnePicture place="launcher" label={words.launcherPicture} reading={reading} widgetKey={widgetKey} />
        <OnePicture place="bot" label={words.botPicture} reading={reading} widgetKey={widgetKey} />
      </div>
    </PageSection>
  );
}

function OnePicture({ place, label, reading, widgetKey }: PicturesProps & { place: Place; label: string }) {
  const words = adminStrings.value.widget;
  const { isBusy, fault, choose, clear } = usePicture(place, reading);
  const input = useRef<HTMLInputElement>(null);
  const address = addressOf(reading.value?.[place], widgetKey);
  return (
    <div class="picture-choice" role="group" aria-label={label}>
      <span class="picture-frame">{address && <img src={address} alt="" />}</span>
      <div class="form">
        <span class="field-name">{label}</span>
        <div class="side-by-side">
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
            hidden
            onChange={({ currentTarget }) => {
              choose(currentTarget.files?.[0]);
              // The same file may be chosen again.
              currentTarget.value = '';
            }}
          />
          <button
            type="button"
            class="button"
            disabled={isBusy}
            aria-label={`${words.choosePicture}: ${label}`}
            onClick={() => input.current!.click()}
          >
            {words.choosePicture}
          </button>
          {address && (
            <button
              type="button"
              class="button"
              disabled={isBusy}
              aria-label={fill(words.removePicture, { name: label })}
              onClick={clear}
            >
              {words.remove}
            </button>
          )}
        </div>
        <p class="fault small" role="alert">
          {fault}
        </p>
      </div>
    </div>
  );
}

/** Stores and removes the picture of a place. */
function usePicture(place: Place, reading: Reading<Pictures>) {
  const text = adminStrings.value;
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const path = `/widget/pictures/${place}`;
  const run = async (work: () => Promise<Pictures>) => {
    setBusy(true);
    setFault('');
    try {
      reading.set(await work());
      notify(text.saved);
    } catch (error) {
      setFault(explainHere(error));
    }
    setBusy(false);
  };
  const choose = (file: File | undefined) => {
    if (!file) return;
    void fitPicture(file).then(
      (content) => run(() => put<Pictures>(path, { content })),
      () => setFault(text.widget.pictureRule),
    );
  };
  const clear = () =>
    void run(async () => {
      await remove(path);
      return { ...reading.value!, [place]: null };
    });
  return { isBusy, fault, choose, clear };
}
