import { useRef } from 'preact/hooks';
import { fill } from '../../../../headless/text.js';
import { adminStrings } from '../../../locales/admin-strings.js';
import { Icon } from '../../../ui/parts/icon.js';
import { onceDrawn } from '../../../ui/screen.js';
import { EntryHead } from '../../form/entry-head.js';
import { Described } from '../../form/described.js';
import {
  type ChoiceDraft,
  type Follow,
  FOLLOWS,
  hasTarget,
  MAX_CHOICES,
  newChoice,
  type StepDraft,
} from './script-draft.js';
import { type Targets, TargetSelect } from './targets.js';

interface StepFieldProps {
  step: StepDraft;
  /** From 0. */
  place: number;
  count: number;
  targets: Targets;
  faults: Record<string, string>;
  isUnreached: boolean;
  set: (step: StepDraft) => void;
  move: (by: 1 | -1) => void;
  remove: () => void;
}

/** A step of a script: its text, and what follows. */
export function StepField(props: StepFieldProps) {
  const text = adminStrings.value.script;
  const { step, place, faults, isUnreached, set } = props;
  const path = `script/steps/${place}`;
  const change = (next: Partial<StepDraft>) => set({ ...step, ...next });
  return (
    <li class="script-step">
      <EntryHead {...props} name={fill(text.step, { number: place + 1 })} isRemovable={props.count > 1} />
      {isUnreached && (
        <p class="warning small">
          <Icon name="alert" />
          {text.unreached}
        </p>
      )}
      <Described label={text.text} name={`${path}/text`} faults={faults}>
        {(attributes) => (
          <textarea
            {...attributes}
            required
            rows={2}
            maxLength={2_000}
            dir="auto"
            value={step.text}
            onInput={({ currentTarget: { value } }) => change({ text: value })}
          />
        )}
      </Described>
      <FollowFields {...props} path={path} />
      <Described label={text.keywords} hint={text.keywordsHint} name={`${path}/keywords`} faults={faults}>
        {(attributes) => (
          <input
            {...attributes}
            maxLength={1_000}
            dir="auto"
            value={step.keywords}
            onInput={({ currentTarget: { value } }) => change({ keywords: value })}
          />
        )}
      </Described>
    </li>
  );
}

/** What follows the text of a step. */
function FollowFields(props: StepFieldProps & { path: string }) {
  const text = adminStrings.value.script;
  const { step, targets, faults, set, path } = props;
  const changeFollow = (follow: Follow) =>
    set({ ...step, follow, choices: step.choices.length > 0 ? step.choices : [newChoice()] });
  return (
    <>
      <Described label={text.follow} name={`${path}/follow`} faults={faults}>
        {(attributes) => (
          <select
            {...attributes}
            value={step.follow}
            onChange={({ currentTarget: { value } }) => changeFollow(value as Follow)}
          >
            {FOLLOWS.map((follow) => (
              <option key={follow} value={follow} selected={follow === step.follow}>
                {text.follows[follow]}
              </option>
            ))}
          </select>
        )}
      </Described>
      {step.follow === 'choices' && <ChoiceFields {...props} path={`${path}/choices`} />}
      {hasTarget(step.follow) && (
        <Described label={text.target} name={`${path}/next`} faults={faults} rule={text.targetRule}>
          {(attributes) => (
            <TargetSelect
              targets={targets}
              value={step.target}
              onChange={(target) => set({ ...step, target })}
              attributes={attributes}
            />
          )}
        </Described>
      )}
    </>
  );
}

function ChoiceFields({ step, targets, faults, set, path }: StepFieldProps & { path: string }) {
  const text = adminStrings.value.script;
  const { choices } = step;
  const list = useRef<HTMLUListElement>(null);
  const put = (next: ChoiceDraft[]) => set({ ...step, choices: next });
  const change = (at: number, next: Partial<ChoiceDraft>) => put(choices.with(at, { ...choices[at]!, ...next }));
  const add = () => {
    put([...choices, newChoice()]);
    onceDrawn(() => list.current?.querySelector<HTMLElement>('li:last-child input')?.focus());
  };
  return (
    <>
      <ul class="script-choices" ref={list}>
        {choices.map(({ label, target }, at) => (
          <li key={at} class="script-choice">
            <Described label={text.label} name={`${path}/${at}/label`} faults={faults} rule={text.labelRule}>
              {(attributes) => (
                <input
                  {...attributes}
                  required
                  maxLength={100}
                  dir="auto"
                  value={label}
                  onInput={({ currentTarget: { value } }) => change(at, { label: value })}
                />
              )}
            </Described>
            <Described label={text.target} name={`${path}/${at}/next`} faults={faults} rule={text.targetRule}>
              {(attributes) => (
                <TargetSelect
                  targets={targets}
                  value={target}
                  onChange={(value) => change(at, { target: value })}
                  attributes={attributes}
                />
              )}
            </Described>
            {choices.length > 1 && (
              <button
                type="button"
                class="button quiet round"
                aria-label={fill(text.removeChoice, { label: label || String(at + 1) })}
                onClick={() => put(choices.filter((_, index) => index !== at))}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {choices.length < MAX_CHOICES && (
        <button type="button" class="button small script-add" onClick={add}>
          <Icon name="plus" />
          {text.addChoice}
        </button>
      )}
    </>
  );
}
