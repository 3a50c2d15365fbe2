import { signal } from '@preact/signals';
import type { DraftKind } from '../../state/chat/drafts.js';

/** Whether the agent writes a message or a note. */
export const composerKind = signal<DraftKind>('message');
