import type { WorkFileState, WorkState } from '../truth/events.ts'
import { lastName, squashed } from './shown.ts'

/** A statement about a file, a check (whose state is `true` if it passed) or a commit. Without a state it contradicts itself, and nobody knows from it. */
export type Claim = {
  readonly about: 'file' | 'check' | 'commit'
  readonly name: string
  readonly said: string | undefined
  /** Only a change is stated, and no state. */
  readonly isPlain: boolean
  /** The title above says it. */
  readonly isTitled: boolean
  readonly line: string
}

/** Reads the statements that a compactor wrote about files and checks of a session, in the order of the text. */
export type ClaimReader = (text: string) => readonly Claim[]

/** A file or a check, and a name that no other one has. */
type Subject = { readonly about: 'file' | 'check'; readonly name: string; readonly shown: string }
type Place = Subject & { readonly from: number; readonly to: number }

/**
 * A state is said beside its subject, in the title above it, or in a few words on the next line. Lines that quote the session word for word
 * (`flat` is its text) are not the compactor's own. A sentence or a paragraph that says two states of one thing says nothing.
 */
export function claimReader(work: WorkState, flat: string): ClaimReader {
  const subjects = subjectsOf(work)
  return (text) => {
    let title = ''
    return text.split(/\n\s*\n/).flatMap((paragraph) => {
      const claims: Claim[] = []
      let open: readonly Subject[] = subjectsIn(title, subjects)
      for (const line of paragraph.split('\n')) {
        const own: Claim[] = []
        const named = subjectsIn(line, subjects)
        if (HEADING.test(line) || (named.length === 0 && /:[*\s]*$/.test(line))) [title, open] = [line, []]
        for (const { words, found } of sentencesIn(line, named)) {
          const states = found.map((_, at) => statesAt(words, found, at))
          const isBare =
            ITEM.test(line) && !/\p{L}/u.test(words.slice(0, found[0]?.from)) && states.flat().every(isChange)
          const said = found.flatMap((one, at) => claimOf(one, states[at] ?? [], isBare ? title : '', line))
          own.push(...said)
          if (found.length === 1 && said.every(({ isPlain }) => isPlain)) open = found
          else if (found.length > 0) open = []
          else if (words.trim().length <= SHORT)
            own.push(...open.flatMap((one) => claimOf(one, statesIn(one.about, words), '', line)))
        }
        for (const [, name = ''] of line.matchAll(COMMIT))
          own.push({ about: 'commit', name, said: '', isPlain: false, isTitled: false, line })
        if (own.length > 0) claims.push(...(isQuoted(line, flat) ? own.filter(({ isTitled }) => isTitled) : own))
      }
      return agreed(claims)
    })
  }
}

const HEADING = /^#{1,6} |^\*\*.+\*\*:?\s*$/
const ITEM = /^\s*(?:[-*•|✓✗✔✘✅❌]|\d+[.)])\s/
const COMMIT = /\bcommit(?:ted)?:? (?:as )?`?([0-9a-f]{7,40})\b/g
/** A line that says a state of what is named above has no more characters. */
const SHORT = 60

function claimOf({ about, name }: Subject, own: readonly string[], above: string, line: string): Claim[] {
  const titled = own.every(isChange) ? statesIn(about, above).filter((state) => !isChange(state)) : []
  const states = titled.length > 0 ? titled : own
  const said = states.length === 1 ? states[0] : undefined
  const isPlain = said === CHANGED
  const claim = { about, name, said: isPlain ? 'uncommitted' : said, isPlain, isTitled: titled.length > 0, line }
  return states.length === 0 ? [] : [claim]
}

/** The claims of a paragraph, one of each thing: the last, or one without a state if they differ. */
function agreed(claims: readonly Claim[]): Claim[] {
  return [...Map.groupBy(claims, ({ name }) => name).values()].flatMap((all) => {
    const firm = all.filter(({ isPlain }) => !isPlain)
    const isOne = new Set(firm.map(({ said }) => said)).size <= 1
    return (firm.length === 0 ? all : firm).slice(-1).map((last) => (isOne ? last : { ...last, said: undefined }))
  })
}

const LEAST_QUOTED = 24
const LONG_LINE = 1_000

function isQuoted(line: string, flat: string): boolean {
  // The beginning of a long line is enough; patterns that look for an end take minutes on all of it.
  const words = squashed(line.slice(0, LONG_LINE))
    .replace(/^(?:[-*•>]|\d+\.)? ?(?:#\d+:? )?["“`]?/, '')
    .replace(/["”`…]* ?(?:\(#\d+\))?$/, '')
  return words.length >= LEAST_QUOTED && flat.includes(words)
}

/** Longer names first: a command may have a shorter one in it, or a file. Of a file its last name is enough if no other has it. */
function subjectsOf({ files, checks }: WorkState): Subject[] {
  const named = Map.groupBy(files.keys(), lastName)
  const shownOf = (path: string) =>
    named.get(lastName(path))?.length === 1 ? lastName(path) : path.split('/').slice(-2).join('/')
  const subjects = [
    ...Array.from(checks.keys(), (name): Subject => ({ about: 'check', name, shown: name })),
    ...Array.from(files.keys(), (name): Subject => ({ about: 'file', name, shown: shownOf(name) })),
  ]
  return subjects.toSorted((a, b) => b.shown.length - a.shown.length)
}

/** The subjects that a line names, in its order. */
function subjectsIn(line: string, subjects: readonly Subject[]): Place[] {
  let rest = line
  const found = subjects.flatMap((subject): Place[] => {
    const { about, name, shown } = subject
    for (let at = rest.indexOf(shown); at !== -1; at = rest.indexOf(shown, at + 1)) {
      const to = at + shown.length
      const [before, after] = [rest.slice(Math.max(0, at - LONG_PATH), at), rest.slice(to, to + 4)]
      const folders = about === 'file' ? (/[\w@+~./-]*$/.exec(before)?.[0] ?? '') : ''
      const isFile = about === 'file' && !/^[\w-]/.test(after) && isSame(name, folders + shown)
      if (!isFile && (about === 'file' || /[\w-]$/.test(before) || LONGER.test(after))) continue
      rest = `${rest.slice(0, at)}${' '.repeat(shown.length)}${rest.slice(to)}`
      return [{ ...subject, from: at - folders.length, to }]
    }
    return []
  })
  return found.toSorted((a, b) => a.from - b.from)
}

const LONG_PATH = 300
/** A command that goes on is another one. */
const LONGER = /^(?:[\w./=-]|:\S| --?\w)/

/** Two paths are of one file if the shorter one is the end of the other. */
function isSame(path: string, named: string): boolean {
  const [one, other] = [`/${path}`, `/${named.replace(/^(?:\.{0,2}\/)+/, '')}`]
  return one.endsWith(other) || other.endsWith(one)
}

type Sentence = { readonly words: string; readonly found: readonly Place[] }

/** The sentences of a line that say what is, each with its subjects. Their names are blank, so that nothing in them is taken for words. */
function sentencesIn(line: string, named: readonly Place[]): Sentence[] {
  const blank = named.reduce((rest, { from, to }) => rest.slice(0, from) + '_'.repeat(to - from) + rest.slice(to), line)
  let end = 0
  return blank.split(/(?<=[.!?;]\s)/).flatMap((words): Sentence[] => {
    const start = end
    end += words.length
    const own = named.filter(({ from }) => from >= start && from < end)
    const found = own.map((one) => ({ ...one, from: one.from - start, to: one.to - start }))
    return MODAL.test(words) ? [] : [{ words, found }]
  })
}

/** Rules and plans say what should be. */
const MODAL = /\b(?:must|should|will|never|always|please|before (?:you|each|every)|until|do not|don't|next steps?)\b/i

/** The states that are said of one of several subjects: after it, before the first one, or after the last one (“a and b are committed”). */
function statesAt(words: string, found: readonly Place[], at: number): readonly string[] {
  const about = found[at]?.about ?? 'file'
  const after = found.map(({ to }, i) => statesIn(about, words.slice(to, found[i + 1]?.from).slice(0, LONG_LINE)))
  const own = after[at] ?? []
  const lead = words.slice(0, found[0]?.from).slice(-LONG_LINE)
  const before = own.length > 0 && at > 0 ? [] : statesIn(about, lead.split(/[,;→]|\bthen\b/).at(-1) ?? '')
  if (before.length === 0 && DENIED.test(lead)) return []
  const both = [...new Set([...own, ...before])]
  const firm = both.filter((state) => !isChange(state))
  return firm.length > 0 ? firm : both.length > 0 ? both : (after.slice(at).find((states) => states.length > 0) ?? [])
}

const DENIED = /\b(?:nothing|none|neither|no part) (?:of|in)\b/i

/** Brackets count only if nothing else says a state: “ok (it failed before)”. */
function statesIn(about: 'file' | 'check', text: string): readonly string[] {
  const of = (words: string) => (about === 'file' ? fileStates(words) : CHECK_STATES[outcomeAfter(words) ?? 'none'])
  const states = of(text.replace(/\([^)]*\)/g, ' '))
  return states.length > 0 ? states : of(text)
}

const CHECK_STATES = { passed: ['true'], failed: ['false'], both: ['true', 'false'], none: [] } as const

/** The words after a file are about it only so far. */
const ABOUT_A_FILE = 120

function fileStates(text: string): readonly string[] {
  const words = text.slice(0, ABOUT_A_FILE)
  const states = STATES.filter(({ pattern }) => pattern.test(words)).map(({ state }) => state)
  return states.length === 0 && CHANGES.test(words) ? [CHANGED] : states
}

/** Words that say something, unless it is denied before. */
function stated(words: string): RegExp {
  return new RegExp(
    `(?<!\\b(?:not|no|none|nothing|never|without|cannot)\\b[^.,;:|\\n]{0,40}|n['’]t\\b[^.,;:|\\n]{0,40}|[\\w.-])(?:${words})(?![\\w-]|\\.\\w)`,
    'i',
  )
}

const STATES: readonly { readonly state: WorkFileState; readonly pattern: RegExp }[] = [
  {
    state: 'uncommitted',
    pattern: stated(
      'uncommitt?ed|not (?:yet )?(?:been )?committed|no commit|to be committed|unstaged|not in a commit|dirty|pending changes',
    ),
  },
  {
    state: 'reverted',
    pattern: stated('reverted|(?:taken|rolled) back|undone|restored|discarded|back (?:to|at) HEAD'),
  },
  { state: 'committed', pattern: stated('(?<!(?:the|last|be) )committed|pushed') },
]

/** Nobody has seen a commit of a file of which only a change is stated. */
const CHANGED = 'changed'
const isChange = (state: string) => state === CHANGED
const CHANGES = stated('edited|changed|modified|created|written|wrote|updated|renamed|moved')

/** The outcome right after a command, or the only one on the rest of its line. */
export function outcomeAfter(rest: string): 'passed' | 'failed' | 'both' | undefined {
  return outcomeIn(rest.slice(0, NEAR)) ?? outcomeIn(rest)
}

const NEAR = 24

/** Counts of tests are not two outcomes: one test that failed is enough. */
function outcomeIn(text: string): 'passed' | 'failed' | 'both' | undefined {
  const plain = text
    .replace(/\b(?:no|without) (?:errors?|fail(?:ures|ing tests)|issues|problems)\b/gi, ' passed ')
    .replace(/(?:\b(?:not|cannot)|n['’]t)(?: yet)? (?:pass|succe)\w*/gi, ' failed ')
    .replace(/\b(\d+) ?(?:\/|of) ?(\d+)\b/g, (_, part, whole) => (part === whole ? part : `${part} failed, 0`))
  const words = plain.replace(COUNT, '')
  const [passed, failed] = [PASSED.test(words), FAILED.test(words)]
  if (passed || failed) return passed === failed ? 'both' : passed ? 'passed' : 'failed'
  const counts = plain.match(COUNT) ?? []
  if (counts.length === 0) return undefined
  return counts.some((count) => FAILED.test(count) && !/\b0\b/.test(count)) ? 'failed' : 'passed'
}

const COUNT =
  /\b\d+ (?:tests? |checks? )?(?:pass(?:ed|ing|es)?|fail(?:ed|ing|ures?)|errors?)\b|\b(?:passed|failed|errors?)[:=] ?\d+(?!\d| ?[a-z])/gi
const PASSED = stated(
  'pass(?:ed|es|ing)?|succe\\w*|ok|works?|green|clean|exit(?:ed)?(?: with)?(?: code| status)?:? 0|[✓✔✅]',
)
const FAILED = stated(
  'fail\\w*|error\\w*|broken|red|crash\\w*|timed out|exit(?:ed)?(?: with)?(?: code| status)?:? [1-9]\\d*|[✗✘❌]',
)
