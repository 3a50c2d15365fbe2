import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { shortDate } from '../../lib/times.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { go } from '../../state/route.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { Icon } from '../../ui/parts/icon.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { add, adminPath, type Bot, readAll } from '../api.js';
import { DialogSaveLine } from '../form/save-line.js';
import { Choices, NameField } from '../form/fields.js';
import { useCreateForm } from '../form/use-create-form.js';
import { AddButton, RowLink } from '../parts/page-section.js';
import { Empty, Loaded } from '../parts/loaded.js';
import { useReading } from '../parts/reading.js';
import { SimpleBot } from './simple-bot.js';
import { connectNext } from './connection/connect-dialog.js';

export function BotsPage() {
  const text = adminStrings.value;
  const [isAdding, setAdding] = useState(false);
  const bots = useReading(() => readAll<Bot>('/bots', 'bots'));
  return (
    <>
      <PageHead title={strings.value.section.bots}>
        <AddButton name={text.newBot} onClick={() => setAdding(true)} />
      </PageHead>
      <div class="page-body">
        <p class="lead">{text.botsLead}</p>
        <Loaded of={bots}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty icon="bot" title={text.noBots} hint={text.noBotsHint}>
                <SimpleBot />
              </Empty>
            ) : (
              <ul class="lines">
                {rows.map(({ id, name, createdAt }) => (
                  <li key={id}>
                    <RowLink section="bots" id={id}>
                      <Icon name="bot" />
                      <span class="line-words">
                        <bdi class="line-name">{name}</bdi>
                        <span class="hint small">{fill(text.addedOn, { time: shortDate(createdAt) })}</span>
                      </span>
                    </RowLink>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      {isAdding && <NewBot onLeft={bots.again} onClose={() => setAdding(false)} />}
    </>
  );
}

/** @param onLeft called instead of opening the bot's page, if the dialog was closed by then */
function NewBot({ onLeft, onClose }: { onLeft: () => void; onClose: () => void }) {
  const text = adminStrings.value;
  const form = useCreateForm(
    { name: '', how: 'address' as 'address' | 'script' | 'code' },
    {
      create: ({ name }) => add<Bot>('/bots', { name, onlyOwnChats: true }),
      pathOf: ({ id }) => adminPath(`/bots/${id}`),
      toFields: ({ name }) => ({ name }),
      onDone: ({ id }, wasShown) => {
        if (!wasShown) return onLeft();
        const { how } = form.values;
        if (how !== 'code') connectNext.set(id, how === 'script' ? 'script' : undefined);
        go({ page: 'admin', section: 'bots', id });
      },
      onClose,
    },
  );
  return (
    <Dialog title={text.newBot} onClose={form.close}>
      <form class="form" noValidate onSubmit={form.submit}>
        <NameField form={form} hint={text.botNameHint} autofocus />
        <Choices
          form={form}
          name="how"
          label={text.botAnswers}
          choices={[
            { value: 'address', name: text.byAddress, hint: text.byAddressHint },
            { value: 'script', name: text.byScript, hint: text.byScriptHint },
            { value: 'code', name: text.byCode, hint: text.byCodeHint },
          ]}
        />
        <DialogSaveLine form={form} name={text.addBot} onClose={form.close} />
      </form>
    </Dialog>
  );
}
