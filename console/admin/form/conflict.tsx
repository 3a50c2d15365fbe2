import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import type { Fields } from '../../lib/merge.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { groups } from '../../state/inbox/counts.js';
import { session } from '../../state/session.js';
import { Dialog } from '../../ui/parts/dialog.js';
import type { AuditEntry } from '../api.js';
import { readPage } from '../api.js';
import { fieldName, Value } from '../audit/audit-changes.js';
import { agoWords } from '../parts/page-section.js';

/** Fields that two people changed at the same time. */
export interface Conflict {
  /** The kind of resource, as in the audit log's actions. */
  kind: string;
  /** Who saved first, and when; null if unknown. */
  who: string | null;
  at: string | null;
  fields: readonly { name: string; mine: unknown; theirs: unknown }[];
  /** Call this with the chosen values, or with null to change nothing. */
  resolve: (chosen: Fields | null) => void;
}

/** Reads from the audit log who made the other change. */
export async function readConflict(
  path: string,
  names: readonly string[],
  mine: Fields,
  theirs: Fields,
): Promise<Omit<Conflict, 'resolve'>> {
  const last = await readLastChange(path).catch(() => undefined);
  const fields = names.map((name) => ({ name, mine: mine[name], theirs: theirs[name] }));
  const kind = last?.action.split('.')[0] ?? '';
  return { kind, who: last?.actor.name ?? null, at: last?.at ?? null, fields };
}

/** The log entry's target is the id at the end of the path; for the widget and its captcha, it's the organization. */
async function readLastChange(path: string): Promise<AuditEntry | undefined> {
  const end = path.split('/').at(-1)!;
  const target = end === 'widget' || end === 'captcha' ? session.value!.organization.id : end;
  const { rows } = await readPage<AuditEntry>('/audit', 'entries', null, { target, limit: '1' });
  return rows[0];
}

/** Asks which value to keep, field by field. */
export function ConflictDialog({ conflict: { kind, who, at, fields, resolve } }: { conflict: Conflict }) {
  const text = adminStrings.value;
  const [isMine, setMine] = useState<Record<string, boolean>>({});
  const name = who ?? text.someoneElse;
  const chosen = () => fields.map((one) => [one.name, isMine[one.name] ? one.mine : one.theirs] as const);
  return (
    <Dialog title={fill(text.conflictTitle, { name })} form="wide" isLight onClose={() => resolve(null)}>
      <div class="dialog-form">
        <p>{fill(text.conflictHint, { name, time: at ? agoWords(at) : text.justNow })}</p>
        {fields.map(({ name: field, mine, theirs }) => (
          <fieldset key={field} class="field choices-field">
            <legend class="field-name">{fieldName(field, kind)}</legend>
            <Side
              field={field}
              words={fill(text.valueOf, { name })}
              value={theirs}
              isChosen={!isMine[field]}
              onChoose={() => setMine({ ...isMine, [field]: false })}
            />
            <Side
              field={field}
              words={text.ownValue}
              value={mine}
              isChosen={isMine[field] ?? false}
              onChoose={() => setMine({ ...isMine, [field]: true })}
            />
          </fieldset>
        ))}
        <footer>
          <button type="button" class="button" onClick={() => resolve(null)}>
            {text.decideLater}
          </button>
          <button type="button" class="button primary" onClick={() => resolve(Object.fromEntries(chosen()))}>
            {text.saveChosen}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

interface SideProps {
  field: string;
  words: string;
  value: unknown;
  isChosen: boolean;
  onChoose: () => void;
}

function Side({ field, words, value, isChosen, onChoose }: SideProps) {
  return (
    <label class="choice-line target">
      <input type="radio" name={`conflict-${field}`} checked={isChosen} onChange={onChoose} />
      <span>
        <b>{words}</b>
        <span class="hint small">
          <Value value={field === 'groupIds' ? groupNames(value as string[]) : value} field={field} />
        </span>
      </span>
    </label>
  );
}

function groupNames(ids: readonly string[]): string[] {
  return ids.flatMap((id) => groups.value.find((group) => group.id === id)?.name ?? []);
}
