import { useEffect, useRef } from 'preact/hooks';
import { textColorOn } from '../../../widget/launcher/contrast.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { Icon } from '../../ui/parts/icon.js';
import { LAUNCHER_ICONS } from '../../../widget/site/icons.js';
import type { Organization, Pictures } from '../api.js';
import { addressOf } from './pictures.js';
import { linesOf, type Values } from './widget-values.js';
import { COLOR } from './looks.js';

const MAX_QUESTIONS = 3;

interface PreviewProps {
  values: Values;
  organization: Organization;
  pictures?: Pictures;
}

/** A drawing of the widget with the chosen settings. */
export function Preview({ values, organization, pictures }: PreviewProps) {
  const text = adminStrings.value;
  const drawing = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLSpanElement>(null);
  const { name, greeting, color, colorText, theme, position, questions, officeHours, askName, askEmail } = values;
  const shownQuestions = [...new Set(linesOf(questions))].slice(0, MAX_QUESTIONS);
  const asked = [...(askName ? [text.name] : []), ...(askEmail ? [strings.value.email] : [])];
  useEffect(() => {
    // The Content-Security-Policy allows no style attributes in markup; the CSSOM is allowed.
    const { style } = drawing.current!;
    style.setProperty('--color', CSS.supports('color', color) ? color : COLOR);
    const onColor = textColorOn(getComputedStyle(button.current!).backgroundColor);
    style.setProperty('--color-text', CSS.supports('color', colorText) ? colorText : onColor);
  }, [color, colorText]);
  return (
    <figure class="preview">
      <figcaption class="field-name">{text.preview}</figcaption>
      <div class={`preview-site ${theme || 'auto'}`} ref={drawing} data-position={position || 'right'}>
        <div class="preview-panel">
          <div class="preview-head">
            <bdi>{name.trim() || organization.name}</bdi>
          </div>
          <p dir="auto">{greeting.trim() || text.widgetGreeting}</p>
          <BotLine address={addressOf(pictures?.bot, organization.widgetKey)} />
          {officeHours.trim() && (
            <p class="small" dir="auto">
              {officeHours.trim()}
            </p>
          )}
          {asked.length > 0 && <p class="preview-asked small">{asked.join(' · ')}</p>}
          {(shownQuestions.length > 0 ? shownQuestions : [text.previewOwn]).map((question) => (
            <p key={question} class="preview-own" dir="auto">
              {question}
            </p>
          ))}
        </div>
        <span class="preview-button" ref={button}>
          <ButtonFace icon={values.launcherIcon} address={addressOf(pictures?.launcher, organization.widgetKey)} />
        </span>
      </div>
    </figure>
  );
}

/** What the button shows: the picture, or the icon. */
function ButtonFace({ icon, address }: { icon: Values['launcherIcon']; address?: string }) {
  if (address) return <img src={address} alt="" />;
  if (icon === '') return <Icon name="chats" />;
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={LAUNCHER_ICONS[icon]} />
    </svg>
  );
}

/** A message of the bot, with its picture. */
function BotLine({ address }: { address?: string }) {
  if (!address) return null;
  return (
    <p class="preview-bot">
      <img src={address} alt="" />
      <span>{adminStrings.value.previewBot}</span>
    </p>
  );
}
