/** The form of a host as sites declare it, `example.org:8080`; `*.example.org` stands for all its subdomains. */
export const HOST = '(\\*\\.)?[a-z0-9-]+(\\.[a-z0-9-]+)*(:\\d+)?'

/** True when an address is at such a host. */
export function isAtHost(url: URL, host: string): boolean {
  return host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host
}
