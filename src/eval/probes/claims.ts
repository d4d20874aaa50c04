import { type Message, partsOf } from '../../model/types.ts'
import type { WorkFileState, WorkState } from '../truth/events.ts'
import { squashed } from './shown.ts'

/** A statement about the work: the state of a file, how a check ended, or a commit. */
export type Claim =
  | { readonly about: 'file'; readonly path: string; readonly state: WorkFileState; readonly line: string }
  | { readonly about: 'check'; readonly command: string; readonly ok: boolean; readonly line: string }
  | { readonly about: 'commit'; readonly hash: string; readonly line: string }

/**
 * The statements that a compactor wrote about files and checks of the session. Lines that quote the session word for word are not its own.
 * A line is read only if it says one thing: with two states on it, nobody knows which file has which.
 */
export function claimsOf(context: readonly Message[], work: WorkState, source: string): Claim[] {
  const flat = squashed(source)
  const text = context.flatMap(writtenIn).join('\n')
  const files = fileNames(work)
  const commands = [...work.checks.keys()].toSorted((a, b) => b.length - a.length)
  const claims: Claim[] = []
  let title = ''
  for (const line of text.split('\n').flatMap(sentencesIn)) {
    if (/^#{1,6} |^\*\*.+\*\*:?\s*$|^[^-*\d\s].{0,80}:\s*$/.test(line)) title = line
    if (isQuoted(line, flat) || MODAL.test(line)) continue
    const bare = files.reduce((rest, { shown }) => rest.replaceAll(shown, ''), line)
    const state = stateIn(bare) ?? (/^\s*(?:[-*•]|\d+\.)\s/.test(line) ? stateIn(title) : undefined)
    const isShort = line.length <= LONG_LINE
    for (const { path, pattern } of files)
      if (isShort && state !== undefined && pattern.test(line)) claims.push({ about: 'file', path, state, line })
    const check = checkIn(line, commands)
    if (check !== undefined) claims.push({ about: 'check', ...check, line })
    for (const [, hash = ''] of line.matchAll(/\bcommit(?:ted)?:? (?:as )?`?([0-9a-f]{7,40})\b/g))
      claims.push({ about: 'commit', hash, line })
  }
  return claims
}

/** Text that is not part of a call or a result. */
function writtenIn(message: Message): string[] {
  if (message.role === 'tool') return []
  return partsOf(message).flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

/** A long line is prose: each of its sentences is read alone. */
function sentencesIn(line: string): string[] {
  return line.length <= LONG_LINE ? [line] : line.split(/(?<=[.;!?]) /)
}

const LONG_LINE = 300

const LEAST_QUOTED = 24

function isQuoted(line: string, flat: string): boolean {
  const words = squashed(
    line.replace(/^\s*(?:[-*•>]|\d+\.)?\s*(?:#\d+:?\s*)?["“`]?/, '').replace(/["”`…]*\s*(?:\(#\d+\))?$/, ''),
  )
  return words.length >= LEAST_QUOTED && flat.includes(words)
}

/** Rules and plans say what should be, not what is. */
const MODAL =
  /\b(?:must|should|will|never|always|please|before (?:you|each|every)|until|do not|don't|to be committed|next steps?)\b/i

/** Names that stand for one file only: its path, and its last part if no other file has it. */
function fileNames({
  files,
}: WorkState): { readonly path: string; readonly shown: string; readonly pattern: RegExp }[] {
  const paths = [...files.keys()]
  return paths.map((path) => {
    const last = path.slice(path.lastIndexOf('/') + 1)
    const isAlone = paths.filter((other) => other.endsWith(`/${last}`) || other === last).length === 1
    const shown = isAlone ? last : path.split('/').slice(-2).join('/')
    return { path, shown, pattern: new RegExp(`(?<![\\w-])${escaped(shown)}(?![\\w-])`) }
  })
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function stateIn(text: string): WorkFileState | undefined {
  const states = STATES.filter(({ pattern }) => pattern.test(text)).map(({ state }) => state)
  return states.length === 1 ? states[0] : undefined
}

const STATES: readonly { readonly state: WorkFileState; readonly pattern: RegExp }[] = [
  { state: 'uncommitted', pattern: /\buncommitt?ed|\bnot (?:yet )?(?:been )?committed|\bunstaged|\bnot in a commit/i },
  { state: 'reverted', pattern: /\breverted|\btaken back|\bundone\b|\brestored\b|\bdiscarded\b/i },
  { state: 'committed', pattern: /(?<!not |not yet |not been |[\w.])committed(?!\w|\.\w)/i },
]

/** The outcome right after a command, or the only one on the rest of its line. */
function checkIn(
  line: string,
  commands: readonly string[],
): { readonly command: string; readonly ok: boolean } | undefined {
  const command = commands.find((one) => new RegExp(`${escaped(one)}(?![\\w./:=-]| -)`).test(line))
  if (command === undefined) return undefined
  const rest = line.slice(line.lastIndexOf(command) + command.length)
  const near = rest.slice(0, 20)
  const [passed, failed] = [PASSED.test(near), FAILED.test(near)]
  if (passed !== failed) return { command, ok: passed }
  const [ever, never] = [PASSED.test(rest), FAILED.test(rest)]
  return ever === never ? undefined : { command, ok: ever }
}

const PASSED = /\bpass(?:ed|es|ing)?\b|\bsucce|\bok\b|\bgreen\b|exit(?: code)?:? 0\b|[✓✔✅]/i
const FAILED = /\bfail|\berror|\bbroken\b|exit(?: code)?:? [1-9]|[✗✘❌]/i
