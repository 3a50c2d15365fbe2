/**
 * The headers of an HTML page of the service. It may do only what the policy allows, and no site may frame it.
 * @param others further directives of the policy
 */
export function pageHeaders(policy: string, others = "'none'"): Record<string, string> {
  return {
    'Content-Security-Policy': `default-src ${others}; ${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

/**
 * The directives that let a page with a chat send and show files. Pictures of messages come from anywhere.
 * @param origins where uploads go, and sounds and videos come from
 */
export function fileDirectives(origins: readonly string[]): string {
  const places = origins.join(' ');
  return `connect-src 'self' ${places}; img-src 'self' data: blob: http: https:; media-src 'self' blob: ${places}`;
}
