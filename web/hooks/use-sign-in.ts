import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { WireToken } from '../../src/contract/shapes/shapes.ts'
import { type ApiClient, clientOf } from '../api/api-client.ts'

/** The state of the sign-in, and the functions to sign in and out. */
export type SignInState = {
  readonly client: ApiClient
  /** Undefined until the server has identified the caller, and if it cannot. */
  readonly who: WireToken | undefined
  /** The sign-in form is due. */
  readonly isOut: boolean
  /** Why the last try was refused. */
  readonly refused: string | undefined
  readonly signIn: (secret: AddressSecret) => Promise<void>
  readonly signOut: () => Promise<void>
}

const UNKNOWN: Readonly<Record<AddressSecret['kind'], string>> = {
  token:
    'This server does not know that token. It may have been removed or have expired: ask for a new one, or make one with pith serve token add.',
  link: 'This link was used before or is too old. Make a new one with pith serve link.',
  share: 'This link to a session has ended. Ask for a new one.',
}

/** Signs in with the secret in the address, or with the cookie or link that the browser has already. */
export function useSignIn(): SignInState {
  const [shared, setShared] = useState(sharedSecret)
  const [who, setWho] = useState<WireToken>()
  const [isOut, setOut] = useState(false)
  const [refused, setRefused] = useState<string>()
  const client = useMemo(() => clientOf({ token: shared, onUnknown: () => setOut(true) }), [shared])
  const ask = useCallback(async (asked: ApiClient, kind?: AddressSecret) => {
    const body = kind && { [kind.kind]: kind.secret }
    const answer = await (body === undefined
      ? asked.ask<WireToken>('/v1/token')
      : asked.ask<WireToken>('/v1/sign-in', { method: 'POST', body }))
    setWho(answer.ok ? answer.value : undefined)
    setOut(!answer.ok)
    if (answer.ok) setRefused(undefined)
    else if (answer.status !== 401) setRefused(answer.message)
    else if (kind !== undefined) setRefused(UNKNOWN[kind.kind])
    else if (sharedSecret() !== undefined) setRefused(UNKNOWN.share)
  }, [])
  const signIn = useCallback(async (secret: AddressSecret) => {
    // Removes the parts of the former caller, so that they send no requests with the new rights.
    setWho(undefined)
    setOut(false)
    keepShared(secret.kind === 'share' ? secret.secret : undefined)
    setShared(sharedSecret())
    if (secret.kind !== 'share') await ask(clientOf(), secret)
  }, [])
  const signOut = useCallback(async () => {
    keepShared(undefined)
    setShared(undefined)
    await clientOf().ask('/v1/sign-in', { method: 'DELETE' })
    setWho(undefined)
    setOut(true)
  }, [])
  useLayoutEffect(() => {
    const onHash = () => {
      const secret = takeSecret()
      if (secret !== undefined) void signIn(secret)
      return secret
    }
    addEventListener('hashchange', onHash)
    const secret = onHash()
    if (secret === undefined && shared === undefined) void ask(client)
    return () => removeEventListener('hashchange', onHash)
  }, [])
  useEffect(() => {
    if (shared !== undefined) void ask(client)
  }, [client])
  return { client, who, isOut, refused, signIn, signOut }
}

const KEY = 'pith.share'

/** A secret that an address brought: a token or a one-time link to sign in with, or a link to one session. */
type AddressSecret = { readonly kind: 'token' | 'link' | 'share'; readonly secret: string }

/**
 * The secret in the fragment of the address, which no server and no referrer sees. It is removed from the address bar
 * at once.
 */
function takeSecret(): AddressSecret | undefined {
  const [, kind, text] = /^#(token|link|share)=(.+)$/.exec(location.hash) ?? []
  if (text === undefined || (kind !== 'token' && kind !== 'link' && kind !== 'share')) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return { kind, secret: decodeURIComponent(text) }
}

/** The link to one session that this tab was opened with. It does not change the sign-in of other tabs. */
function sharedSecret(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

/** Keeps a link to one session until the tab is closed; `undefined` removes it. */
function keepShared(secret: string | undefined): void {
  if (secret === undefined) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, secret)
}
