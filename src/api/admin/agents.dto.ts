import { isEmail, IsOptional } from 'class-validator';
import { MAX_ID_LENGTH } from '../../platform/lib/ids.js';
import type { AgentChange, NewAgent } from '../../agents/agents.service.js';
import { Check, findTextFault, Text } from '../../platform/http/validators.js';

const MAX_GROUPS = 100;
/** The longest email address (RFC 5321), in characters. */
const MAX_EMAIL_LENGTH = 254;

// Checks the text first: isEmail throws on a lone surrogate, and is slow on long texts.
function findEmailFault(value: unknown): string | null {
  return findTextFault(value, 1, MAX_EMAIL_LENGTH) ?? (isEmail(value) ? null : 'must be an email address');
}

function findGroupIdsFault(value: unknown): string | null {
  if (!Array.isArray(value) || value.length > MAX_GROUPS) return `must be an array of at most ${MAX_GROUPS} group ids`;
  if (new Set(value).size < value.length) return 'must not name a group twice';
  return value.every((id) => findTextFault(id, 1, MAX_ID_LENGTH) === null) ? null : 'must be an array of group ids';
}

export class CreateAgentDto implements NewAgent {
  @Text(1, 200)
  name!: string;

  @Check('email', findEmailFault)
  email!: string;

  @IsOptional()
  @Check('groupIds', findGroupIdsFault)
  groupIds?: string[];
}

export class UpdateAgentDto implements AgentChange {
  @Text(1, 200, { optional: true })
  name?: string;

  @IsOptional()
  @Check('email', findEmailFault)
  email?: string;

  @IsOptional()
  @Check('groupIds', findGroupIdsFault)
  groupIds?: string[];
}
