import { useState } from 'preact/hooks';
import { fill } from '../../../../headless/text.js';
import { fullTime } from '../../../lib/times.js';
import { adminStrings } from '../../../locales/admin-strings.js';
import { plural } from '../../../locales/strings.js';
import { Icon } from '../../../ui/parts/icon.js';
import { type Bot, readPage, type Turn } from '../../api.js';
import { Select } from '../../parts/filter.js';
import { Loaded, More } from '../../parts/loaded.js';
import { Ago, Badge, PageSection } from '../../parts/page-section.js';
import { usePages } from '../../parts/reading.js';

type Run = Turn['runs'][number];

const BADGES: Record<Turn['status'], 'plain' | 'good' | 'warn' | 'bad'> = {
  WAITING: 'plain',
  RUNNING: 'plain',
  DONE: 'good',
  HANDED_OVER: 'good',
  INTERRUPTED: 'plain',
  CANCELLED: 'warn',
  ABORTED: 'plain',
  FAILED: 'bad',
};
const STATUSES = Object.keys(BADGES) as Turn['status'][];

/** The turns of a connected bot, newest first, with their runs. */
export function Turns({ bot }: { bot: Bot }) {
  const text = adminStrings.value;
  const [status, setStatus] = useState('');
  const pages = usePages<Turn>(
    (cursor) => readPage(`/bots/${bot.id}/turns`, 'turns', cursor, { status, limit: '25' }),
    [status],
  );
  return (
    <PageSection
      title={text.connection.turns}
      hint={text.connection.turnsHint}
      action={
        <button type="button" class="button small" onClick={pages.again}>
          <Icon name="refresh" />
          {text.refresh}
        </button>
      }
    >
      <div class="filters">
        <Select
          label={text.statusName}
          value={status}
          choices={[['', text.all], ...STATUSES.map((one) => [one, text.connection.status[one]] as const)]}
          onChange={setStatus}
        />
      </div>
      <Loaded of={pages}>
        {(turns) => (
          <>
            {turns.length === 0 && <p class="hint">{status ? text.noneFits : text.connection.noTurns}</p>}
            <ul class="lines">
              {turns.map((turn) => (
                <li key={turn.id}>
                  <TurnLine turn={turn} />
                </li>
              ))}
            </ul>
            <More pages={pages} />
          </>
        )}
      </Loaded>
    </PageSection>
  );
}

function TurnLine({ turn }: { turn: Turn }) {
  const text = adminStrings.value.connection;
  const { status, code, createdAt, firstTokenMs, usage, runs } = turn;
  const [isOpen, setOpen] = useState(false);
  const words = [
    code && text.code[code],
    firstTokenMs !== null && fill(text.firstWord, { time: firstTokenMs }),
    usage?.inputTokens !== undefined && fill(text.tokensIn, { count: usage.inputTokens }),
    usage?.outputTokens !== undefined && fill(text.tokensOut, { count: usage.outputTokens }),
  ];
  return (
    <details class="delivery" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Badge kind={BADGES[status]}>{text.status[status]}</Badge>
        <span class="line-words hint small">{words.filter(Boolean).join(' · ')}</span>
        <span class="line-more hint small">
          <Ago at={createdAt} />
          <span>{plural(text.runCount, runs.length)}</span>
        </span>
      </summary>
      {isOpen && <TurnDetails turn={turn} />}
    </details>
  );
}

function TurnDetails({ turn: { id, chatId, runs } }: { turn: Turn }) {
  const text = adminStrings.value;
  return (
    <div class="delivery-more">
      <p class="small hint">
        <code>{id}</code> · {chatId ? <code>{chatId}</code> : text.connection.chatErased}
      </p>
      {runs.length > 0 && (
        <div class="table-wrap" tabIndex={0} role="group" aria-label={text.connection.runs}>
          <table class="table">
            <caption class="hidden">{text.connection.runs}</caption>
            <thead>
              <tr>
                <th scope="col">{text.when}</th>
                <th scope="col">{text.outcome}</th>
                <th scope="col">{text.connection.step}</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <RunRow key={run.id} run={run} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

function RunRow({ run }: { run: Run }) {
  const { took, connection: text } = adminStrings.value;
  const { startedAt, outcome, code, detail, durationMs, step, try: nth, warnings } = run;
  const words = [
    outcome ? text.runOutcome[outcome] : text.status.RUNNING,
    code && text.code[code],
    durationMs !== null && fill(took, { time: durationMs }),
  ];
  return (
    <tr>
      <td>
        <time dateTime={startedAt}>{fullTime(startedAt)}</time>
      </td>
      <td class={outcome === 'DONE' ? 'good' : outcome === 'FAILED' || outcome === 'LOST' ? 'bad' : ''}>
        {words.filter(Boolean).join(' · ')}
        {[detail, ...warnings].map(
          (more) =>
            more && (
              <bdi key={more} class="hint small">
                {more}
              </bdi>
            ),
        )}
      </td>
      <td>{fill(text.stepAndTry, { step, try: nth })}</td>
    </tr>
  );
}
