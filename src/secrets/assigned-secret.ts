import type { SecretRange } from './find-secrets.ts'

/** Values whose name says that they are a password or a key (`API_KEY=…`, `"password": "…"`), and passwords in URLs. */
export function assignedSecrets(text: string): SecretRange[] {
  return [...found(text, ASSIGNED, 'password or key'), ...found(text, IN_URL, 'password in a URL')]
}

const NAME =
  '(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|credentials?)'

/** Adds the positions of `:` and `=` after which a secret may follow. Searching for the names themselves takes three times as long. */
export function addAssignments(places: number[], text: string): void {
  for (const sign of [':', '='])
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1))
      if (endsName(text, at) || isInUrl(text, at)) places.push(at)
}

/** The last two letters of the names, and of `authorization`. */
const ENDS = new Set(
  ['ey', 'rd', 'wd', 'se', 'et', 'en', 'al', 'ls', 'on'].map((end) => (end.charCodeAt(0) << 8) | end.charCodeAt(1)),
)
const NAMED = new RegExp(`(?:${NAME}|authorization)["']?\\s{0,3}$`, 'i')

function endsName(text: string, sign: number): boolean {
  let at = sign - 1
  while (at > sign - 5 && (text[at] === ' ' || text[at] === '"' || text[at] === "'")) at--
  // Bit 32 turns the code of a capital letter into that of the small one.
  const end = ((text.charCodeAt(at - 1) | 32) << 8) | (text.charCodeAt(at) | 32)
  return ENDS.has(end) && NAMED.test(text.slice(Math.max(0, sign - 24), sign))
}

function isInUrl(text: string, sign: number): boolean {
  if (text[sign] !== ':' || text[sign + 1] !== '/' || text[sign + 2] !== '/') return false
  return text.slice(sign, sign + 300).includes('@')
}

/** Matches only a value in quotes, or an unquoted value after a name like `API_KEY=`. Other unquoted values are names in code. */
const ASSIGNED = new RegExp(
  String.raw`(?<![A-Za-z])(?:[\w.-]{0,40}[_.-])?${NAME}(?:[_-][\w-]{0,20})?["']?\s{0,3}(?:=>|:=|[:=])\s{0,3}(?:"([^"\s]{8,200})"|'([^'\s]{8,200})'|(?<=[A-Z_]=)([^\s"'<>(){}[\],;$&|]{8,200})(?=\s|$))`,
  'gi',
)
const IN_URL = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"<>]{0,80}:([^\s/'"<>]{4,200})@[\w.[]/gi

function found(text: string, pattern: RegExp, kind: string): SecretRange[] {
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const value = match.slice(1).find((group) => group !== undefined) ?? ''
    if (!isSecretLike(value)) return []
    const from = match.index + match[0].lastIndexOf(value)
    return [{ from, to: from + value.length, kind }]
  })
}

/** True for a real password: not a placeholder, a reference to a variable or a path, or an ordinary word. */
function isSecretLike(value: string): boolean {
  if (PLACEHOLDER.test(value) || REFERENCE.test(value)) return false
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length
  return kinds >= 3 && /\d/.test(value) && entropyOf(value) >= 3
}

const PLACEHOLDER =
  /example|placeholder|changeme|change_me|your[-_ ]?|dummy|fake|mock|sample|redacted|test|xxx|\.\.\.|\*\*\*|hunter2|secret|passw|token|1234|abcd|foo|bar\b|[…<>]/i
/** A variable, a call, a path, an address, a date, a version, a name of code. */
const REFERENCE =
  /[$%]\{?[A-Za-z_]|\$\(|^(?:\.{0,2}\/|~\/|https?:|[a-z]+:\/\/)|^\d[\d.:T-]*Z?$|^[A-Za-z_][\w.]*\(|^[\w-]+(?:\.[A-Za-z_][\w-]*)+$|^[a-z]+(?:[A-Z][a-z]+)+\d?$/

/** The Shannon entropy of a text, in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
