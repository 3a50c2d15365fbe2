/** The URL for reaching, from this machine, a service that listens on a host and port. */
export function localUrl(host: string, port: string | number): string {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
