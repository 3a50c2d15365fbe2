import { free, number, text } from '../columns.js';
import type { Noun } from '../noun.js';

/** The tags of chats (CONTRACT: Tags). */
export const tag: Noun = {
  name: 'tag',
  about: 'the tags of chats, which bots and agents add',
  columns: [
    text('id'),
    free('name', ({ name }) => name),
    { ...free('former names', ({ formerNames }) => formerNames), isExtra: true },
    { ...text('color'), isExtra: true },
    number('chats', ({ chats }) => chats),
  ],
  nothing: { color: 'none' },
  filters: [{ flags: '--prefix <text>', about: 'tags that begin with this text', field: 'prefix' }],
  update: [
    { flags: '--name <name>', about: 'the new name; the former one still works', field: 'name' },
    { flags: '--color <color>', about: '#rrggbb; "" for none', field: 'color', textOr: '' },
  ],
  updateAliases: ['rename'],
  actions: [
    {
      verb: 'merge',
      about: 'give its chats another tag, and remove it; its names then mean the other one',
      method: 'post',
      path: '/merge',
      fields: [{ flags: '--into <id>', about: 'the tag that the chats get', field: 'into', isRequired: true }],
      isRepeated: true,
    },
  ],
  deleting: 'it is taken from all chats',
};

/** The attribute keys that filters of chats use (CONTRACT: Attributes). */
export const attributeKey: Noun = {
  name: 'attribute-key',
  about: 'the attribute keys that chats are filtered by; a new one is ready once the existing chats are read',
  items: 'keys',
  isListOnly: true,
  columns: [text('key'), text('isReady', 'ready')],
  set: [
    {
      flags: '--keys <keys>',
      about: 'all keys, such as plan,order; "" for none',
      field: 'keys',
      isList: true,
      isRequired: true,
    },
  ],
};
