import { useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { Select } from '../admin/parts/filter.js';
import { Empty, Loaded, More } from '../admin/parts/loaded.js';
import { Ago, Badge, PageSection } from '../admin/parts/page-section.js';
import { usePages } from '../admin/parts/reading.js';
import type { AgentNumbers, Rated } from '../api/types.js';
import { adminStrings } from '../locales/admin-strings.js';
import { nameOfVisitor } from '../lib/names.js';
import { ChatLink } from '../ui/parts/chat-link.js';
import { Name } from '../ui/parts/rich.js';
import { type Range, readRatings } from './range.js';

/** The ratings of the range, newest first. Each opens its chat. */
export function Ratings({ range, agents }: { range: Range; agents: readonly AgentNumbers[] }) {
  const text = adminStrings.value;
  const [agentId, setAgent] = useState('');
  const [comment, setComment] = useState('');
  const inputs = [...Object.values(range), agentId, comment];
  const pages = usePages<Rated>((cursor) => readRatings(range, { agentId, comment }, cursor), inputs);
  return (
    <PageSection title={text.ratings}>
      <div class="filters">
        <Select
          label={text.agent}
          value={agentId}
          choices={[['', text.all] as const, ...agents.map(({ id, name }) => [id, name] as const)]}
          onChange={setAgent}
        />
        <Select
          label={text.comments}
          value={comment}
          choices={[['', text.all] as const, ['true', text.onlyWithComment] as const]}
          onChange={setComment}
        />
      </div>
      <Loaded of={pages}>
        {(rows) => (
          <>
            {rows.length === 0 && !pages.hasMore && <Empty icon="star" title={text.noRatings} />}
            <ul class="lines">
              {rows.map((rating) => (
                <li key={rating.chatId}>
                  <RatingLink rating={rating} />
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

function RatingLink({ rating: { chatId, score, comment, ratedAt, visitor, agent, group } }: { rating: Rated }) {
  const who = [nameOfVisitor(visitor), agent?.name, group.name].filter(Boolean).join(' · ');
  return (
    <ChatLink chatId={chatId} view="CLOSED" class="line-link">
      <span class="line-words">
        <Name class="line-name" name={comment ?? who} />
        {comment !== null && <Name class="hint small" name={who} />}
      </span>
      <span class="line-more hint small">
        <Ago at={ratedAt} />
      </span>
      <span class="line-badges">
        <Badge kind={score >= 4 ? 'good' : score === 3 ? 'plain' : 'bad'}>
          {fill(adminStrings.value.scoreOf, { score })}
        </Badge>
      </span>
    </ChatLink>
  );
}
