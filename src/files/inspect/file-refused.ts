export type FileRefusal = 'type_not_allowed' | 'image_too_large';

/** The bytes can't be accepted (CONTRACT: Uploads). The refusal is final: the same bytes are always refused. */
export class FileRefused extends Error {
  constructor(
    readonly code: FileRefusal,
    message: string,
  ) {
    super(message);
    this.name = 'FileRefused';
  }
}

/** @throws FileRefused type_not_allowed, with the reason for logs */
export function refuse(reason: string): never {
  throw new FileRefused('type_not_allowed', reason);
}
