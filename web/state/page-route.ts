/** The current screen. It is in the fragment of the address, so that Back and bookmarks work. */
export type PageRoute = {
  readonly session?: string
  /** The seq of the compaction on the screen. */
  readonly compaction?: number
  /** The seq of the entry in the side column. */
  readonly entry?: number
  /** The folder of the project whose memory is on the screen; an empty text for the project that was used last. */
  readonly memory?: string
  /** The tokens of the server are on the screen. */
  readonly tokens?: true
}

/** `#/session/compaction?entry=12`, `#/?memory=folder` or `#/?tokens` as a route; anything else is the list of sessions. */
export function parseRoute(hash: string): PageRoute {
  if (hash === '#/?tokens') return { tokens: true }
  const memory = /^#\/\?memory(?:=(.*))?$/.exec(hash)
  if (memory !== null) return { memory: decoded(memory[1] ?? '') }
  const match = /^#\/([^/?]+)(?:\/(\d+))?(?:\?entry=(\d+))?$/.exec(hash)
  if (match?.[1] === undefined) return {}
  const [, session, compaction, entry] = match
  return { session: decoded(session), compaction: numberOf(compaction), entry: numberOf(entry) }
}

/** The address of a route. */
export function routeHash({ session, compaction, entry, memory, tokens }: PageRoute): string {
  if (tokens === true) return '#/?tokens'
  if (memory !== undefined) return memory === '' ? '#/?memory' : `#/?memory=${encodeURIComponent(memory)}`
  if (session === undefined) return '#/'
  const path = `#/${encodeURIComponent(session)}${compaction === undefined ? '' : `/${compaction}`}`
  return entry === undefined ? path : `${path}?entry=${entry}`
}

/** Goes to a route; `replace` leaves no step to go back to. */
export function go(route: PageRoute, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', routeHash(route))
  else history.replaceState(null, '', routeHash(route))
  dispatchEvent(new HashChangeEvent('hashchange'))
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
