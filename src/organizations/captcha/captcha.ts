export const CAPTCHA_PROVIDERS = ['TURNSTILE', 'HCAPTCHA'] as const;
export type CaptchaProvider = (typeof CAPTCHA_PROVIDERS)[number];

/** Where each provider checks what a visitor solved. Both take the same form and return the same JSON. */
export const VERIFY_URLS: Record<CaptchaProvider, string> = {
  TURNSTILE: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  HCAPTCHA: 'https://api.hcaptcha.com/siteverify',
};

/** The captcha that an organization's new visitors solve, without its secret. */
export interface Captcha {
  provider: CaptchaProvider;
  siteKey: string;
  /** The address that checks it instead of the provider's; null: the provider's. */
  verifyUrl: string | null;
}

/** What a page needs to show it. */
export type PublicCaptcha = Pick<Captcha, 'provider' | 'siteKey'>;

/** What the version of an organization's captcha is derived from. */
export const versionedCaptcha = ({ captcha }: { captcha: Captcha | null }) => {
  if (captcha === null) return { captcha };
  const { provider, siteKey, verifyUrl } = captcha;
  return { captcha: { provider, siteKey, verifyUrl } };
};
