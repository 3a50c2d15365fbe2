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
