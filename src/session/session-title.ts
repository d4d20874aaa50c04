import { graphemes } from '../model/text/graphemes.ts'
import { withoutEscapes } from '../model/text/without-escapes.ts'

const MOST_SIGNS = 60

/** The title of a session that the user has not named: the beginning of its first message. */
export function titleFrom(text: string): string {
  return shortTitle(text) || 'session'
}

/** True for a greeting or thanks and nothing else: such a message does not show what a session is about. */
export function isGreeting(text: string): boolean {
  if (text.length > LONGEST_GREETING) return false
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length > 0 && words.every((word) => GREETING_WORDS.has(word))
}

const LONGEST_GREETING = 60

const GREETING_WORDS: ReadonlySet<string> = new Set(
  'hi hello hey hallo hola bonjour salut moin good morning afternoon evening there again great nice cool perfect thanks thank you ok okay'.split(
    ' ',
  ),
)

const FORK = ' (fork)'

/** The title of a fork. A fork of a fork gets the mark only once. */
export function forkTitle(title = 'session'): string {
  return title.endsWith(FORK) ? title : `${title}${FORK}`
}

/** The first line of a text that has words, cut after a word; no character is cut in two. */
export function shortTitle(text: string): string {
  const line = withoutEscapes(text.slice(0, LOOKED_AT))
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/g, '')
    .split('\n')
    .find((each) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(each))
  return cut((line ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim())
}

/** A pasted file is not read whole for its first line. */
const LOOKED_AT = 10_000

function cut(line: string): string {
  if (line.length <= MOST_SIGNS) return line
  const all = Array.from(graphemes(line.slice(0, LOOKED_AT)), ({ segment }) => segment)
  if (all.length <= MOST_SIGNS) return line
  const head = all.slice(0, MOST_SIGNS - 1)
  const space = head.lastIndexOf(' ')
  const isInWord = all[MOST_SIGNS - 1] !== ' '
  return `${(isInWord && space > MOST_SIGNS / 2 ? head.slice(0, space) : head).join('').trimEnd()}…`
}
