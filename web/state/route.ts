import { useLayoutEffect, useState } from 'preact/hooks'

/** What the page shows; it is the fragment of the address, so that going back works and a view can be bookmarked. */
export type Route = {
  readonly session?: string
  /** The seq of a compaction that is looked at. */
  readonly compaction?: number
  /** The seq of the entry that is open beside it. */
  readonly entry?: number
}

/** `#/session/compaction?entry=12` as a route; anything else is the list of sessions. */
function parseRoute(hash: string): Route {
  const match = /^#\/([^/?]+)(?:\/(\d+))?(?:\?entry=(\d+))?$/.exec(hash)
  if (match?.[1] === undefined) return {}
  const [, session, compaction, entry] = match
  return {
    session: decoded(session),
    ...(compaction === undefined ? {} : { compaction: Number(compaction) }),
    ...(entry === undefined ? {} : { entry: Number(entry) }),
  }
}

/** The address of a route. */
export function hashOf({ session, compaction, entry }: Route): string {
  if (session === undefined) return '#/'
  const path = `#/${encodeURIComponent(session)}${compaction === undefined ? '' : `/${compaction}`}`
  return entry === undefined ? path : `${path}?entry=${entry}`
}

/** Goes to a route; `replace` leaves no step to go back to. */
export function go(route: Route, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', hashOf(route))
  else history.replaceState(null, '', hashOf(route))
  dispatchEvent(new HashChangeEvent('hashchange'))
}

/** The route of the address bar, as it changes. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useLayoutEffect(() => {
    const read = () => setRoute(parseRoute(location.hash))
    addEventListener('hashchange', read)
    addEventListener('popstate', read)
    // It may have changed since the first look.
    read()
    return () => {
      removeEventListener('hashchange', read)
      removeEventListener('popstate', read)
    }
  }, [])
  return route
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
