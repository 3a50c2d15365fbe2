/**
 * The headers of an HTML page of the service: it may do only what `policy` allows, and no site may frame it.
 * @param others what is allowed of which `policy` says nothing
 */
export function pageHeaders(policy: string, others = "'none'"): Record<string, string> {
  return {
    'Content-Security-Policy': `default-src ${others}; ${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}
