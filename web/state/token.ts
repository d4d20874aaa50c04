const KEY = 'pith.token'

/**
 * The token of this tab. It comes in the URL's fragment (`#token=…`), which no server and no referrer sees, and is
 * taken out of the address bar at once.
 */
export function takeToken(): string | undefined {
  const given = /^#token=(.+)$/.exec(location.hash)?.[1]
  if (given === undefined) return sessionStorage.getItem(KEY) ?? undefined
  history.replaceState(null, '', location.pathname + location.search)
  return keepToken(decodeURIComponent(given))
}

/** Keeps a token until the tab is closed. */
export function keepToken(token: string): string {
  sessionStorage.setItem(KEY, token)
  return token
}

/** Forgets the token of this tab. */
export function forgetToken(): void {
  sessionStorage.removeItem(KEY)
}
