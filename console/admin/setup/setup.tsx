import type { ComponentChildren } from 'preact';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { linkTo, type Section } from '../../state/route.js';
import { Icon } from '../../ui/parts/icon.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { type Bot, type Organization, read, readPage, type Setup } from '../api.js';
import { SimpleBot } from '../bots/simple-bot.js';
import { Ago } from '../parts/page-section.js';
import { Loaded } from '../parts/loaded.js';
import { useEvery, useReading } from '../parts/reading.js';
import { TestChat } from './test-chat.js';

/** How often the page reads what's done, while it's visible. */
const INTERVAL_MS = 5_000;

/** What a new organization needs, and what of it is done. */
export function SetupPage() {
  const setup = useReading(() => read<Setup>('/setup'));
  const organization = useReading(() => read<Organization>(''));
  useEvery(INTERVAL_MS, setup.again);
  return (
    <>
      <PageHead title={strings.value.section.setup} />
      <div class="page-body">
        <p class="lead">{adminStrings.value.setup.lead}</p>
        <Loaded of={setup}>
          {(done) => <Loaded of={organization}>{(value) => <Steps setup={done} organization={value} />}</Loaded>}
        </Loaded>
      </div>
    </>
  );
}

function Steps({ setup, organization }: { setup: Setup; organization: Organization }) {
  const text = adminStrings.value.setup;
  const { widget, hasInvited, hasColleague, botUsedAt, hasAnswered } = setup;
  const bots = useReading(() => readPage<Bot>('/bots', 'bots', null, { limit: '1' }));
  const hasNoBot = bots.value?.rows.length === 0;
  const count = [widget !== null, hasInvited, botUsedAt !== null, hasAnswered].filter(Boolean).length;
  return (
    <>
      <p role="status">
        <b>{fill(text.progress, { count, all: 4 })}</b>
      </p>
      <ol class="steps">
        <Step isDone={widget !== null} title={text.widget} section="widget" name={text.toWidget}>
          {widget ? (
            <>
              {fill(text.widgetSeen, { site: widget.origin })} <Ago at={widget.seenAt} />
            </>
          ) : (
            text.widgetHint
          )}
        </Step>
        <Step isDone={hasAnswered} title={text.chat}>
          {hasAnswered ? text.chatDone : text.chatHint}
          {!hasAnswered && (
            <span class="step-link">
              <TestChat organization={organization} />
            </span>
          )}
        </Step>
        <Step isDone={botUsedAt !== null} title={text.bot} section="bots" name={text.toBots}>
          {botUsedAt === null ? (
            <>
              {hasNoBot ? text.noBotHint : text.botHint}
              {hasNoBot && (
                <span class="step-link">
                  <SimpleBot />
                </span>
              )}
            </>
          ) : (
            <>
              {text.botUsed} <Ago at={botUsedAt} />
            </>
          )}
        </Step>
        <Step isDone={hasInvited} title={text.people} section="people" name={text.toPeople}>
          {hasColleague ? text.peopleDone : hasInvited ? text.peopleInvited : text.peopleHint}
        </Step>
      </ol>
    </>
  );
}

interface StepProps {
  isDone: boolean;
  title: string;
  children: ComponentChildren;
  section?: Section;
  /** The link's words. */
  name?: string;
}

function Step({ isDone, title, children, section, name }: StepProps) {
  const text = adminStrings.value.setup;
  return (
    <li class={`step ${isDone ? 'done' : ''}`}>
      <span class="step-mark">{isDone && <Icon name="check" />}</span>
      <div>
        <h2>
          {title}
          <span class="hidden"> ({isDone ? text.done : text.open})</span>
        </h2>
        <p class="hint">{children}</p>
        {section && <a {...linkTo({ page: 'admin', section })}>{name}</a>}
      </div>
    </li>
  );
}
