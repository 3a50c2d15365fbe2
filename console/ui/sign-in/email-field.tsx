import type { RefObject } from 'preact';
import { strings } from '../../locales/strings.js';
import type { useFaults } from '../parts/use-faults.js';

export interface EmailProps {
  email: FieldRef;
  of: ReturnType<typeof useFaults>['of'];
  /** The address of the agent who was signed in, or that was typed before. */
  known?: string;
  /** Whether it gets the focus although the address is known. */
  isFirst?: boolean;
}

export type FieldRef = RefObject<HTMLInputElement | null>;

export function EmailField({ email, of, known, isFirst = !known }: EmailProps) {
  const text = strings.value;
  const { attributes, fault } = of('email', text.emailMissing);
  return (
    <>
      <label for="email">{text.email}</label>
      <input
        ref={email}
        id="email"
        type="email"
        autocomplete="username"
        required
        maxLength={320}
        defaultValue={known}
        autofocus={isFirst}
        {...attributes}
      />
      {fault}
    </>
  );
}
