import { graphemes } from '../engine/text/graphemes.ts'
import { withoutEscapes } from '../engine/text/without-escapes.ts'

const MOST_SIGNS = 60

/** The title of a session that the user has not named: the beginning of its first message. */
export function titleFrom(text: string): string {
  return shortTitle(text) || 'session'
}

const FORK = ' (fork)'

/** The title of a fork, also of one of a fork. */
export function forkTitle(title = 'session'): string {
  return title.endsWith(FORK) ? title : `${title}${FORK}`
}

/** The first line of a text that says something, on one line and cut after a word; no character is cut in two. */
export function shortTitle(text: string): string {
  const said = withoutEscapes(text.slice(0, LOOKED_AT))
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/g, '')
    .split('\n')
    .find((line) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(line))
  return cut((said ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim())
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
