import { fill } from '../../headless/text.js';
import { MAX_FILES } from '../../headless/files/tray.js';
import { ChosenFile } from '../../headless/files/view/chosen-file.js';
import { type DraftKind, draftOf } from '../state/chat/drafts.js';
import { isConnected } from '../state/connection.js';
import { type ChosenFiles, draftFilesOf, MAX_SIZE } from './draft-files.js';
import { fileKit, fileWords } from './words.js';

/** The files of a draft, above the field. */
export function DraftFilesView({ chatId, kind }: { chatId: string; kind: DraftKind }) {
  const files = draftFilesOf(chatId, kind);
  const words = fileWords.value;
  const isSilent = kind === 'note' && draftOf(chatId, kind).trim() === '';
  return <ChosenList files={files} hint={files.due.value ? words.waits : isSilent ? words.noteNeedsWords : ''} />;
}

/** Chosen files, and what there is to say about them. */
export function ChosenList({ files, hint = '' }: { files: ChosenFiles; hint?: string }) {
  const kit = fileKit();
  const words = fileWords.value;
  const items = files.items.value;
  const hasVideo = items.some(({ type }) => type.startsWith('video/'));
  const told = [
    files.hasTooMany.value && fill(words.tooMany, { count: MAX_FILES }),
    files.isHeld.value && words.held,
    files.isUploading && !isConnected.value && words.lost,
    hint,
    hasVideo && words.video,
  ].find(Boolean);
  return (
    <div class="tray">
      <ul class="chosen-files" aria-label={words.attached}>
        {items.map((item) => (
          <ChosenFile key={item.key} item={item} tray={files.tray} kit={kit} words={words} maxSize={MAX_SIZE} />
        ))}
      </ul>
      <p class={told ? 'hint small' : 'hidden'} role="status">
        {told}
      </p>
    </div>
  );
}
