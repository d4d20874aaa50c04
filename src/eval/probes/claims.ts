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
        const hashes = line.matchAll(/\bcommit(?:ted)?:? (?:as )?`?([0-9a-f]{7,40})\b/g)
        const own = [
          ...named.map(({ path }): Claim => ({ about: 'file', name: path, said, isPlain, line })),
          ...checksIn(line, commands),
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

/** Words that say something, unless it is denied before. */
function stated(words: string): RegExp {
  return new RegExp(
    `(?<!\\b(?:not|no|none|nothing|never|without|cannot)\\b[^.,;:|\\n]{0,40}|n['’]t\\b[^.,;:|\\n]{0,40}|[\\w.])(?:${words})(?!\\w)`,
    'i',
  )
}

const STATES: readonly { readonly state: WorkFileState; readonly pattern: RegExp }[] = [
  {
    state: 'uncommitted',
    pattern: /\buncommitt?ed|\bnot (?:yet )?(?:been )?committed|\bno commit\b|\bunstaged|\bnot in a commit/i,
  },
  { state: 'reverted', pattern: stated('reverted|taken back|undone|restored|discarded') },
  { state: 'committed', pattern: stated('committed(?!\\.\\w)') },
]

/** A file of which only a change is stated: nobody has seen a commit of it. */
const CHANGED = /\b(?:edited|changed|modified|created|written|wrote|updated|renamed|moved)\b/i

/** The outcome right after a command, or the only one on the rest of its line. */
export function outcomeAfter(rest: string): 'passed' | 'failed' | 'both' | undefined {
  return outcomeIn(rest.slice(0, NEAR)) ?? outcomeIn(rest)
}

const NEAR = 24

/** The checks that a line names, each with what it says before the next one. A longer command may have a shorter one in it. */
function checksIn(line: string, commands: readonly { readonly command: string; readonly pattern: RegExp }[]): Claim[] {
  let rest = line
  const found = commands.flatMap(({ command, pattern }) => {
    const at = rest.search(pattern)
    if (at === -1) return []
    rest = rest.replace(command, ' '.repeat(command.length))
    return [{ command, at }]
  })
  const inOrder = found.toSorted((a, b) => a.at - b.at)
  return inOrder.flatMap(({ command, at }, i) => {
    const outcome = outcomeAfter(line.slice(at + command.length, inOrder[i + 1]?.at))
    const said = outcome === 'both' ? undefined : String(outcome === 'passed')
    return outcome === undefined ? [] : [{ about: 'check' as const, name: command, said, isPlain: false, line }]
  })
}

/** Counts of tests are not two outcomes: one test that failed is enough. */
function outcomeIn(text: string): 'passed' | 'failed' | 'both' | undefined {
  const words = text.replace(COUNT, '')
  const [passed, failed] = [PASSED.test(words), FAILED.test(words)]
  if (passed || failed) return passed === failed ? 'both' : passed ? 'passed' : 'failed'
  const counts = text.match(COUNT) ?? []
  if (counts.length === 0) return undefined
  return counts.some((count) => FAILED.test(count) && !count.startsWith('0')) ? 'failed' : 'passed'
}

const COUNT = /\b\d+ (?:tests? |checks? )?(?:pass(?:ed|ing)|fail(?:ed|ing|ures?)|errors?)\b/gi
const PASSED = stated('pass(?:ed|es|ing)?|succe\\w*|ok|works?|green|exit(?: code| status)?:? 0|[✓✔✅]')
const FAILED = stated('fail\\w*|error\\w*|broken|exit(?: code| status)?:? [1-9]\\d*|[✗✘❌]')

/** True if a line says how something ended. */
export function saysEnd(line: string): boolean {
  return PASSED.test(line) || FAILED.test(line)
}
