import type { Fact } from '../truth/facts.ts'
import { outcomeAfter } from './claims.ts'
import { BETWEEN_WORDS, lastName, type Shown, squashed } from './shown.ts'

/** Whether a context still shows a fact: `stale` when it shows only an earlier state. */
export type Kept = 'kept' | 'lost' | 'stale'

/** Looks all facts up in a context. */
export function answersIn(shown: Shown, facts: readonly Fact[]): Kept[] {
  const files = facts.filter(({ kind }) => kind === 'edited file' || kind === 'read file').map(({ text }) => text)
  return facts.map((fact) => keptIn(shown, fact, files))
}

/** Looks a fact up in a context. `files` are all files of the span: a name that several of them have says nothing alone. */
export function keptIn(shown: Shown, fact: Fact, files: readonly string[]): Kept {
  switch (fact.kind) {
    case 'edited file':
    case 'read file':
      return isNamed(shown, fact.text, files) ? 'kept' : 'lost'
    case 'command':
      return commandIn(shown, fact)
    case 'to-do':
      return todoIn(shown, fact)
    default:
      return shown.flat.includes(squashed(fact.text)) ? 'kept' : 'lost'
  }
}

function isNamed({ words, folders, flat }: Shown, path: string, files: readonly string[]): boolean {
  const [name = '', parent] = path.split(/[\\/]/).toReversed()
  const isThere = words.has(lastName(name)) || (BETWEEN_WORDS.test(name) && flat.includes(name))
  const isCommon = files.filter((other) => other.split(/[\\/]/).at(-1) === name).length > 1
  return isThere && (parent === undefined || !isCommon || folders.has(parent))
}

/** A command is kept if the context shows how its last run ended: in its result, or after it on the same line. */
function commandIn({ ran, lines, flat }: Shown, { text, status = '', was, isBeginning }: Fact): Kept {
  const key = squashed(text)
  // A key that was cut matches every command that begins with it. A whole one does not: `npm test` is not `npm test -- --watch`.
  const isWhole = isBeginning !== true
  const ends = [...ran].filter(([command]) => (isWhole ? command === key : command.startsWith(key)))
  if (ends.length > 0) return ends.some(([, ended]) => ended === status) ? 'kept' : 'stale'
  if (!flat.includes(key)) return 'lost'
  const said = sameLine(lines, key).filter((rest) => !isWhole || ENDS.test(rest))
  const last = said.map(outcomeAfter).findLast((outcome) => outcome !== undefined)
  const isLast = (end: string) => last === (end === 'ok' ? 'passed' : 'failed')
  return isLast(status) ? 'kept' : was !== undefined && isLast(was) ? 'stale' : 'lost'
}

/** The text that may follow a command that is named whole. */
const ENDS = /^(?:$|[`"'”’)\],;:…]|\s*[(→–—]|\s(?:ok|pass|fail|succe|exit|work)\w*)/i

function sameLine(lines: readonly string[], key: string): string[] {
  return lines.filter((line) => line.includes(key)).map((line) => line.slice(line.indexOf(key) + key.length))
}

/** A to-do is kept if the last state that the context shows on its line is right, or if it shows none. */
function todoIn({ lines, flat }: Shown, { text, status = '' }: Fact): Kept {
  const key = squashed(text)
  if (!flat.includes(key)) return 'lost'
  const last = lines
    .filter((line) => line.includes(key))
    .map((line) => stateOn(line.replace(key, '')))
    .findLast((state) => state !== undefined)
  return last === undefined || last === stateOf(status) ? 'kept' : 'stale'
}

type State = 'open' | 'done' | undefined

function stateOf(status: string): State {
  return /complete|done|cancel|delete/i.test(status) ? 'done' : 'open'
}

function stateOn(line: string): State {
  if (/\[x\]|\bdone\b|completed?\b|[✅✓✔]|cancelled/i.test(line)) return 'done'
  return /\[[ ~]\]|pending|in[ _-]progress|to-?do\b|remaining/i.test(line) ? 'open' : undefined
}
