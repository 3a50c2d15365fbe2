import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { notify } from '../../state/notices.js';
import { Icon } from '../../ui/parts/icon.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { adminPath, type Bot, read } from '../api.js';
import { SavePageLine } from '../form/save-line.js';
import { Choices, NameField } from '../form/fields.js';
import { PageSection } from '../parts/page-section.js';
import { Loaded } from '../parts/loaded.js';
import { type Reading, useReading } from '../parts/reading.js';
import { useRecordForm } from '../form/use-record-form.js';
import { Removal } from '../parts/removal.js';
import { ConnectionSection } from './connection/connection-section.js';
import { Fetching } from './fetching.js';
import { Tokens } from './tokens.js';

const BOTS = { page: 'admin', section: 'bots' } as const;

export function BotPage({ id }: { id: string }) {
  const text = adminStrings.value;
  const title = strings.value.section.bots;
  const bot = useReading(() => read<Bot>(`/bots/${id}`));
  return (
    <>
      <PageHead title={bot.value?.name ?? title} back={{ target: BOTS, name: title }} />
      <div class="page-body">
        <Loaded of={bot}>
          {(value) => (
            <>
              <Settings bot={value} reading={bot} />
              <ConnectionSection bot={value} />
              <Tokens bot={value} />
              <Fetching bot={value} />
              <PageSection title={text.moreActions}>
                <Removal
                  name={value.name}
                  title={text.removeBot}
                  hint={text.removeBotHint}
                  path={`/bots/${id}`}
                  list={BOTS}
                />
              </PageSection>
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}

interface Values {
  name: string;
  chats: 'own' | 'all';
  kind: 'ai' | 'script';
}

function Settings({ bot, reading }: { bot: Bot; reading: Reading<Bot> }) {
  const text = adminStrings.value;
  const form = useRecordForm(bot, {
    path: adminPath(`/bots/${bot.id}`),
    toValues: ({ name, onlyOwnChats, isAi }): Values => ({
      name,
      chats: onlyOwnChats ? 'own' : 'all',
      kind: isAi ? 'ai' : 'script',
    }),
    toFields: ({ name, chats, kind }) => ({ name, onlyOwnChats: chats === 'own', isAi: kind === 'ai' }),
    onSaved: (saved) => {
      reading.set(saved);
      notify(text.saved);
    },
  });
  return (
    <form class="form" noValidate onSubmit={form.submit}>
      <NameField form={form} hint={text.botNameHint} />
      <Choices
        form={form}
        name="chats"
        label={text.peoplesChats}
        hint={text.peoplesChatsHint}
        choices={[
          { value: 'own', name: text.ownChatsOnly },
          { value: 'all', name: text.allChats, more: <Recommendation /> },
        ]}
      />
      {!bot.hasConnection && (
        <Choices
          form={form}
          name="kind"
          label={text.botKind}
          hint={text.botKindHint}
          choices={[
            { value: 'ai', name: text.botIsAi },
            { value: 'script', name: text.botIsScript },
          ]}
        />
      )}
      <SavePageLine form={form} />
    </form>
  );
}

function Recommendation() {
  return (
    <p class="warning small">
      <Icon name="alert" />
      {adminStrings.value.ownChatsRecommended}
    </p>
  );
}
