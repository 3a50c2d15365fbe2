import { signal } from '@preact/signals';
import type { DraftKind } from '../../state/chat/drafts.js';

/** Whether what is written is a message or a note. */
export const composerKind = signal<DraftKind>('message');
