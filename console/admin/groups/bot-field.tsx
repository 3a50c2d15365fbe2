import { adminStrings } from '../../locales/admin-strings.js';
import { type Bot, readAll } from '../api.js';
import { SelectField } from '../form/fields.js';
import type { FormState } from '../form/use-form.js';
import { useReading } from '../parts/reading.js';

/** The only bot that gets the group's chats; empty: every bot does. */
export function BotField<V extends { botId: string }>({ form }: { form: FormState<V> }) {
  const text = adminStrings.value;
  const bots = useReading(() => readAll<Bot>('/bots', 'bots'));
  const known = (bots.value ?? []).map(({ id, name }) => [id, name] as const);
  const { botId } = form.values;
  // Keeps the value until the names are loaded.
  const unknown = botId === '' || known.some(([id]) => id === botId) ? [] : [[botId, '…'] as const];
  const choices = [['', text.everyBot] as const, ...known, ...unknown];
  return <SelectField form={form} name="botId" label={text.groupBot} hint={text.groupBotHint} choices={choices} />;
}
