import { ASKINGS, POSITIONS, THEMES } from '../organizations/widget-settings.js';
import type { Noun } from './noun.js';

const asking = (what: string) =>
  `whether to ask for ${what} before the first message: ${ASKINGS.join(', ')}; "off": no`;

/** The settings of an organization's widget (CONTRACT section 13). */
export const widget: Noun = {
  name: 'widget',
  about: 'how the chat looks on the sites of an organization, and what it asks; what a page says itself wins',
  path: 'widget',
  isSingle: true,
  columns: [],
  update: [
    {
      flags: '--name <name>',
      about: 'what the header says; "": the name of the organization',
      field: 'name',
      textOr: '',
    },
    {
      flags: '--greeting <text>',
      about: 'shown before the visitor\'s first word; "" for none',
      field: 'greeting',
      textOr: '',
    },
    {
      flags: '--greeting-after <seconds>',
      about: 'show it beside the closed button after so many seconds on a page, up to 3600; "off": not',
      field: 'greetingAfterSeconds',
      numberOr: 'off',
    },
    {
      flags: '--greeting-paths <paths>',
      about: 'only on pages whose path begins with one of these, with commas between them; "" for all',
      field: 'greetingPaths',
      isList: true,
    },
    { flags: '--color <color>', about: 'a CSS colour; "" for the own one', field: 'color', textOr: '' },
    {
      flags: '--color-text <color>',
      about: 'the colour of text on it; "" for black or white',
      field: 'colorText',
      textOr: '',
    },
    { flags: '--theme <theme>', about: `${THEMES.join(', ')}; "": as the widget decides`, field: 'theme', textOr: '' },
    {
      flags: '--position <corner>',
      about: `${POSITIONS.join(', ')}; "": where lines end in the language`,
      field: 'position',
      textOr: '',
    },
    {
      flags: '--locale <tag>',
      about: 'a language like de or pt-BR; "": of the page or the browser',
      field: 'locale',
      textOr: '',
    },
    { flags: '--sound', about: 'a message may make a sound', field: 'sound', value: true },
    { flags: '--sound-off', about: 'it may not', field: 'sound', value: false },
    {
      flags: '--privacy-url <url>',
      about: 'the page that says what happens with what visitors write; "" for none',
      field: 'privacyUrl',
      textOr: '',
    },
    { flags: '--consent <text>', about: 'the line that is shown with it; "" for none', field: 'consent', textOr: '' },
    { flags: '--ask-name <how>', about: asking('the name'), field: 'askName', textOr: 'off' },
    { flags: '--ask-email <how>', about: asking('the email address'), field: 'askEmail', textOr: 'off' },
    { flags: '--office-hours <text>', about: 'when people answer; "" for nothing', field: 'officeHours', textOr: '' },
    {
      flags: '--questions <questions>',
      about: 'up to 6 first questions to ask with a click, with | between them; "" for none',
      field: 'questions',
      isList: true,
      separator: '|',
    },
    { flags: '--rating', about: 'ask visitors to rate a chat that has ended', field: 'rating', value: true },
    { flags: '--rating-off', about: 'do not', field: 'rating', value: false },
  ],
};
