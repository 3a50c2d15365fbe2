import { ASKINGS, LAUNCHER_ICONS, POSITIONS, THEMES } from '../../organizations/widget-settings.js';
import type { Noun } from '../noun.js';

const asking = (what: string) =>
  `whether to ask for ${what} before the first message: ${ASKINGS.join(', ')}; "off": no`;

/** The settings of an organization's widget (CONTRACT: Widget settings). */
export const widget: Noun = {
  name: 'widget',
  about: "how the chat looks on an organization's sites, and what it asks; attributes of a page take precedence",
  path: 'widget',
  isSingle: true,
  columns: [],
  update: [
    {
      flags: '--name <name>',
      about: 'the header; "" for the name of the organization',
      field: 'name',
      textOr: '',
    },
    {
      flags: '--greeting <text>',
      about: 'shown before the visitor\'s first message; "" for none',
      field: 'greeting',
      textOr: '',
    },
    {
      flags: '--greeting-after <seconds>',
      about: 'seconds on a page until it is shown beside the closed button, up to 3600; "off": never',
      field: 'greetingAfterSeconds',
      numberOr: 'off',
    },
    {
      flags: '--greeting-paths <paths>',
      about: 'only on pages whose path begins with one of these, separated by commas; "" for all',
      field: 'greetingPaths',
      isList: true,
    },
    {
      flags: '--proactive-messages <json>',
      about:
        'messages beside the closed button, as [{"id": "help", "text": "Can we help?", "afterSeconds": 30}]; "" for none',
      field: 'proactiveMessages',
      isJson: true,
      textOr: '',
    },
    { flags: '--color <color>', about: 'a CSS color; "" for the default', field: 'color', textOr: '' },
    {
      flags: '--color-text <color>',
      about: 'the color of text on it; "" for black or white',
      field: 'colorText',
      textOr: '',
    },
    { flags: '--theme <theme>', about: `${THEMES.join(', ')}; "" for the default`, field: 'theme', textOr: '' },
    {
      flags: '--position <corner>',
      about: `${POSITIONS.join(', ')}; "" for the side where lines end in the language`,
      field: 'position',
      textOr: '',
    },
    {
      flags: '--launcher-icon <icon>',
      about: `the icon of the button: ${LAUNCHER_ICONS.join(', ')}; "" for a speech bubble`,
      field: 'launcherIcon',
      textOr: '',
    },
    {
      flags: '--locale <tag>',
      about: 'a language such as de or pt-BR; "" for the page\'s or browser\'s language',
      field: 'locale',
      textOr: '',
    },
    { flags: '--sound', about: 'play a sound for new messages', field: 'sound', value: true },
    { flags: '--sound-off', about: 'play no sound', field: 'sound', value: false },
    {
      flags: '--privacy-url <url>',
      about: 'the address of your privacy policy; "" for none',
      field: 'privacyUrl',
      textOr: '',
    },
    {
      flags: '--consent <text>',
      about: 'the text shown with the privacy policy; "" for none',
      field: 'consent',
      textOr: '',
    },
    { flags: '--ask-name <how>', about: asking('the name'), field: 'askName', textOr: 'off' },
    { flags: '--ask-email <how>', about: asking('the email address'), field: 'askEmail', textOr: 'off' },
    {
      flags: '--form-fields <json>',
      about:
        'fields of the form before a chat, up to 6: [{"key": "order", "label": "Order number", "type": "text"}]; "" for none',
      field: 'formFields',
      isJson: true,
      textOr: '',
    },
    { flags: '--office-hours <text>', about: 'when people answer; "" for none', field: 'officeHours', textOr: '' },
    {
      flags: '--questions <questions>',
      about: 'up to 6 suggested first questions, separated by |; "" for none',
      field: 'questions',
      isList: true,
      separator: '|',
    },
    {
      flags: '--translations <json>',
      about:
        'greeting, consent, questions, form fields, and proactive messages by language: {"de": {"greeting": "Hallo"}}; "" for none',
      field: 'translations',
      isJson: true,
      textOr: '',
    },
    {
      flags: '--ai-disclosure <json>',
      about: `what visitors read before the first word of an AI, as {"text": "…"}; "" for Parley's own words`,
      field: 'aiDisclosure',
      isJson: true,
      textOr: '',
    },
    { flags: '--rating', about: 'ask visitors to rate closed chats', field: 'rating', value: true },
    { flags: '--rating-off', about: 'do not ask for a rating', field: 'rating', value: false },
    {
      flags: '--message-rating',
      about: 'let visitors rate each message of a bot, thumbs up or down',
      field: 'messageRating',
      value: true,
    },
    { flags: '--message-rating-off', about: 'do not let them rate messages', field: 'messageRating', value: false },
    {
      flags: '--person-after <messages>',
      about: 'let visitors ask for a person after so many messages of bots, up to 100; 0: always; "off": never',
      field: 'personAfter',
      numberOr: 'off',
    },
    {
      flags: '--page-context',
      about: "add the visitor's page, language, time zone, and screen size to chats and messages",
      field: 'pageContext',
      value: true,
    },
    { flags: '--page-context-off', about: 'do not add them', field: 'pageContext', value: false },
    {
      flags: '--cookie-domain <domain>',
      about: 'visitors are the same on all subdomains of this domain; "" for a visitor per site',
      field: 'cookieDomain',
      textOr: '',
    },
  ],
};
