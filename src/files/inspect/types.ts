interface FileType {
  /** The first one is appended to a name that has none of them. */
  extensions: readonly string[];
  isInline?: boolean;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

/** The types of files that are accepted (CONTRACT: Files). */
export const FILE_TYPES = new Map<string, FileType>([
  ['image/png', { extensions: ['png'], isInline: true }],
  ['image/jpeg', { extensions: ['jpg', 'jpeg'], isInline: true }],
  ['image/gif', { extensions: ['gif'], isInline: true }],
  ['image/webp', { extensions: ['webp'], isInline: true }],
  ['image/avif', { extensions: ['avif'], isInline: true }],
  ['image/heic', { extensions: ['heic', 'heif'] }],
  ['video/mp4', { extensions: ['mp4', 'm4v'], isInline: true }],
  ['video/webm', { extensions: ['webm'], isInline: true }],
  ['video/ogg', { extensions: ['ogv'], isInline: true }],
  ['video/quicktime', { extensions: ['mov'] }],
  ['audio/mpeg', { extensions: ['mp3'], isInline: true }],
  ['audio/ogg', { extensions: ['ogg', 'oga', 'opus'], isInline: true }],
  ['audio/mp4', { extensions: ['m4a', 'mp4'], isInline: true }],
  ['audio/webm', { extensions: ['webm', 'weba'], isInline: true }],
  ['application/pdf', { extensions: ['pdf'] }],
  ['application/zip', { extensions: ['zip'] }],
  [`${OFFICE}.wordprocessingml.document`, { extensions: ['docx'] }],
  [`${OFFICE}.spreadsheetml.sheet`, { extensions: ['xlsx'] }],
  [`${OFFICE}.presentationml.presentation`, { extensions: ['pptx'] }],
  [`${OPEN_DOCUMENT}.text`, { extensions: ['odt'] }],
  [`${OPEN_DOCUMENT}.spreadsheet`, { extensions: ['ods'] }],
  [`${OPEN_DOCUMENT}.presentation`, { extensions: ['odp'] }],
  ['text/plain', { extensions: ['txt', 'log', 'md', 'json', 'yaml', 'yml', 'toml', 'ini', 'tsv', 'srt', 'vtt'] }],
  ['text/csv', { extensions: ['csv'] }],
]);

/** The type of an Office document, by the part that makes it one. */
export const OFFICE_TYPES = new Map([
  ['word/document.xml', `${OFFICE}.wordprocessingml.document`],
  ['xl/workbook.xml', `${OFFICE}.spreadsheetml.sheet`],
  ['ppt/presentation.xml', `${OFFICE}.presentationml.presentation`],
]);

/** Whether browsers may show files of the type inline (CONTRACT: Delivery of files). */
export function isShownInline(type: string): boolean {
  return FILE_TYPES.get(type)?.isInline === true;
}

/** The value of the header `Content-Type`: with the encoding, for texts. */
export function contentType(type: string): string {
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}
