import { IsOptional } from 'class-validator';
import { OneOf, Text } from '../../platform/http/validators.js';

const MODES = ['cookie', 'token'] as const;
/** The most characters of a token that is looked at. */
const MAX_TOKEN = 320;

export class SignInWithLinkDto {
  @Text(1, MAX_TOKEN)
  token!: string;

  /** Whether the session is kept in a cookie, or answered as a token. */
  @IsOptional()
  @OneOf(MODES)
  mode: (typeof MODES)[number] = 'cookie';
}
