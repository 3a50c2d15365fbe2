import { useState } from 'preact/hooks';
import { fitPicture } from '../../lib/fit-picture.js';
import { basePath } from '../../lib/service.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { type Pictures, put, remove } from '../api.js';
import { PictureInput } from '../../ui/parts/picture-input.js';
import { explainHere } from '../parts/explain.js';
import { PageSection } from '../parts/page-section.js';
import type { Reading } from '../parts/reading.js';

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
  const { isBusy, fault, choose, clear } = usePicture(place, reading);
  const address = addressOf(reading.value?.[place], widgetKey);
  const words = adminStrings.value.widget;
  const state = { label, address, isBusy, fault, words };
  return <PictureInput {...state} onChoose={choose} onClear={clear} />;
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
  const choose = (file: File) =>
    void fitPicture(file).then(
      (url) => run(() => put<Pictures>(path, { content: url.slice(url.indexOf(',') + 1) })),
      () => setFault(text.widget.pictureRule),
    );
  const clear = () =>
    void run(async () => {
      await remove(path);
      return { ...reading.value!, [place]: null };
    });
  return { isBusy, fault, choose, clear };
}
