import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { groups } from '../../state/inbox/counts.js';
import { fullTime } from '../../lib/times.js';
import type { SignInLink } from '../api.js';
import { Checks, Choices, NameField, NumberField, TextField } from '../form/fields.js';
import { useForm } from '../form/use-form.js';
import type { Secret } from '../parts/copy-field.js';
import type { Role } from '../../api/types.js';

/** A sign-in link, to be passed to the person. */
export function linkSecret({ url, expiresAt }: SignInLink, name: string): Secret {
  const text = adminStrings.value;
  return {
    title: fill(text.linkTitle, { name }),
    hint: fill(text.linkHint, { name, time: fullTime(expiresAt) }),
    label: text.linkLabel,
    value: url,
  };
}

export function emailTaken(error: unknown): string | undefined {
  return (error as { code?: string }).code === 'conflict' ? adminStrings.value.emailTaken : undefined;
}

interface PersonValues {
  name: string;
  email: string;
  role: Role;
  groupIds: string[];
  capacity: number;
}

/**
 * The fields of a person.
 * @param isNew whether the first field gets the focus
 * @param isSelf administrators can't lower their own role
 */
export function PersonFields<V extends PersonValues>({
  form,
  isNew = false,
  isSelf = false,
}: {
  form: ReturnType<typeof useForm<V>>;
  isNew?: boolean;
  isSelf?: boolean;
}) {
  const text = adminStrings.value;
  const roles = (['AGENT', 'SUPERVISOR', 'ADMIN'] as const).map((value) => ({
    value,
    name: text.role[value],
    hint: text.roleHint[value],
    isDisabled: isSelf && value !== 'ADMIN',
  }));
  const choices = groups.value.map(({ id, name }) => ({ value: id, name }));
  return (
    <>
      <div class="pair">
        <NameField form={form} hint={text.nameHint} autofocus={isNew} />
        <TextField
          form={form}
          name="email"
          label={strings.value.email}
          hint={text.emailHint}
          rule={text.emailRule}
          input={{ type: 'email', required: true, maxLength: 254 }}
        />
      </div>
      <Choices form={form} name="role" label={text.roleName} choices={roles} hint={isSelf ? text.ownRole : undefined} />
      <Checks form={form} name="groupIds" label={strings.value.groups} choices={choices} hint={text.groupsHint} />
      <NumberField
        form={form}
        name="capacity"
        label={text.capacity}
        unit={text.capacityUnit}
        min={1}
        max={100}
        hint={text.capacityHint}
      />
    </>
  );
}
