import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { shortened } from '../lib/names.js';
import { giveFiles } from '../state/chat/draft-files.js';
import type { DraftKind } from '../state/chat/drafts.js';
import { setKind } from '../ui/composer/composer-kind.js';
import { Icon } from '../ui/parts/icon.js';
import { focusComposer, openDialogs } from '../ui/screen.js';
import { fileWords } from './words.js';

const EVENTS = ['dragenter', 'dragover', 'drop'] as const;

interface DropZoneProps {
  chatId: string;
  /** What dropped files become a part of. */
  kind: DraftKind;
  visitor: string;
}

/** Takes files that are dropped on the conversation. Elsewhere, they don't replace the page. */
export function DropZone({ chatId, kind, visitor }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const give = (files: FileList) => {
      setKind(chatId, kind);
      void giveFiles(chatId, kind, [...files]);
      focusComposer();
    };
    const onDrag = (event: DragEvent) => {
      const { dataTransfer: data, type, target } = event;
      if (!data?.types.includes('Files')) return;
      event.preventDefault();
      const isHere = openDialogs.value === 0 && target instanceof Element && target.closest('.chat') !== null;
      data.dropEffect = isHere ? 'copy' : 'none';
      setOver(isHere && type !== 'drop');
      if (isHere && type === 'drop') give(data.files);
    };
    const onLeave = ({ relatedTarget }: DragEvent) => relatedTarget ?? setOver(false);
    for (const event of EVENTS) addEventListener(event, onDrag);
    addEventListener('dragleave', onLeave);
    return () => {
      for (const event of EVENTS) removeEventListener(event, onDrag);
      removeEventListener('dragleave', onLeave);
    };
  }, [chatId, kind]);
  if (!isOver) return null;
  const { dropIntoMessage, dropIntoNote } = fileWords.value;
  return (
    <div class={`drop-zone ${kind === 'note' ? 'is-note' : ''}`}>
      <p>
        <Icon name={kind === 'note' ? 'note' : 'clip'} />
        {kind === 'note' ? dropIntoNote : fill(dropIntoMessage, { name: shortened(visitor) })}
      </p>
    </div>
  );
}
