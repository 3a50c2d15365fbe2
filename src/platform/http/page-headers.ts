/** The headers of a page of the service: it may do what `policy` allows and nothing else, and no site may frame it. */
export function pageHeaders(policy: string): Record<string, string> {
  return {
    'Content-Security-Policy': `default-src 'none'; ${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}
