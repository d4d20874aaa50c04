/**
 * The providers of a user's own configuration that can be upstreams: their names stand in a path, and their addresses
 * are plain ones, without a placeholder that only the agent fills in.
 */
export function ownUpstreams(addresses: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(addresses).flatMap(([name, url]) =>
      url !== undefined && /^[\w.-]+$/.test(name) && /^https?:\/\/[^{}$]+$/.test(url) && URL.canParse(url)
        ? [[name, url]]
        : [],
    ),
  )
}
