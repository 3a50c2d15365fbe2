import { useState } from 'preact/hooks';
import { adminStrings } from '../../../locales/admin-strings.js';
import { add, type Bot } from '../../api.js';
import { Confirm } from '../../parts/confirm.js';
import { type Secret, SecretDialog } from '../../parts/copy-field.js';
import { ActionRow } from '../../parts/page-section.js';

/** Makes a new secret that signs the requests of a connection. */
export function SecretRow({ bot }: { bot: Bot }) {
  const { newSecret, connection: text } = adminStrings.value;
  const [asks, ask] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const rotate = async () => {
    const made = await add<{ secret: string }>(`/bots/${bot.id}/connection/rotate-secret`);
    setSecret(connectionSecret(made.secret));
  };
  return (
    <ActionRow title={newSecret} hint={text.newSecretHint}>
      <button type="button" class="button" onClick={() => ask(true)}>
        {newSecret}
      </button>
      {asks && (
        <Confirm title={newSecret} hint={text.newSecretHint} name={newSecret} run={rotate} onClose={() => ask(false)} />
      )}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </ActionRow>
  );
}

export function connectionSecret(value: string): Secret {
  const { secretTitle, secret, connection } = adminStrings.value;
  return { title: secretTitle, hint: connection.secretHint, label: secret, value };
}
