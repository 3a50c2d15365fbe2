import { fill } from '../../../headless/text.js';
import { fullTime } from '../../lib/times.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { notify } from '../../state/notices.js';
import { Avatar } from '../../ui/parts/avatar.js';
import { useSteadyAction } from '../../ui/parts/use-steady-action.js';
import { type BlockedVisitor, readPage, remove } from '../api.js';
import { notifyFailure } from '../parts/explain.js';
import { More } from '../parts/loaded.js';
import { PageSection, RowLink } from '../parts/page-section.js';
import { usePages } from '../parts/reading.js';
import { nameOfVisitor } from '../../lib/names.js';

/** The visitors whom agents have blocked; nothing without any. */
export function BlockedVisitors() {
  const text = adminStrings.value;
  const pages = usePages<BlockedVisitor>((cursor) => readPage('/blocked-visitors', 'visitors', cursor), []);
  const { isBusy, act } = useSteadyAction();
  if (!pages.value?.length) return null;
  const unblock = (visitor: BlockedVisitor) =>
    void act(() =>
      remove(`/blocked-visitors/${visitor.id}`).then(() => {
        notify(strings.value.unblocked);
        return pages.reread();
      }, notifyFailure),
    );
  return (
    <PageSection title={text.blockedVisitors} hint={text.blockedVisitorsHint}>
      <ul class="lines">
        {pages.value.map((visitor) => (
          <li key={visitor.id} class="line">
            <Blocked visitor={visitor} isBusy={isBusy} onUnblock={() => unblock(visitor)} />
          </li>
        ))}
      </ul>
      <More pages={pages} />
    </PageSection>
  );
}

function Blocked({ visitor, isBusy, onUnblock }: { visitor: BlockedVisitor; isBusy: boolean; onUnblock: () => void }) {
  const { id, block } = visitor;
  const text = strings.value;
  const name = nameOfVisitor(visitor);
  const until = block.until ? fill(text.blockedUntil, { time: fullTime(block.until) }) : text.blockedForever;
  return (
    <>
      <RowLink section="visitors" id={id}>
        <Avatar id={id} name={name} />
        <span class="line-words">
          <bdi class="line-name">{name}</bdi>
          <bdi class="hint small">
            {until} {fill(text.blockedBy, { name: block.by.name })}
            {block.reason && `: ${block.reason}`}
          </bdi>
        </span>
      </RowLink>
      <button
        type="button"
        class="button small"
        aria-disabled={isBusy}
        aria-label={`${text.unblock}: ${name}`}
        onClick={onUnblock}
      >
        {text.unblock}
      </button>
    </>
  );
}
