import { fill } from '../../../headless/text.js';
import { fullTime } from '../../lib/times.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { notify } from '../../state/notices.js';
import { Avatar } from '../../ui/parts/avatar.js';
import { type BlockedVisitor, readPage, remove } from '../api.js';
import { explainHere } from '../parts/explain.js';
import { More } from '../parts/loaded.js';
import { PageSection, RowLink } from '../parts/page-section.js';
import { usePages } from '../parts/reading.js';
import { nameOfVisitor } from '../../lib/names.js';

/** The visitors whom agents have blocked; nothing without any. */
export function BlockedVisitors() {
  const text = adminStrings.value;
  const pages = usePages<BlockedVisitor>((cursor) => readPage('/blocked-visitors', 'visitors', cursor), []);
  if (!pages.value?.length) return null;
  const unblock = (visitor: BlockedVisitor) =>
    void remove(`/blocked-visitors/${visitor.id}`).then(
      () => {
        notify(strings.value.unblocked);
        pages.again();
      },
      (error: unknown) => notify(explainHere(error), 'trouble'),
    );
  return (
    <PageSection title={text.blockedVisitors} hint={text.blockedVisitorsHint}>
      <ul class="lines">
        {pages.value.map((visitor) => (
          <li key={visitor.id} class="line">
            <Blocked visitor={visitor} onUnblock={() => unblock(visitor)} />
          </li>
        ))}
      </ul>
      <More pages={pages} />
    </PageSection>
  );
}

function Blocked({ visitor, onUnblock }: { visitor: BlockedVisitor; onUnblock: () => void }) {
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
      <button type="button" class="button small" aria-label={`${text.unblock}: ${name}`} onClick={onUnblock}>
        {text.unblock}
      </button>
    </>
  );
}
