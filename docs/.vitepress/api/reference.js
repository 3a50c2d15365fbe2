// Shows the document that the page names, in the theme that the reader chose in the documentation.
const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const reference = Scalar.createApiReference('#app', configuration());
darkSystem.addEventListener('change', () => reference.updateConfiguration(configuration()));

function configuration() {
  const chosen = localStorage.getItem('vitepress-theme-appearance') ?? 'auto';
  const isDark = chosen === 'dark' || (chosen === 'auto' && darkSystem.matches);
  document.documentElement.classList.toggle('dark', isDark);
  return {
    url: document.documentElement.dataset.document,
    authentication: { preferredSecurityScheme: document.documentElement.dataset.security },
    forceDarkModeState: isDark ? 'dark' : 'light',
    hideDarkModeToggle: true,
    theme: 'default',
    documentDownloadType: 'json',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    orderSchemaPropertiesBy: 'preserve',
    // Nothing leaves the installation. The policy of the page would stop it too.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  };
}
