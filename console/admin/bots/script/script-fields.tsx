import { useRef } from 'preact/hooks';
import { adminStrings } from '../../../locales/admin-strings.js';
import { onceDrawn } from '../../../ui/screen.js';
import { Icon } from '../../../ui/parts/icon.js';
import { type AdminGroup, readAll } from '../../api.js';
import { Loaded } from '../../parts/loaded.js';
import { useReading } from '../../parts/reading.js';
import { Described } from '../../form/described.js';
import { MAX_STEPS, newStep, type ScriptDraft, type StepDraft, unreachable, withoutStep } from './script-draft.js';
import { StepField } from './step-field.js';
import { targetsOf } from './targets.js';

interface ScriptFieldsProps {
  script: ScriptDraft;
  faults: Record<string, string>;
  onChange: (script: ScriptDraft) => void;
}

const MODES = ['builtIn', 'own'] as const;

/** What a scripted bot says: the built-in script, or steps that are edited here. */
export function ScriptFields({ script, faults, onChange }: ScriptFieldsProps) {
  const text = adminStrings.value.script;
  const groups = useReading(() => readAll<AdminGroup>('/groups', 'groups'));
  const set = (change: Partial<ScriptDraft>) => onChange({ ...script, ...change });
  return (
    <>
      <fieldset class="field choices-field">
        <legend class="field-name">{text.mode}</legend>
        {MODES.map((mode) => (
          <label class="choice-line" key={mode}>
            <input type="radio" name="mode" checked={script.mode === mode} onChange={() => set({ mode })} />
            <span>
              <b>{text.modes[mode]}</b>
              <span class="hint small">{text.modeHints[mode]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {script.mode === 'own' && (
        <Loaded of={groups}>{(rows) => <Steps script={script} set={set} faults={faults} groups={rows} />}</Loaded>
      )}
    </>
  );
}

interface StepsProps {
  script: ScriptDraft;
  set: (change: Partial<ScriptDraft>) => void;
  faults: Record<string, string>;
  groups: readonly AdminGroup[];
}

function Steps({ script, set, faults, groups }: StepsProps) {
  const text = adminStrings.value.script;
  const { steps } = script;
  const list = useRef<HTMLOListElement>(null);
  const focus = (at: number, selector: string) =>
    onceDrawn(() => list.current?.children[at]?.querySelector<HTMLElement>(selector)?.focus());
  const put = (at: number, step: StepDraft) => set({ steps: steps.map((one, index) => (index === at ? step : one)) });
  const move = (at: number, by: 1 | -1) => {
    set({ steps: steps.with(at, steps[at + by]!).with(at + by, steps[at]!) });
    focus(at + by, by < 0 ? '.script-up' : '.script-down');
  };
  const removeAt = (at: number) => {
    set({ steps: withoutStep(steps, steps[at]!.id) });
    focus(Math.max(0, at - 1), 'textarea');
  };
  const add = () => {
    set({ steps: [...steps, newStep(steps)] });
    focus(steps.length, 'textarea');
  };
  const unreached = unreachable(steps);
  const whole = faults.script && !Object.keys(faults).some((name) => name.startsWith('script/')) ? faults.script : '';
  return (
    <>
      <p class="hint small">{text.stepsHint}</p>
      {whole && <p class="fault small">{whole}</p>}
      <ol class="script-steps" ref={list}>
        {steps.map((step, at) => (
          <StepField
            key={step.id}
            step={step}
            place={at}
            count={steps.length}
            targets={targetsOf(steps, groups)}
            faults={faults}
            isUnreached={unreached.has(step.id)}
            set={(changed) => put(at, changed)}
            move={(by) => move(at, by)}
            remove={() => removeAt(at)}
          />
        ))}
      </ol>
      {steps.length < MAX_STEPS && (
        <button type="button" class="button small script-add" onClick={add}>
          <Icon name="plus" />
          {text.addStep}
        </button>
      )}
      <Fallback script={script} set={set} faults={faults} groups={groups} />
    </>
  );
}

/** What happens if the bot doesn't understand. */
function Fallback({ script: { fallback }, set, faults, groups }: StepsProps) {
  const text = adminStrings.value.script;
  const change = (next: Partial<ScriptDraft['fallback']>) => set({ fallback: { ...fallback, ...next } });
  return (
    <fieldset class="field script-step">
      <legend class="field-name">{text.fallback}</legend>
      <Described label={text.fallbackText} hint={text.fallbackTextHint} name="script/fallback/text" faults={faults}>
        {(attributes) => (
          <textarea
            {...attributes}
            rows={2}
            maxLength={2_000}
            dir="auto"
            value={fallback.text}
            onInput={({ currentTarget: { value } }) => change({ text: value })}
          />
        )}
      </Described>
      <Described label={text.misses} hint={text.missesHint} name="script/fallback/misses" faults={faults}>
        {(attributes) => (
          <input
            {...attributes}
            type="number"
            required
            min={1}
            max={5}
            value={Number.isNaN(fallback.misses) ? '' : fallback.misses}
            onInput={({ currentTarget: { valueAsNumber } }) => change({ misses: valueAsNumber })}
          />
        )}
      </Described>
      <Described label={text.fallbackGroup} name="script/fallback/groupId" faults={faults}>
        {(attributes) => (
          <select
            {...attributes}
            value={fallback.groupId}
            onChange={({ currentTarget: { value } }) => change({ groupId: value })}
          >
            <option value="">{text.defaultGroup}</option>
            {groups.map(({ id, name }) => (
              <option key={id} value={id} selected={id === fallback.groupId}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Described>
    </fieldset>
  );
}
