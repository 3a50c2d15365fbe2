import type { ComponentChildren } from 'preact';
import { strings } from '../../locales/strings.js';
import { go, pathOf, type Route } from '../../state/route.js';
import { Icon } from './icon.js';
import { overlay } from '../screen.js';

interface PageHeadProps {
  title: string;
  /** The link back. */
  back?: { target: Route; name: string };
  /** Buttons at the end of the line. */
  children?: ComponentChildren;
}

/** The header of a page other than the inbox. */
export function PageHead({ title, back, children }: PageHeadProps) {
  const follow = (event: MouseEvent) => {
    if (!back || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(back.target);
  };
  return (
    <header class="pane-head page-head">
      <button
        type="button"
        class="button quiet round only-narrow"
        aria-label={strings.value.menu}
        onClick={() => (overlay.value = 'menu')}
      >
        <Icon name="menu" />
      </button>
      {back && (
        <a class="button quiet round" href={pathOf(back.target)} title={back.name} data-key="Escape" onClick={follow}>
          <Icon name="back" />
          <span class="hidden">{back.name}</span>
        </a>
      )}
      <h1 class="one-line" tabIndex={-1} title={title}>
        <bdi>{title}</bdi>
      </h1>
      {children}
    </header>
  );
}
