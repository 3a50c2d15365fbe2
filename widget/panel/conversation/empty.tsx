import type { ComponentChildren } from 'preact';
import { Icon } from '../icon.js';
import { usePanel } from '../lib/context.js';

/** Shown in a chat without messages. */
export function Intro({ greeting, children }: { greeting: string; children: ComponentChildren }) {
  return (
    <div class="intro">
      <span class="mark">
        <Icon name="chat" />
      </span>
      <p class="greeting" dir="auto">
        {greeting}
      </p>
      {children}
    </div>
  );
}

/** Shown until the messages have arrived. */
export function Skeleton() {
  const { strings } = usePanel();
  return (
    <div class="skeleton" role="status">
      <span class="hidden">{strings.connecting}</span>
      <i />
      <i />
    </div>
  );
}
