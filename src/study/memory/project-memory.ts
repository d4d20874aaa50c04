import type { Seq } from '../../model/types.ts'
import { choosesNow, contradicts, isSameTopic, type SaidSentence, takesBack, takesLastBack } from './said-rules.ts'
import type { NotedCommand, NotedFile, SessionNotes } from './session-notes.ts'

/** The notes of one session of a project, with the id that names it in a handle. */
export type ProjectSession = { readonly id: string; readonly notes: SessionNotes }

/** The project as it is now. A part that is absent is not known, and then decides nothing. */
export type ProjectNow = {
  /** True if the project has this file or folder. */
  readonly has?: ((path: string) => boolean) | undefined
  /** The files that are changed and not committed. */
  readonly dirty?: ReadonlySet<string> | undefined
}

export const MEMORY_SECTIONS = ['rules', 'commands', 'deadEnds', 'halfDone', 'places'] as const
export type MemorySection = (typeof MEMORY_SECTIONS)[number]

/** One line of a memory: what it says, since when, and the entry that shows it. */
export type MemoryLine = {
  readonly section: MemorySection
  readonly text: string
  readonly at: number
  readonly session: string
  readonly seq: Seq
  /** The same line has the same key, whatever its place. */
  readonly key: string
  /** How much it is worth when not all lines fit. */
  readonly rank: number
}

/** The memory of a project: the best line of each section first. */
export type ProjectMemory = {
  readonly sessions: number
  /** When the last session ended. */
  readonly upTo: number
  readonly lines: readonly MemoryLine[]
  readonly reports: { readonly count: number; readonly session?: string; readonly seq?: Seq }
}

/** The memory of a project from the notes of its sessions, in any order. */
export function memoryOf(sessions: readonly ProjectSession[], now: ProjectNow = {}): ProjectMemory {
  const inOrder = withoutCopies(sessions).toSorted((a, b) => a.notes.to - b.notes.to || (a.id < b.id ? -1 : 1))
  const newest = inOrder.findLast(({ notes }) => notes.reports.last !== undefined)
  return {
    sessions: inOrder.length,
    upTo: inOrder.at(-1)?.notes.to ?? 0,
    lines: [
      ...rulesOf(inOrder),
      ...commandsOf(inOrder, now),
      ...deadEndsOf(inOrder),
      ...halfDoneOf(inOrder, now),
      ...placesOf(inOrder, now),
    ],
    reports: {
      count: inOrder.reduce((sum, { notes }) => sum + notes.reports.count, 0),
      ...(newest === undefined ? {} : { session: newest.id, seq: newest.notes.reports.last?.seq as Seq }),
    },
  }
}

/** A session of which another one is a longer copy counts once: a fork repeats what was said before it. */
function withoutCopies(sessions: readonly ProjectSession[]): ProjectSession[] {
  const byStart = Map.groupBy(sessions, ({ notes }) => `${notes.from} ${notes.said[0]?.text ?? ''}`)
  return [...byStart.values()].flatMap((some) => {
    const [first] = some
    if (first === undefined || first.notes.from === 0) return some
    return [some.reduce((a, b) => (b.notes.to > a.notes.to ? b : a))]
  })
}

type Said = SaidSentence & { readonly session: string }

/** The standing rules: the newest statement of each, without those that were taken back. */
function rulesOf(sessions: readonly ProjectSession[]): MemoryLine[] {
  const said = sessions
    .flatMap(({ id, notes }) => notes.said.map((one): Said => ({ ...one, session: id })))
    .toSorted((a, b) => a.at - b.at)
  let rules: (Said & { readonly times: number })[] = []
  const asks = new AskedBefore()
  for (const one of said) {
    if (takesLastBack(one.text)) {
      const last = rules.at(-1)
      if (last?.session === one.session && one.seq - last.seq <= JUST_BEFORE) rules = rules.slice(0, -1)
      continue
    }
    const same = rules.filter((rule) => isSameTopic(one, rule))
    const isOver = (rule: Said) => contradicts(one.text, rule.text) || (one.kind === 'back' && takesBack(one, rule))
    const earlier = one.kind === 'back' ? 0 : asks.times(one)
    const isRule = one.kind === 'rule' || (one.kind === 'ask' && (earlier > 0 || same.length > 0))
    rules = rules.filter((rule) => !isOver(rule) && !(isRule && same.includes(rule)))
    // A sentence such as “we now use bun” takes a rule back, and is one.
    const isNew = isRule || (one.kind === 'back' && choosesNow(one.text))
    if (isNew && one.topic.length > 0)
      rules.push({ ...one, times: 1 + earlier + same.reduce((sum, { times }) => sum + times, 0) })
    if (one.kind === 'ask') asks.add(one)
  }
  return rules
    .map((rule) => line('rules', `“${rule.text}”`, rule, rule.times + (rule.kind === 'rule' ? 1 : 0)))
    .toSorted((a, b) => b.rank - a.rank || b.at - a.at)
}

/** The demands so far, found by their words: of hundreds of sessions there are thousands. */
class AskedBefore {
  readonly #byTerm = new Map<string, Said[]>()

  add(ask: Said): void {
    for (const term of ask.topic) {
      const others = this.#byTerm.get(term)
      if (others === undefined) this.#byTerm.set(term, [ask])
      else if (others.length < MOST_ALIKE) others.push(ask)
    }
  }

  /** How many other sessions had the same demand. */
  times({ session, topic }: Said): number {
    const near = new Set(topic.flatMap((term) => this.#byTerm.get(term) ?? []))
    const others = [...near].filter((ask) => ask.session !== session && isSameTopic({ topic }, ask))
    return new Set(others.map((ask) => ask.session)).size
  }
}

const MOST_ALIKE = 60

/** Entries between a rule and the words that take it back. */
const JUST_BEFORE = 12

type Ran = NotedCommand & { readonly session: string }

/** How the project is built, tested and run: what passed in two sessions or was typed by the user, and does not fail now. */
function commandsOf(sessions: readonly ProjectSession[], { has }: ProjectNow): MemoryLine[] {
  const all = sessions
    .flatMap(({ id, notes }) => notes.commands.map((command): Ran => ({ ...command, session: id })))
    .toSorted((a, b) => a.at - b.at)
  const lines = [...Map.groupBy(all, commandKey).values()].flatMap((runs) => {
    const ended = runs.filter(({ ok }) => ok !== undefined)
    const last = ended.at(-1)
    const newest = runs.at(-1)
    const passed = ended.filter(({ ok }) => ok === true)
    const inSessions = new Set(passed.map(({ session }) => session)).size
    const isTyped = runs.some((run) => run.isTyped === true)
    if (newest === undefined || last?.ok === false || (inSessions < 2 && !isTyped)) return []
    const { kind, command, folder } = newest
    if (folder !== undefined && has?.(folder) === false) return []
    const files = namedFiles(command)
    // A run for one file says little about the project.
    if (files.length > 0 && (!isTyped || files.some((path) => has?.(folder ? `${folder}/${path}` : path) === false)))
      return []
    const proof =
      inSessions > 0 ? `passed in ${inSessions} ${inSessions === 1 ? 'session' : 'sessions'}` : 'typed by the user'
    const where = folder === undefined ? '' : ` in ${folder}/`
    const shown = passed.at(-1) ?? newest
    return [line('commands', `${kind}: \`${command}\`${where}, ${proof}`, shown, inSessions + (isTyped ? 2 : 0), kind)]
  })
  return mixed(lines.toSorted((a, b) => b.rank - a.rank || b.at - a.at))
}

function commandKey({ command, folder = '' }: NotedCommand): string {
  return `${folder}\n${command}`
}

/** The files that a command names. */
function namedFiles(command: string): string[] {
  return command
    .split(/\s+/)
    .slice(1)
    .filter((word) => /^(?:\.\/)?[\w@][\w@./-]*\.\w{1,5}(?::\S*)?$/.test(word))
}

/** The best of each kind first, so that ten ways to test do not hide how to build. */
function mixed(lines: readonly (MemoryLine & { readonly kind?: string })[]): MemoryLine[] {
  const seen = new Map<string, number>()
  return lines
    .map(({ kind = '', ...one }, i) => {
      const before = seen.get(kind) ?? 0
      seen.set(kind, before + 1)
      return { one, before, i }
    })
    .filter(({ before }) => before < MOST_OF_KIND)
    .toSorted((a, b) => a.before - b.before || a.i - b.i)
    .map(({ one }) => one)
}

const MOST_OF_KIND = 4

/** Commands that were tried and given up, unless they worked later. */
function deadEndsOf(sessions: readonly ProjectSession[]): MemoryLine[] {
  const recent = sessions.slice(-RECENT_SESSIONS)
  const found = recent.flatMap(({ id, notes }, i) =>
    notes.tried
      .filter(({ what, at }) => !worksLater(what, at, sessions))
      .map((tried) => ({ ...tried, session: id, rank: i })),
  )
  const newest = new Map(found.map((tried) => [tried.key, tried]))
  return [...newest.values()]
    .toSorted((a, b) => b.at - a.at)
    .map(({ what, error, ...place }) =>
      line(
        'deadEnds',
        `\`${what}\` failed and was given up${error === undefined ? '' : `: ${error}`}`,
        place,
        place.rank,
      ),
    )
}

/** Older ones say little about the project as it is now. */
const RECENT_SESSIONS = 12

function worksLater(what: string, at: number, sessions: readonly ProjectSession[]): boolean {
  return sessions.some(({ notes }) =>
    notes.commands.some((command) => command.command === what && command.ok === true && command.at > at),
  )
}

/** The work that the last sessions left: uncommitted files, open to-dos, checks that fail. */
function halfDoneOf(sessions: readonly ProjectSession[], now: ProjectNow): MemoryLine[] {
  const last = sessions.findLast(({ notes }) => notes.files.some(({ edits }) => edits > 0) || notes.todos.length > 0)
  return [
    ...uncommittedOf(sessions, now),
    ...failingOf(sessions),
    ...(last === undefined ? [] : todosOf(last, sessions)),
  ]
}

function uncommittedOf(sessions: readonly ProjectSession[], { dirty, has }: ProjectNow): MemoryLine[] {
  const left = new Map<string, { path: string; session: string; seq: Seq; at: number }>()
  const last = sessions.findLastIndex(({ notes }) => notes.files.some(({ edits }) => edits > 0))
  // Without git nobody knows what became of the files of older sessions.
  for (const { id, notes } of sessions.slice(dirty === undefined ? last : -RECENT_SESSIONS)) {
    for (const { path } of notes.committed) left.delete(path)
    for (const file of notes.files) if (file.isGone === true) left.delete(file.path)
    for (const { isUnsure, ...file } of notes.uncommitted)
      if (isUnsure !== true || dirty !== undefined) left.set(file.path, { ...file, session: id })
  }
  const open = [...left.values()].filter(
    ({ path }) =>
      (dirty === undefined || isDirty(path, dirty)) && (has === undefined || dirty !== undefined || has(path)),
  )
  const bySession = Map.groupBy(open, ({ session }) => session)
  return [...bySession.values()].toReversed().flatMap((files) => {
    const [first] = files.toSorted((a, b) => b.at - a.at)
    if (first === undefined) return []
    const names = files.slice(0, MOST_NAMES).map(({ path }) => path)
    const more = files.length > MOST_NAMES ? ` and ${files.length - MOST_NAMES} more` : ''
    return [line('halfDone', `not committed: ${names.join(', ')}${more}`, first, 3)]
  })
}

/** Git names a new folder, not the files in it. */
function isDirty(path: string, dirty: ReadonlySet<string>): boolean {
  return dirty.has(path) || [...dirty].some((folder) => folder.endsWith('/') && path.startsWith(folder))
}

const MOST_NAMES = 8

/** The checks whose last run failed, if afterwards no check of the kind passed in the same folder, and nothing was committed. */
function failingOf(sessions: readonly ProjectSession[]): MemoryLine[] {
  const recent = sessions.slice(-RECENT_SESSIONS)
  const ran = recent.flatMap(({ id, notes }) => notes.commands.map((command): Ran => ({ ...command, session: id })))
  const last = new Map<string, Ran>()
  for (const run of ran.toSorted((a, b) => a.at - b.at)) {
    if (run.ok !== undefined && run.kind !== 'run' && run.kind !== 'install')
      last.set(`${run.kind} ${run.folder ?? ''}`, run)
  }
  const end = recent.at(-1)?.notes.to ?? 0
  const committed = Math.max(0, ...recent.map(({ notes }) => notes.commit?.at ?? 0))
  return [...last.values()]
    .filter(({ ok, at }) => ok === false && at > committed && end - at < STILL_FAILING_MS)
    .map((run) => {
      const where = run.folder === undefined ? '' : ` in ${run.folder}/`
      return line('halfDone', `failed when it was last run: \`${run.command}\`${where}`, run, 2)
    })
}

/** A check that nobody has run since may have been fixed by hand. */
const STILL_FAILING_MS = 3 * 86_400_000

function todosOf({ id, notes }: ProjectSession, sessions: readonly ProjectSession[]): MemoryLine[] {
  const isLast = sessions.at(-1)?.id === id
  return isLast
    ? notes.todos.map(({ text, ...place }) => line('halfDone', `to do: ${text}`, { ...place, session: id }, 1))
    : []
}

/** The files that sessions read first and edit most, the newest sessions counting most. */
function placesOf(sessions: readonly ProjectSession[], { has }: ProjectNow): MemoryLine[] {
  const files = new Map<
    string,
    { path: string; score: number; session: string; seq: Seq; at: number; isGone: boolean }
  >()
  for (const [i, { id, notes }] of sessions.entries()) {
    const weight = FADING ** (sessions.length - 1 - i)
    for (const { path, order, edits, seen, isGone, seq, at } of notes.files) {
      const before = files.get(path)?.score ?? 0
      const score = before + weight * usesOf({ order, edits, seen })
      files.set(path, { path, score, session: id, seq, at, isGone: isGone === true })
    }
  }
  return [...files.values()]
    .filter(({ path, isGone }) => has?.(path) ?? !isGone)
    .toSorted((a, b) => b.score - a.score || b.at - a.at || (a.path < b.path ? -1 : 1))
    .map(({ path, score, ...place }) => line('places', path, place, score))
}

/** How much the uses of one session count after the next. */
const FADING = 0.8

function usesOf({ order, edits, seen = 0 }: Pick<NotedFile, 'order' | 'edits' | 'seen'>): number {
  const read = order === undefined ? 0 : order < FIRST_READS ? 1.5 : 0.5
  return read + Math.min(2, Math.log2(1 + edits)) + Math.min(0.4, 0.15 * Math.log2(1 + seen))
}

const FIRST_READS = 15

/** How a command proved itself, at the end of its line. */
export const PROOF = /, (?:passed in \d+ sessions?|typed by the user)$/

type LinePlace = { readonly session: string; readonly seq: Seq; readonly at: number }

function line(
  section: MemorySection,
  text: string,
  { session, seq, at }: LinePlace,
  rank: number,
  kind?: string,
): MemoryLine & { readonly kind?: string } {
  const key = `${section} ${text.replace(PROOF, '')}`
  return { section, text, at, session, seq, key, rank, ...(kind === undefined ? {} : { kind }) }
}
