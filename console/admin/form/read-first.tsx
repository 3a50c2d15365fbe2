import type { ComponentChildren } from 'preact';
import { Dialog } from '../../ui/parts/dialog.js';
import { Loaded } from '../parts/loaded.js';
import { useReading } from '../parts/reading.js';

interface ReadFirstProps<T> {
  read: () => Promise<T>;
  /** The title, and a class for the shape, of the dialog. */
  title: string;
  form?: string;
  onClose: () => void;
  children: (value: T) => ComponentChildren;
}

/** A dialog that reads its resource first, because rows of lists have no version. */
export function ReadFirst<T>({ read, title, form, onClose, children }: ReadFirstProps<T>) {
  const reading = useReading(read);
  if (reading.value) return <>{children(reading.value)}</>;
  return (
    <Dialog title={title} form={form} onClose={onClose}>
      <Loaded of={reading}>{() => null}</Loaded>
    </Dialog>
  );
}
