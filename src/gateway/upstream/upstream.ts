/** A provider that requests may be sent to. */
export type Upstream = { readonly name: string; readonly url: URL }

/**
 * The address of a path at an upstream. Some clients put the version into the path and some into the base URL: a version
 * that stands at the end of one and the start of the other is written once.
 */
export function addressAt({ url }: Upstream, path: string): URL {
  const base = baseOf(url)
  const version = /\/v\d+\w*$/.exec(base)?.[0]
  const rest = version !== undefined && path.startsWith(`${version}/`) ? path.slice(version.length) : path
  return new URL(`${url.origin}${base}${rest}`)
}

/** False for a path that leads out of the upstream's own, with `..` in it. */
export function isBelow(upstream: Upstream, path: string): boolean {
  return addressAt(upstream, path).pathname.startsWith(`${baseOf(upstream.url)}/`)
}

function baseOf(url: URL): string {
  return url.pathname.replace(/\/+$/, '')
}
