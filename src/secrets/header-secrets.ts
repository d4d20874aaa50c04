import type { SecretRange } from './secret-range.ts'
import { isSecretValue } from './secret-value.ts'

/** The secret values of `Cookie: a=…; b=…` and of `Set-Cookie`, whose settings (`Path=/`) do not look like secrets. */
export function cookies(text: string, start: number): SecretRange[] {
  const found: SecretRange[] = []
  COOKIE.lastIndex = start
  for (let match = COOKIE.exec(text); match !== null && match.index < start + LONGEST; match = COOKIE.exec(text)) {
    const value = match[1] ?? ''
    const from = match.index + match[0].length - value.length
    if (isSecretValue(value, 'key', 'shell')) found.push({ from, to: from + value.length, kind: 'cookie' })
  }
  return found
}

const LONGEST = 4_000
const COOKIE = /(?:["'\\]{0,3}|; {0,2})[\w.~-]{1,80}=([^\s;"'\\,<>]{1,2000})|; {0,2}[A-Za-z]{1,20}(?=;)/y

/** The secret of `Authorization: Bearer …`. */
export function authorization(text: string, start: number): SecretRange[] {
  AUTHORIZATION.lastIndex = start
  const [whole = '', scheme = '', value = ''] = AUTHORIZATION.exec(text) ?? []
  const isSecret = /basic/i.test(scheme) ? isUserAndPassword(value) : isSecretValue(value, 'key', 'shell')
  const to = start + whole.length
  return isSecret ? [{ from: to - value.length, to, kind: 'Authorization header' }] : []
}

const AUTHORIZATION =
  /[\\"'`]{0,3}((?:Basic|Bearer|Token|ApiKey|Api-Key|Key|Negotiate|GenieKey|SSWS)[ =:]{1,3})?([^\s"'`\\<>(){}[\],;]{8,4000})/iy

/** True for `user:password` in base64, unless the password is a placeholder. */
export function isUserAndPassword(encoded: string): boolean {
  const [, password = ''] = fromBase64(encoded).split(':', 2)
  return isSecretValue(password, 'password', 'shell')
}

/** The text in base64 of either alphabet. Other characters are skipped: the value may have been cut or quoted. */
function fromBase64(encoded: string): string {
  const digits = encoded
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replaceAll(/[^A-Za-z0-9+/]/g, '')
  // A last digit alone holds no byte.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits
  return new TextDecoder().decode(Uint8Array.from(atob(whole), (character) => character.charCodeAt(0)))
}
