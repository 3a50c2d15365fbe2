import { useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { call } from '../../api/request.js';
import type { Detail } from '../../api/types.js';
import { shortName } from '../../lib/names.js';
import { fullTime } from '../../lib/times.js';
import { dialogStrings } from '../../locales/dialog-strings.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/explain.js';
import { serverNow } from '../../state/clock.js';
import { notify } from '../../state/notices.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { Dialog } from '../parts/dialog.js';

const HOUR_MS = 60 * 60 * 1000;
/** How long a block can be, in hours; 0: without an end. */
const DURATIONS = [1, 24, 7 * 24, 0] as const;

/** Blocks the visitor of a chat, or says that the visitor is blocked, and unblocks. */
export function BlockedVisitor({ detail }: { detail: Detail }) {
  const { id, visitor } = detail;
  const text = strings.value;
  const [isAsking, ask] = useState(false);
  const { block } = visitor;
  const unblock = () =>
    void call('DELETE', `/chats/${id}/block`).then(
      () => notify(text.unblocked),
      (error: unknown) => notify(explain(error), 'trouble'),
    );
  return (
    <>
      {block && (
        <p class="blocked" dir="auto">
          {block.until ? fill(text.blockedUntil, { time: fullTime(block.until) }) : text.blockedForever}{' '}
          {fill(text.blockedBy, { name: block.by.name })}
          {block.reason && `: ${block.reason}`}
        </p>
      )}
      <button type="button" class="button small" onClick={block ? unblock : () => ask(true)}>
        {block ? text.unblock : text.block}
      </button>
      {isAsking && <BlockDialog detail={detail} onClose={() => ask(false)} />}
    </>
  );
}

function BlockDialog({ detail, onClose }: { detail: Detail; onClose: () => void }) {
  const text = dialogStrings.value;
  const [hours, choose] = useState<number>(DURATIONS[1]);
  const reason = useRef<HTMLTextAreaElement>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const until = hours > 0 ? new Date(serverNow() + hours * HOUR_MS).toISOString() : undefined;
    try {
      await call('PUT', `/chats/${detail.id}/block`, { until, reason: reason.current?.value.trim() || undefined });
      onClose();
    } catch (error) {
      notify(explain(error), 'trouble');
    }
    setBusy(false);
  };
  const names = [text.anHour, text.aDay, text.aWeek, text.noEnd];
  return (
    <Dialog title={fill(text.blockTitle, { name: shortName(detail) })} onClose={onClose}>
      <form class="dialog-form" onSubmit={(event) => void submit(event)}>
        <p class="hint">{text.blockHint}</p>
        <label>
          {text.blockFor}
          <select value={hours} onChange={(event) => choose(Number(event.currentTarget.value))}>
            {DURATIONS.map((value, at) => (
              <option key={value} value={value}>
                {names[at]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {text.blockReason}
          <textarea ref={reason} rows={2} maxLength={500} />
        </label>
        <DialogButtons isDisabled={isBusy} onCancel={onClose}>
          {strings.value.block}
        </DialogButtons>
      </form>
    </Dialog>
  );
}
