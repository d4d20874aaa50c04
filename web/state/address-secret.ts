const KEY = 'pith.share'

/** A secret that an address brought: a token or a one-time link to sign in with, or a link to one session. */
export type AddressSecret = { readonly kind: 'token' | 'link' | 'share'; readonly secret: string }

/**
 * The secret in the fragment of the address, which no server and no referrer sees. It is removed from the address bar
 * at once.
 */
export function takeSecret(): AddressSecret | undefined {
  const [, kind, text] = /^#(token|link|share)=(.+)$/.exec(location.hash) ?? []
  if (text === undefined || (kind !== 'token' && kind !== 'link' && kind !== 'share')) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return { kind, secret: decodeURIComponent(text) }
}

/** The link to one session that this tab was opened with. It does not change the sign-in of other tabs. */
export function sharedSecret(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

/** Keeps a link to one session until the tab is closed; `undefined` removes it. */
export function keepShared(secret: string | undefined): void {
  if (secret === undefined) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, secret)
}
