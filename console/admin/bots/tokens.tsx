import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { listNames } from '../../lib/names.js';
import { shortDate } from '../../lib/times.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { plural } from '../../locales/strings.js';
import { serverNow } from '../../state/clock.js';
import { notify } from '../../state/notices.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { Icon } from '../../ui/parts/icon.js';
import { type AccessToken, add, type Bot, readAll, remove } from '../api.js';
import { Checks, Choices, TextField } from '../form/fields.js';
import { DialogSaveLine } from '../form/save-line.js';
import { useForm } from '../form/use-form.js';
import { Ago, Badge, PageSection } from '../parts/page-section.js';
import { Confirm } from '../parts/confirm.js';
import { type Secret, SecretDialog } from '../parts/copy-field.js';
import { Loaded } from '../parts/loaded.js';
import { useEvery, useReading } from '../parts/reading.js';

/** How often the page reads whether a new token was used, while it's visible. */
const FIRST_USE_EVERY_MS = 5_000;

export function Tokens({ bot }: { bot: Bot }) {
  const text = adminStrings.value;
  const path = `/bots/${bot.id}/tokens`;
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [revoked, revoke] = useState<AccessToken | null>(null);
  const tokens = useReading(() => readAll<AccessToken>(path, 'tokens'));
  const isWaiting = tokens.value?.some(({ lastUsedAt }) => lastUsedAt === null) ?? false;
  useEvery(FIRST_USE_EVERY_MS, () => isWaiting && tokens.again(), [isWaiting]);
  const onAdded = (value: string) => {
    setSecret({ title: text.tokenTitle, hint: fill(text.tokenHint, { name: bot.name }), label: text.token, value });
    tokens.again();
  };
  const end = async ({ id }: AccessToken) => {
    await remove(`${path}/${id}`);
    notify(text.revokedNow);
    tokens.again();
  };
  return (
    <PageSection
      title={text.tokens}
      hint={text.tokensHint}
      action={
        <button type="button" class="button small" data-key="n" onClick={() => setAdding(true)}>
          <Icon name="key" />
          {text.newToken}
        </button>
      }
    >
      <Loaded of={tokens}>
        {(rows) => (
          <>
            {rows.length === 0 && <p class="hint">{text.noTokens}</p>}
            <ul class="lines">
              {rows.map((token) => (
                <li key={token.id} class="line">
                  <TokenRow token={token} onRevoke={() => revoke(token)} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {isAdding && <NewToken path={path} onDone={onAdded} onClose={() => setAdding(false)} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
      {revoked && (
        <Confirm
          title={text.revokeTitle}
          hint={text.revokeHint}
          name={text.revoke}
          isDanger
          run={() => end(revoked)}
          onClose={() => revoke(null)}
        />
      )}
    </PageSection>
  );
}

function TokenRow({ token, onRevoke }: { token: AccessToken; onRevoke: () => void }) {
  const text = adminStrings.value;
  const name = token.name ?? `…${token.lastFour}`;
  return (
    <>
      <Icon name="key" />
      <TokenWords token={token} />
      <button
        type="button"
        class="button small danger-line"
        aria-label={fill(text.revokeNamed, { name })}
        onClick={onRevoke}
      >
        {text.revoke}
      </button>
    </>
  );
}

function TokenWords({ token: { name, lastFour, scopes, createdAt, lastUsedAt, expiresAt } }: { token: AccessToken }) {
  const text = adminStrings.value;
  const isOver = expiresAt !== null && Date.parse(expiresAt) < serverNow();
  return (
    <>
      <span class="line-words">
        <bdi class="line-name">{name ?? text.unnamedToken}</bdi>
        <span class="hint small">
          <code>…{lastFour}</code> · {fill(text.addedOn, { time: shortDate(createdAt) })}
          {scopes && ` · ${listNames(scopes.map((scope) => text.scope[scope]))}`}
          {expiresAt && ` · ${fill(isOver ? text.expiredOn : text.expiresOn, { time: shortDate(expiresAt) })}`}
        </span>
      </span>
      <span class="line-more hint small">
        {lastUsedAt ? (
          <span>
            {text.lastUsed} <Ago at={lastUsedAt} />
          </span>
        ) : (
          text.neverUsed
        )}
      </span>
      {isOver && <Badge kind="bad">{text.expired}</Badge>}
    </>
  );
}

const LIVES = ['', '30', '90', '365'] as const;

const DAY_MS = 86_400_000;

const SCOPES = ['read', 'write', 'handover', 'search', 'search:all'] as const;

const EMPTY = { name: '', days: '' as (typeof LIVES)[number], may: 'all', scopes: [] as string[] };

interface NewTokenProps {
  path: string;
  onDone: (token: string) => void;
  onClose: () => void;
}

function NewToken({ path, onDone, onClose }: NewTokenProps) {
  const text = adminStrings.value;
  const form = useForm(EMPTY, async ({ name, days, may, scopes }) => {
    const expiresAt = days === '' ? undefined : new Date(serverNow() + Number(days) * DAY_MS).toISOString();
    const limited = may === 'some' && { scopes };
    const { token } = await add<{ token: string }>(path, { ...(name && { name }), ...limited, expiresAt });
    onDone(token);
    if (form.isShown.current) onClose();
  });
  const some = (
    <Checks
      form={form}
      name="scopes"
      label={text.scopes}
      rule={text.scopesRule}
      choices={SCOPES.map((value) => ({ value, name: text.scope[value], hint: text.scopeHint[value] }))}
    />
  );
  return (
    <Dialog title={text.newToken} onClose={onClose}>
      <form class="form" noValidate onSubmit={form.submit}>
        <TextField
          form={form}
          name="name"
          label={text.tokenName}
          hint={text.tokenNameHint}
          rule={text.textRule}
          // A token's name can't be changed later.
          input={{ maxLength: 200, autofocus: true, readOnly: form.isBusy }}
        />
        <Choices
          form={form}
          name="days"
          label={text.expires}
          choices={LIVES.map((value) => ({
            value,
            name: value === '' ? text.neverExpires : plural(text.afterDays, Number(value)),
          }))}
        />
        <Choices
          form={form}
          name="may"
          label={text.tokenMay}
          choices={[
            { value: 'all', name: text.mayAll, hint: text.mayAllHint },
            { value: 'some', name: text.maySome, more: <div class="unlabeled">{some}</div> },
          ]}
        />
        <DialogSaveLine form={form} name={text.makeToken} onClose={onClose} />
      </form>
    </Dialog>
  );
}
