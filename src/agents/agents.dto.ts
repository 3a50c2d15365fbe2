import { isEmail } from 'class-validator';
import { isStorable } from '../common/json.js';
import { Check, Text } from '../common/validators.js';
import { IsOptional } from 'class-validator';

const MAX_GROUPS = 100;
/** No address is longer: what is, is not looked at. */
const MAX_EMAIL_LENGTH = 320;

function findEmailFault(value: unknown): string | null {
  if (value === undefined) return 'is required';
  return typeof value === 'string' && value.length <= MAX_EMAIL_LENGTH && isEmail(value) && isStorable(value)
    ? null
    : 'must be an email address';
}

function findGroupIdsFault(value: unknown): string | null {
  if (!Array.isArray(value) || value.length > MAX_GROUPS) return `must be an array of at most ${MAX_GROUPS} group ids`;
  if (new Set(value).size < value.length) return 'must not name a group twice';
  return value.every((id) => typeof id === 'string' && isStorable(id)) ? null : 'must be an array of group ids';
}

export class CreateAgentDto {
  @Text(1, 200)
  name!: string;

  @Check('email', findEmailFault)
  email!: string;

  @IsOptional()
  @Check('groupIds', findGroupIdsFault)
  groupIds?: string[];
}

export class UpdateAgentDto {
  @Text(1, 200, { optional: true })
  name?: string;

  @IsOptional()
  @Check('email', findEmailFault)
  email?: string;

  @IsOptional()
  @Check('groupIds', findGroupIdsFault)
  groupIds?: string[];
}

/** An agent as administrators see it. */
export interface AgentResponse {
  id: string;
  name: string;
  email: string;
  groupIds: string[];
  createdAt: Date;
}
