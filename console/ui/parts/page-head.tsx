import type { ComponentChildren } from 'preact';
import { strings } from '../../locales/strings.js';
import { linkTo, type Route } from '../../state/route.js';
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
        <a class="button quiet round" {...linkTo(back.target)} title={back.name} data-key="Escape">
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
