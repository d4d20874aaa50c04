import { authorization, cookies, isUserAndPassword } from './header-secrets.ts'
import { characterTable, readValue, skipBlanks } from './read-value.ts'
import type { SecretRange } from './secret-range.ts'
import { isSecretValue, type ValuePlace } from './secret-value.ts'

/**
 * The secrets after this `:`, `=` or `>` whose name says what they are: `DB_PASSWORD=…`, `"client_secret": "…"`, `X-Api-Key: …`,
 * `<password>…`. It reads only a limited number of characters around the sign.
 */
export function namedSecrets(text: string, sign: number): SecretRange[] {
  const end = nameEnd(text, sign)
  NAME.lastIndex = end
  const name = NAME.exec(text)?.groups
  if (name === undefined) return []
  const start = skipBlanks(text, sign + 1)
  if (name.cookie !== undefined) return cookies(text, start)
  if (name.authorization !== undefined) return authorization(text, start)
  const place = placeOf(text, sign, end)
  // Many things are called `…_key` in code, so there the name must say that it is one of a secret.
  if (name.other !== undefined && place === 'data') return []
  const value = readValue(text, start)
  if (value === undefined || (!value.isWhole && place === 'data')) return []
  const { from, to } = value
  const read = text.slice(from, to)
  // In code, a name is often given its own value: `exports.AuthMd5Password = AuthMd5Password`.
  if (text.endsWith(read, end)) return []
  const isSecret =
    name.login === undefined
      ? isSecretValue(read, name.password === undefined ? 'key' : 'password', place)
      : isUserAndPassword(read)
  return isSecret ? [{ from, to, kind: 'password or key' }] : []
}

/** The start of a word, also after a line end in JSON. */
const START = String.raw`(?:(?<![a-z])|(?<=\\[nrt]))`
const WORDS = `passw(?:or)?d|passphrase|${START}(?<!-)pass|_pwd|secret|token|credentials?|_auth|_salt`
const OF_KEYS =
  'api|access|account|private|secret|encryption|signing|master|auth|session|shared|service|storage|license|webhook|client|deploy|app|jwt|hmac|fernet|admin|subscription'
const VERSION = '(?:[_-](?:base|prod|production|dev|staging|live|old|new|v?[0-9]))?'

/** The name that ends at a position. It is read backwards from there, so nothing is searched. */
const NAME = new RegExp(
  [
    `(?<=(?<password>(?:${WORDS})${VERSION})`,
    `(?<key>(?:${OF_KEYS})(?:access)?[_.-]?key${VERSION})`,
    `${START}(?<cookie>(?:set-)?cookie)`,
    `${START}(?<authorization>(?:proxy-)?authorization)`,
    // In the configuration of Docker
    '(?<=")(?<login>auth)',
    '(?<!public|primary|foreign|cache|publishable)(?<other>[_-]key))',
  ].join('|'),
  'iy',
)

/** The end of the name before a sign: `"name" :`, `env["NAME"] =`, `\"name\":`, `name :=`. */
function nameEnd(text: string, sign: number): number {
  const least = sign - MOST_AROUND
  let at = sign
  while (at > least && AROUND_NAME[text.charCodeAt(at - 1)] === 1) at--
  return at
}

const MOST_AROUND = 5
const AROUND_NAME = characterTable(` "'\\]:=`)

/** False if the two letters before this sign end none of the names: so it is with nearly all signs. */
export function mayEndName(text: string, sign: number): boolean {
  const end = nameEnd(text, sign)
  // Bit 32 turns the code of a capital letter into that of the small one.
  const one = text.charCodeAt(end - 2) | 32
  const two = text.charCodeAt(end - 1) | 32
  return one < 128 && two < 128 && ENDS[(one << 7) | two] === 1
}

const ENDS = new Uint8Array(1 << 14)
const ENDS_OF_NAMES = 'rd wd se ss et en al ls th lt ey ie on'
const ENDS_OF_VERSIONS = 'od ev ng ve ld ew'
const DIGITS = [...'0123456789'].flatMap((digit) => ['v', '_', '-'].map((before) => before + digit))
for (const end of [...`${ENDS_OF_NAMES} ${ENDS_OF_VERSIONS}`.split(' '), ...DIGITS])
  ENDS[((end.charCodeAt(0) | 32) << 7) | (end.charCodeAt(1) | 32)] = 1

function placeOf(text: string, sign: number, end: number): ValuePlace {
  LITERAL_AFTER.lastIndex = end
  if (text[sign] === '=' && end === sign && /\S/.test(text.charAt(sign + 1)) && CAPITALS.test(text.slice(end - 3, end)))
    return 'shell'
  return LITERAL_AFTER.test(text) ? 'shell' : 'data'
}

const CAPITALS = /^[A-Z_][A-Z_0-9]{2}$/

/** `?token=`, `;Password=`, `--token=`, `X-Api-Key:`. */
const LITERAL_AFTER = /(?<=[?&;][\w-]{2,40}|(?<![\w-])--[\w-]{2,40}|(?<![\w-])[Xx](?:-[A-Za-z]{2,20}){1,5})/y
