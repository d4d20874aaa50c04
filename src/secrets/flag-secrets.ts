import { characterTable, readValue } from './read-value.ts'
import type { SecretRange } from './secret-range.ts'
import { isSecretValue } from './secret-value.ts'

/** False for a dash inside a word, and for flags without a secret. */
export function beginsFlag(text: string, dash: number): boolean {
  return IN_WORD[text.charCodeAt(dash - 1)] !== 1 && LETTERS[text.charCodeAt(dash + 1)] === 1
}

/** The secret of the flag that begins at this dash: `--password X`, and short flags of programs that take a password. */
export function flagSecret(text: string, dash: number): SecretRange | undefined {
  return (text[dash + 1] === '-' ? afterLongFlag(text, dash) : undefined) ?? ofProgram(text, dash)
}

const IN_WORD = characterTable('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.')

function afterLongFlag(text: string, dash: number): SecretRange | undefined {
  LONG_FLAG.lastIndex = dash
  const [flag] = LONG_FLAG.exec(text) ?? []
  if (flag === undefined) return undefined
  const value = readValue(text, dash + flag.length)
  // In prose, an ordinary word comes after the name of a flag.
  if (value === undefined || /^[a-z-]+$/i.test(text.slice(value.from, value.to))) return undefined
  return secretAt(text, value.from, value.to)
}

/** `--password=X` is an assignment, which is found by its sign. */
const LONG_FLAG =
  /--(?:[a-z]{1,20}-){0,3}(?:password|passwd|pass|passphrase|secret|token|(?:api|access|secret|private|account|auth|admin|master|license)-?key|apikey)[ \t]{1,3}(?![-|&])/iy

function ofProgram(text: string, dash: number): SecretRange | undefined {
  for (const { program, value } of PROGRAM_FLAGS.get(text[dash + 1] ?? '') ?? []) {
    value.lastIndex = dash
    const [whole = '', found = ''] = value.exec(text) ?? []
    const from = dash + whole.length - found.length
    const secret = found === '' ? undefined : secretAt(text, from, from + found.length)
    if (secret !== undefined && program.test(lineBefore(text, dash))) return secret
  }
  return undefined
}

/** The part of the line before a position. In JSON, the end of a line is written as `\\n`. */
function lineBefore(text: string, at: number): string {
  return (
    text
      .slice(Math.max(0, at - REACH), at)
      .split(/\n|\\n/)
      .at(-1) ?? ''
  )
}

function secretAt(text: string, from: number, to: number): SecretRange | undefined {
  return isSecretValue(text.slice(from, to), 'password', 'shell') ? { from, to, kind: 'password or key' } : undefined
}

/** The characters before a flag in which its program is. */
const REACH = 200

type ProgramFlag = { readonly program: RegExp; readonly value: RegExp }

const WORD = String.raw`[^\s"'\x60\\;|&<>]{4,200}`
/** Blanks and a quote, of which each may be absent. */
const GAP = String.raw`[ \t=]{0,3}\\?["']?`
const flag = (program: RegExp, before: string): ProgramFlag => ({
  program,
  value: new RegExp(`${before}(${WORD})`, 'y'),
})
const USER = String.raw`[^\s:"'\\]{0,80}:`
const NAME_OF_COOKIE = '[\\w.-]{1,60}='

/** Flags that have a password after them in some programs only, by the character after the first dash. */
const PROGRAM_FLAGS: ReadonlyMap<string, readonly ProgramFlag[]> = new Map([
  ['u', [flag(/\b(?:curl|wget)\b/, `-u${GAP}${USER}`)]],
  ['U', [flag(/\bcurl\b/, `-U${GAP}${USER}`), flag(/\bsmbclient\b/, `-U${GAP}[^\\s%"']{1,80}%`)]],
  ['a', [flag(/\b(?:https?|xh)\b/, `-a${GAP}${USER}`), flag(/\bredis-cli\b/, `-a${GAP}`)]],
  [
    'p',
    [
      // A blank after this `-p` means that the program asks for the password.
      flag(/\b(?:mysql(?:dump|admin|import|check)?|mariadb(?:-dump)?|mycli)\b/, String.raw`-p\\?["']?`),
      flag(/\b(?:sshpass|mongo(?:sh|dump|restore)?|(?:docker|podman|az|oc|helm|buildah) .*login)\b/, `-p${GAP}`),
    ],
  ],
  ['P', [flag(/\b(?:sqlcmd|bcp|unzip|zip)\b/, `-P${GAP}`)]],
  ['w', [flag(/\bldap[a-z]+\b/, `-w${GAP}`)]],
  ['b', [flag(/\bcurl\b/, `-b${GAP}${NAME_OF_COOKIE}`)]],
  ['-', [flag(/\bcurl\b/, `--(?:proxy-)?user${GAP}${USER}`), flag(/\bcurl\b/, `--cookie${GAP}${NAME_OF_COOKIE}`)]],
])

/** The characters after the first dash of a flag. */
const LETTERS = characterTable([...PROGRAM_FLAGS.keys()].join(''))
