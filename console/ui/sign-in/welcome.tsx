import type { ComponentChildren } from 'preact';
import { type Language, language, LANGUAGES, strings } from '../../locales/strings.js';
import { switchLanguage } from '../../state/language.js';
import brandIcon from '../../favicon.svg';

/** A page before the inbox: a card, and the choice of a language. */
export function Welcome({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="welcome">
      <div class="card">
        <p class="brand">
          <img src={brandIcon} alt="" width="28" height="28" />
          {strings.value.console}
        </p>
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </div>
      <LanguageChoice />
    </main>
  );
}

function LanguageChoice() {
  return (
    <p class="languages" role="group" aria-label={strings.value.language}>
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <button
          type="button"
          class="button link"
          lang={code}
          aria-pressed={language.value === code}
          onClick={() => switchLanguage(code as Language)}
        >
          {name}
        </button>
      ))}
    </p>
  );
}
