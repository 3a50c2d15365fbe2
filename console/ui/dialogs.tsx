import type { Row } from '../api/types.js';
import { selectedRows } from '../state/inbox/selection.js';
import { SnoozeDialog } from './chat/snooze-dialog.js';
import { MoveDialog } from './chat/transfer-dialog.js';

// The dialogs that aren't part of the first load, by their overlay, and the bar of the selected chats.

export { EndAllDialog as endAll } from './list/end-all.js';
export { EndDialog as end } from './chat/end-dialog.js';
export { loadDialogStrings } from '../locales/dialog-strings.js';
export { MailsDialog as mails } from './chat/mails-dialog.js';
export { NoteDialog as note } from './chat/note-dialog.js';
export { MessageMenu as messageMenu, WholeMailDialog as wholeMail } from './conversation/message-menu.js';
export { DeletionDialog as deletion } from './conversation/deletion-dialog.js';
export { TransferDialog as transfer } from './chat/transfer-dialog.js';
export { UnsentDialog as unsent } from './chat/unsent-dialog.js';
export { Side as side, SideDialog as details } from './chat/side.js';
export { ReturnDialog as return } from './chat/return-dialog.js';
export { PresenceChoices as presence } from './nav/presence-choices.js';
export { Palette as palette } from './palette.js';
export { SaveViewDialog as saveView } from './save-view-dialog.js';
export { KeysDialog as keys } from './keys-dialog.js';
export { PushDialog as push } from '../push/push-dialog.js';
export { HealthLine as health } from './health-line.js';
export { SelectionBar as selection } from './list/selection-bar.js';
export { ProfileDialog as profile } from './sign-in/profile-dialog.js';
export { SessionsDialog as sessions } from './sign-in/sessions-dialog.js';

export const snooze = ({ row }: { row: Row }) => <SnoozeDialog rows={[row]} />;
export const snoozeAll = () => <SnoozeDialog rows={selectedRows.value} />;
export const move = () => <MoveDialog rows={selectedRows.value} />;
