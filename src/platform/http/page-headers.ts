/** The headers of an HTML page of the service: it may do only what `policy` allows, and no site may frame it. */
export function pageHeaders(policy: string): Record<string, string> {
  return {
    'Content-Security-Policy': `default-src 'none'; ${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}
