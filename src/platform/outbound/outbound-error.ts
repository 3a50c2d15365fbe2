import { RefusedError } from './address-guard.js';

const MESSAGES: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EADDRNOTAVAIL: 'address not available',
  ENOTFOUND: 'host not found',
  ENODATA: 'host not found',
  EAI_AGAIN: 'host lookup failed',
  EAI_NODATA: 'host not found',
  ESERVFAIL: 'host lookup failed',
  ETIMEOUT: 'host lookup timed out',
  CERT_HAS_EXPIRED: 'certificate expired',
  CERT_NOT_YET_VALID: 'certificate not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host',
  EPROTO: 'TLS handshake failed',
  UND_ERR_SOCKET: 'connection closed',
  UND_ERR_HEADERS_OVERFLOW: 'too many headers in the answer',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'answer was cut off',
};

/** Describes an attempt's error in plain text. */
export function describeError(error: unknown): string {
  if (error instanceof RefusedError) return `refused: ${error.message}`;
  const { code = '', name, cause, errors } = error as Error & { code?: string; errors?: unknown[] };
  const message = MESSAGES[code];
  if (message) return message;
  if (errors?.length) return describeError(errors[0]);
  if (name === 'HTTPParserError') return 'answer was not HTTP';
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'TLS handshake failed';
  if (cause) return describeError(cause);
  return code ? `failed (${code})` : 'failed';
}
