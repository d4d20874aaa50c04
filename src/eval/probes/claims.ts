import type { WorkFileState, WorkState } from '../truth/events.ts'
import { squashed } from './shown.ts'

/** A statement about a file, a check (whose state is `true` if it passed) or a commit. Without a state it contradicts itself, and nobody knows from it. */
export type Claim = {
  readonly about: 'file' | 'check' | 'commit'
  readonly name: string
  readonly said: string | undefined
  /** Only a change is stated, and no state. */
  readonly isPlain: boolean
  readonly line: string
}

/** Reads the statements that a compactor wrote about files and checks of a session, in the order of the text. */
export type ClaimReader = (text: string) => readonly Claim[]

/**
 * Lines that quote the session word for word (`flat` is its text) are not the compactor's own. A line or a paragraph that says two things of
 * one file or check says nothing.
 */
export function claimReader(work: WorkState, flat: string): ClaimReader {
  const files = fileNames(work)
  const commands = [...work.checks.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((command) => ({ command, pattern: new RegExp(`${escaped(command)}(?![\\w./:=-]| -)`) }))
  return (text) => {
    let title = ''
    return text.split(/\n\s*\n/).flatMap((paragraph) => {
      const claims: Claim[] = []
      for (const line of paragraph.split('\n').flatMap(sentencesIn)) {
        if (/^#{1,6} |^\*\*.+\*\*:?\s*$|^[^-*\d\s].{0,80}:\s*$/.test(line)) title = line
        if (MODAL.test(line)) continue
        const stated = statesIn(files.reduce((rest, { shown }) => rest.replaceAll(shown, ''), line))
        const states = stated.length === 0 && /^\s*(?:[-*•]|\d+\.)\s/.test(line) ? statesIn(title) : stated
        const isPlain = states.length === 0 && CHANGED.test(line)
        const said = isPlain ? 'uncommitted' : states.length === 1 ? states[0] : undefined
        const named = isPlain || states.length > 0 ? files.filter(({ pattern }) => pattern.test(line)) : []
        const command = commands.find(({ pattern }) => pattern.test(line))?.command
        const hashes = line.matchAll(/\bcommit(?:ted)?:? (?:as )?`?([0-9a-f]{7,40})\b/g)
        const own = [
          ...named.map(({ path }): Claim => ({ about: 'file', name: path, said, isPlain, line })),
          ...(command === undefined ? [] : checkIn(line, command)),
          ...Array.from(hashes, ([, name = '']): Claim => ({ about: 'commit', name, said: '', isPlain: false, line })),
        ]
        if (own.length > 0 && !isQuoted(line, flat)) claims.push(...own)
      }
      return agreed(claims)
    })
  }
}

/** The claims of a paragraph, one of each thing: the last, or one without a state if they differ. */
function agreed(claims: readonly Claim[]): Claim[] {
  return [...Map.groupBy(claims, ({ name }) => name).values()].flatMap((all) => {
    const firm = all.filter(({ isPlain }) => !isPlain)
    const isOne = new Set(firm.map(({ said }) => said)).size <= 1
    return (firm.length === 0 ? all : firm).slice(-1).map((last) => (isOne ? last : { ...last, said: undefined }))
  })
}

/** A long line is prose: each of its sentences is read alone, and of a long sentence its beginning. */
function sentencesIn(line: string): string[] {
  return line.length <= LONG_LINE ? [line] : line.split(/(?<=[.!?;]) /).map((sentence) => sentence.slice(0, LONG_LINE))
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

function statesIn(text: string): WorkFileState[] {
  return STATES.filter(({ pattern }) => pattern.test(text)).map(({ state }) => state)
}

const STATES: readonly { readonly state: WorkFileState; readonly pattern: RegExp }[] = [
  {
    state: 'uncommitted',
    pattern: /\buncommitt?ed|\bnot (?:yet )?(?:been )?committed|\bno commit\b|\bunstaged|\bnot in a commit/i,
  },
  { state: 'reverted', pattern: /\breverted|\btaken back|\bundone\b|\brestored\b|\bdiscarded\b/i },
  { state: 'committed', pattern: /(?<!not |not yet |not been |[\w.])committed(?!\w|\.\w)/i },
]

/** A file of which only a change is stated: nobody has seen a commit of it. */
const CHANGED = /\b(?:edited|changed|modified|created|written|wrote|updated|renamed|moved)\b/i

/** The outcome right after a command, or the only one on the rest of its line. */
function checkIn(line: string, command: string): Claim[] {
  const rest = line.slice(line.lastIndexOf(command) + command.length)
  const said = [rest.slice(0, NEAR), rest].map(outcomeIn).find((outcome) => outcome !== 'none')
  if (said === undefined) return []
  const ended = said === 'both' ? undefined : String(said === 'passed')
  return [{ about: 'check', name: command, said: ended, isPlain: false, line }]
}

const NEAR = 24

/** Counts of tests are not two outcomes: one test that failed is enough. */
function outcomeIn(text: string): 'passed' | 'failed' | 'both' | 'none' {
  const words = text.replace(COUNT, '')
  const [passed, failed] = [PASSED.test(words), FAILED.test(words)]
  if (passed || failed) return passed === failed ? 'both' : passed ? 'passed' : 'failed'
  const counts = text.match(COUNT) ?? []
  if (counts.length === 0) return 'none'
  return counts.some((count) => FAILED.test(count) && !count.startsWith('0')) ? 'failed' : 'passed'
}

const COUNT = /\b\d+ (?:tests? |checks? )?(?:pass(?:ed|ing)|fail(?:ed|ing|ures?)|errors?)\b/gi
const PASSED = /\bpass(?:ed|es|ing)?\b|\bsucce|\bok\b|\bgreen\b|exit(?: code)?:? 0\b|[✓✔✅]/i
const FAILED = /\bfail|\berror|\bbroken\b|exit(?: code)?:? [1-9]|[✗✘❌]/i

/** True if a line says how something ended. */
export function saysEnd(line: string): boolean {
  return PASSED.test(line) || FAILED.test(line)
}
