import { PithError } from '../../model/problems/errors.ts'
import type { RemoteServer } from './remote-client.ts'

/** The server of an address. The token is in its fragment or comes separately. */
export function serverOf(address: string, token: string | undefined): RemoteServer {
  const whole = /^https?:\/\//.test(address) ? address : `http://${address}`
  if (!URL.canParse(whole))
    throw new PithError(
      'bad-argument',
      `${address} is not the address of a server: write --server http://127.0.0.1:7484`,
    )
  const { origin, pathname, hash } = new URL(whole)
  const found = token ?? new URLSearchParams(hash.slice(1)).get('token')
  if (found === null || found === '')
    throw new PithError(
      'bad-argument',
      'a server needs a token: add --token or set PITH_TOKEN; pith serve token add creates one',
    )
  return { url: `${origin}${pathname}`, token: found }
}
