import { ParleyError } from '../errors.js';

/** A tool was called with what it does not take. */
export class ArgumentError extends TypeError {}

/** The frames of V8 and JavaScriptCore; other engines cannot leave out ours. */
const { captureStackTrace } = Error as { captureStackTrace?: (target: object, above: unknown) => void };

/**
 * Does what a tool does. An error of the call begins with the tool's name, and has the stack of the handler that called.
 * @param tool the function that the handler called
 */
export async function authorsError<T>(name: string, tool: unknown, work: () => Promise<T>): Promise<T> {
  const caller: { stack?: string } = {};
  captureStackTrace?.(caller, tool);
  try {
    return await work();
  } catch (error) {
    // What a stream of the handler throws is its own.
    if (!(error instanceof ParleyError || error instanceof ArgumentError)) throw error;
    error.message = `${name}(): ${error.message}`;
    const frames = caller.stack?.split('\n').slice(1).join('\n');
    if (frames) error.stack = `${error.name}: ${error.message}\n${frames}`;
    throw error;
  }
}
