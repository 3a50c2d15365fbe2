import { strings } from '../../locales/strings.js';
import type { Visitor } from '../api.js';

export function nameOfVisitor({ name, email }: Visitor): string {
  return name?.trim() || email?.trim() || strings.value.unnamed;
}
