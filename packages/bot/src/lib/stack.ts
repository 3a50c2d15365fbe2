import { ParleyError } from '../errors.js';

/** A tool was called with an invalid argument. */
export class ArgumentError extends TypeError {}

/** An error whose cause is a setting: its stack, which leads into this package, would only hide its sentence. */
export function withoutStack<T extends Error>(error: T): T {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

/** Exists in V8 and JavaScriptCore. Other engines can't leave out our own frames. */
const { captureStackTrace } = Error as { captureStackTrace?: (target: object, above: unknown) => void };

/**
 * Runs a tool's work. Its errors begin with the tool's name, and have the stack of the handler's call.
 * @param tool the function that the handler called
 */
export async function authorsError<T>(name: string, tool: unknown, work: () => Promise<T>): Promise<T> {
  const caller: { stack?: string } = {};
  captureStackTrace?.(caller, tool);
  try {
    return await work();
  } catch (error) {
    // Other errors come from the handler's own stream.
    if (!(error instanceof ParleyError || error instanceof ArgumentError)) throw error;
    error.message = `${name}(): ${error.message}`;
    const frames = caller.stack?.split('\n').slice(1).join('\n');
    if (frames) error.stack = `${error.name}: ${error.message}\n${frames}`;
    throw error;
  }
}
