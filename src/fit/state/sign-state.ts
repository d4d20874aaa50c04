import { PithError } from '../../model/problems/errors.ts'
import { toBase64 } from '../../model/values.ts'
import { type ContextState, readState } from './context-state.ts'

/**
 * A state as a text that may pass through a browser: without the secret it can be read, but not changed. The secret is
 * any text of at least 16 characters that stays on the server.
 *
 * @example
 * ```ts
 * import { fit, signState } from 'pith'
 *
 * const { state } = await fit(messages, { window: 200_000 })
 * const text = await signState(state, 'a secret of the server') // this may be sent to a browser
 * ```
 */
export async function signState(state: ContextState, secret: string): Promise<string> {
  const body = urlSafe(toBase64(new TextEncoder().encode(JSON.stringify(state))))
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret), new TextEncoder().encode(body))
  return `${body}.${urlSafe(toBase64(new Uint8Array(signature)))}`
}

/**
 * The state in a text of `signState`. A text that was not signed with this secret is refused.
 *
 * @example
 * ```ts
 * import { fit, openState, signState } from 'pith'
 *
 * const { state } = await fit(messages, { window: 200_000 })
 * const back = await openState(await signState(state, 'a secret of the server'), 'a secret of the server')
 * await fit(messages, { window: 200_000, state: back })
 * ```
 */
export async function openState(signed: string, secret: string): Promise<ContextState> {
  const [body = '', signature = ''] = typeof signed === 'string' ? signed.split('.') : []
  const isOurs = await crypto.subtle
    .verify('HMAC', await keyOf(secret), bytesOf(signature), new TextEncoder().encode(body))
    .catch(() => false)
  if (!isOurs) throw new PithError('bad-state', 'state: its signature does not match this secret')
  return readState(JSON.parse(new TextDecoder().decode(bytesOf(body))))
}

const LEAST_SECRET = 16

function keyOf(secret: string) {
  if (typeof secret !== 'string' || secret.length < LEAST_SECRET)
    throw new PithError('bad-argument', `the secret of a state has at least ${LEAST_SECRET} characters`)
  const bytes = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The bytes of a URL-safe text; none for a text that is not one. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text)) return new Uint8Array()
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
