import type { ConnectionKind } from '../model/connection.js';
import type { Driver } from './driver.js';
import { OpenAiDriver } from './openai.js';

export const DRIVERS: Record<ConnectionKind, Driver> = { openai: new OpenAiDriver() };
