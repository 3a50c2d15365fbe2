import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ACTIONS,
  type Ask,
  ASKS,
  DEFAULT_MISSES,
  type Script,
  SCRIPT_LIMITS,
  type ScriptChoice,
  type ScriptFallback,
  type ScriptNext,
  type ScriptStep,
} from '../../bot-connections/model/script.js';

const text = (maxLength: number) => ({ type: String, minLength: 1, maxLength });

class ScriptNextResponse {
  @ApiProperty({ enum: [...ACTIONS], description: 'Goes to a step, hands the chat over, or closes it' })
  action!: ScriptNext['action'];

  @ApiPropertyOptional({ ...text(SCRIPT_LIMITS.id), description: '`step`: the id of the step' })
  step?: string;

  @ApiPropertyOptional({
    type: String,
    description: "`hand_over`: the group. Default: the connection's `targetGroupId`",
  })
  groupId?: string;
}

class ScriptChoiceResponse implements Omit<ScriptChoice, 'next'> {
  @ApiProperty({ ...text(SCRIPT_LIMITS.label), description: 'What the button says' })
  label!: string;

  @ApiProperty({ type: () => ScriptNextResponse })
  next!: ScriptNextResponse;
}

class ScriptStepResponse implements Omit<ScriptStep, 'next' | 'choices'> {
  @ApiProperty({ ...text(SCRIPT_LIMITS.id), example: 'hours', description: 'Letters, digits, `_`, and `-`' })
  id!: string;

  @ApiProperty({ ...text(SCRIPT_LIMITS.text), description: 'Markdown' })
  text!: string;

  @ApiPropertyOptional({ type: () => [ScriptChoiceResponse], minItems: 1, maxItems: SCRIPT_LIMITS.choices })
  choices?: ScriptChoiceResponse[];

  @ApiPropertyOptional({
    enum: [...ASKS],
    description: 'What the visitor types: any text, their name, or their e-mail address',
  })
  ask?: Ask;

  @ApiPropertyOptional({ type: () => ScriptNextResponse, description: 'What follows without a choice' })
  next?: ScriptNextResponse;

  @ApiPropertyOptional({
    type: [String],
    maxItems: SCRIPT_LIMITS.keywords,
    description: `Words that lead here, each with 1 to ${SCRIPT_LIMITS.keyword} characters`,
  })
  keywords?: string[];
}

class ScriptFallbackResponse implements ScriptFallback {
  @ApiPropertyOptional({ ...text(SCRIPT_LIMITS.text), description: "Default: a sentence in the chat's language" })
  text?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: SCRIPT_LIMITS.misses,
    description: `The miss that hands the chat over. Default: ${DEFAULT_MISSES}`,
  })
  misses?: number;

  @ApiPropertyOptional({ type: String, description: 'The group that gets the chat then' })
  groupId?: string;
}

/** What a scripted bot says (CONTRACT: Scripts). */
export class ScriptResponse implements Pick<Script, 'fallback'> {
  @ApiProperty({ type: () => [ScriptStepResponse], minItems: 1, maxItems: SCRIPT_LIMITS.steps })
  steps!: ScriptStepResponse[];

  @ApiPropertyOptional({ type: () => ScriptFallbackResponse })
  fallback?: ScriptFallbackResponse;
}
