import { Text } from '../../platform/http/validators.js';
import type { Bot } from '../../bots/bot.entity.js';

export class CreateBotDto {
  @Text(1, 200)
  name!: string;
}

export class UpdateBotDto {
  @Text(1, 200, { optional: true })
  name?: string;
}

export function toBotResponse({ id, name, createdAt }: Bot) {
  return { id, name, createdAt };
}
