import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageItem } from '../../src/engine/context/view/item-list.ts'
import { answeredCalls, type OpenCalls } from '../../src/engine/extract/item-facts.ts'
import { decode } from '../../src/formats/index.ts'
import { type Entry, outputText, textOf } from '../../src/model/types.ts'
import { memoryPage } from '../../src/study/memory/memory-page.ts'
import { type MemoryLine, memoryOf, type ProjectSession } from '../../src/study/memory/project-memory.ts'
import { type SessionNotes, sessionNotes } from '../../src/study/memory/session-notes.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'
import type { Bench, BenchContext } from '../harness/bench.ts'
import { spanText } from '../retention/record-text.ts'
import { rounded } from '../retention/tables.ts'
import { updating } from './update.ts'

/** A session of a project, in the order of time. */
type Recorded = ProjectSession & {
  readonly name: string
  readonly entries: readonly Entry[]
  readonly isDelegated: boolean
}

/** The files and commands that a session needed at its start. */
type Needed = { readonly reads: readonly string[]; readonly commands: readonly string[] }

/** A text that a session could have begun with. */
type Start = { readonly method: string; readonly text: string; readonly tokens: number }

type Judged = {
  readonly project: string
  readonly session: string
  readonly starts: readonly (Start & { readonly reads: number; readonly commands: number })[]
  readonly needed: Needed
  readonly lines: readonly MemoryLine[]
  readonly wrong: readonly string[]
}

export const MEMORY: readonly Bench[] = [
  {
    name: 'memory/sessions',
    what: 'The memory of a project, made from its earlier sessions, next to what its next session read and ran first.',
    run: async (context) => {
      const judged: Judged[] = []
      for (const { name, sessions } of await projectsOf(context)) {
        for (const [i, session] of sessions.entries()) {
          if (i === 0 || !isCounted(session, sessions.slice(0, i))) continue
          judged.push(await judgedSession(name, sessions.slice(0, i), session))
          context.progress(`${name}: ${i + 1} of ${sessions.length} sessions`)
        }
      }
      if (judged.length === 0)
        return { tables: [], notes: ['No folders with several sessions in this material: `--transcripts FOLDER`.'] }
      return { tables: [startTable(judged), lineTable(judged)], notes: NOTES, data: judged.map(dataOf) }
    },
  },
  updating,
]

const NOTES = [
  'A folder with several sessions counts as a project, its files in the order of their names as the order of time. Sessions of sub-agents, and sessions that read nothing, are not judged.',
  'All texts next to the memory have its length, or less if they have nothing more to say. The list in folders is written as the memory writes files.',
  'A line is wrong if the session shows it before it changes anything: a file is missing, a command fails, work is committed, a check passes.',
]

async function projectsOf({ transcripts }: BenchContext): Promise<{ name: string; sessions: Recorded[] }[]> {
  const projects: { name: string; sessions: Recorded[] }[] = []
  for (const root of transcripts) {
    for (const { name } of readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
      const files = readdirSync(join(root, name)).filter((file) => file.endsWith('.jsonl'))
      const sessions: Recorded[] = []
      for (const file of files.toSorted()) sessions.push(...(await recordedIn(join(root, name, file), file)))
      if (sessions.length > 1) projects.push({ name, sessions })
    }
  }
  return projects
}

async function recordedIn(path: string, name: string): Promise<Recorded[]> {
  const read = await decode([readFileSync(path, 'utf8')])
  if (!read.ok) return []
  const { entries, workspace, isDelegated = false } = read.session
  return [
    { id: name.slice(0, 2), name, entries, isDelegated, notes: sessionNotes({ entries, workspace, isDelegated }) },
  ]
}

/** A sub-agent gets its start from another agent, and a fork from its original. */
function isCounted({ notes, isDelegated }: Recorded, before: readonly Recorded[]): boolean {
  const isFork = before.some((other) => other.notes.from === notes.from)
  return !isDelegated && !isFork && notes.files.some(({ order }) => order !== undefined)
}

const FIRST_READS = 15
const FIRST_COMMANDS = 10

async function judgedSession(project: string, before: readonly Recorded[], session: Recorded): Promise<Judged> {
  const memory = memoryOf(before)
  const page = memoryPage(memory, { name: project })
  const needed = neededBy(session.notes)
  const texts = [
    { method: 'nothing', text: '' },
    { method: 'memory', text: page.text },
    {
      method: 'record of the last session',
      text: await spanText({ log: before.at(-1)?.entries ?? [] }, page.text.length),
    },
    { method: 'AGENTS.md or CLAUDE.md', text: instructionsIn([...before, session]).slice(0, page.text.length) },
    { method: 'most used files', text: within(page.tokens, mostUsed(before), (paths) => paths.join('\n')) },
    { method: 'most used files, in folders', text: within(page.tokens, mostUsed(before), inFolders) },
  ]
  const lines = page.rows.flatMap((row) => row.lines)
  const places = new Set(lines.filter(({ section }) => section === 'places').map(({ text }) => text))
  const starts = texts.map(({ method, text }) => ({
    method,
    text,
    tokens: featureEstimator.text(text),
    reads: needed.reads.filter((path) => (method === 'memory' && places.has(path)) || isNamed(path, text)).length,
    commands: needed.commands.filter((command) => text.includes(command)).length,
  }))
  return { project, session: session.name, starts, needed, lines, wrong: wrongLines(lines, session) }
}

function neededBy({ files, commands }: SessionNotes): Needed {
  const read = files.filter(({ order }) => order !== undefined).toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
  const ran = commands.filter(({ isTyped }) => isTyped !== true).map(({ command }) => command)
  return {
    reads: read.slice(0, FIRST_READS).map(({ path }) => path),
    commands: [...new Set(ran)].slice(0, FIRST_COMMANDS),
  }
}

/** True if a text names a file: its path, or its folder and then its name. */
function isNamed(path: string, text: string): boolean {
  const [folder, name] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1)]
  if (folder !== '' && text.includes(path)) return true
  const words = (line: string) => line.split(/[\s,`'"():]+/)
  return text.split('\n').some((line) => words(line).includes(name) && (folder === '' || line.includes(folder)))
}

/** The files of sessions by how many of them used each, and how much. */
function mostUsed(before: readonly Recorded[]): string[] {
  const uses = new Map<string, number>()
  for (const { notes } of before)
    for (const { path, edits, order } of notes.files)
      uses.set(path, (uses.get(path) ?? 0) + (order === undefined ? 0 : 1) + edits)
  return [...uses]
    .filter(([, times]) => times > 0)
    .toSorted((a, b) => b[1] - a[1])
    .map(([path]) => path)
}

function within(tokens: number, paths: readonly string[], shown: (paths: readonly string[]) => string): string {
  let count = paths.length
  while (count > 0 && featureEstimator.text(shown(paths.slice(0, count))) > tokens) count--
  return shown(paths.slice(0, count))
}

function inFolders(paths: readonly string[]): string {
  const folders = Map.groupBy(paths, (path) => path.slice(0, path.lastIndexOf('/') + 1))
  return [...folders]
    .map(([folder, files]) => `- ${folder || './'}: ${files.map((path) => path.slice(folder.length)).join(', ')}`)
    .join('\n')
}

/** The instructions of the repository, as the last session that has them shows them. */
function instructionsIn(sessions: readonly Recorded[]): string {
  const last = sessions.toReversed().flatMap(({ entries }) => {
    const given = entries.flatMap((entry) => (entry.type === 'message' ? [textOf(entry.message)] : []))
    const sent = given.find((text) => text.includes('# AGENTS.md instructions'))
    const read = resultsIn(entries).find(({ input }) => /(?:AGENTS|CLAUDE)\.md/.test(input))
    return sent ?? read?.output ?? []
  })
  return last[0] ?? ''
}

type Result = { readonly seq: number; readonly input: string; readonly output: string }

function resultsIn(entries: readonly Entry[]): Result[] {
  const open: OpenCalls = new Map()
  return entries.flatMap((entry) => {
    if (entry.type !== 'message') return []
    return [...answeredCalls(messageItem(entry), open)].map(({ call, result, seq }) => ({
      seq,
      input: JSON.stringify(call.input),
      output: outputText(result.output),
    }))
  })
}

/** The lines that a session shows to be false or stale at its start. */
function wrongLines(lines: readonly MemoryLine[], { entries, notes }: Recorded): string[] {
  const results = resultsIn(entries)
  const changed = Math.min(
    ...notes.files.filter(({ edits }) => edits > 0).map(({ seq }) => seq),
    Number.POSITIVE_INFINITY,
  )
  const early = results.filter(({ seq }) => seq < changed)
  const firstRun = (command: string) => notes.commands.find((run) => run.command === command && run.ok !== undefined)
  return lines.flatMap(({ section, text }) => {
    const command = /`([^`]+)`/.exec(text)?.[1] ?? ''
    const run = firstRun(command)
    const isEarly = run !== undefined && run.seq < changed
    const isWrong =
      section === 'places'
        ? early.some(({ output }) => output.split('\n').some((line) => MISSING.test(line) && line.includes(text)))
        : section === 'commands'
          ? isEarly && run.ok === false
          : section === 'deadEnds'
            ? isEarly && run.ok === true
            : text.startsWith('failed when')
              ? isEarly && run.ok === true
              : text.startsWith('not committed') && isCommitted(text, early)
    return isWrong ? [`${section}: ${text}`] : []
  })
}

const MISSING = /No such file|does not exist|not found|cannot access/i

function isCommitted(text: string, early: readonly Result[]): boolean {
  const status = early.find(({ input }) => /git (?:-C \S+ )?status/.test(input))
  const paths = text.slice(text.indexOf(':') + 2).split(', ')
  return status !== undefined && !paths.some((path) => status.output.includes(path.split('/').at(-1) ?? path))
}

function startTable(judged: readonly Judged[]) {
  const methods = judged[0]?.starts.map(({ method }) => method) ?? []
  const projects = [...new Set(judged.map(({ project }) => project))]
  const sum = (some: readonly Judged[], of: (one: Judged) => number) => some.reduce((total, one) => total + of(one), 0)
  const share = (some: readonly Judged[], method: string, what: 'reads' | 'commands') =>
    percent(
      sum(some, ({ starts }) => starts.find((start) => start.method === method)?.[what] ?? 0),
      sum(some, ({ needed }) => needed[what].length),
    )
  return {
    title: `The first ${FIRST_READS} files that a session reads and the first ${FIRST_COMMANDS} commands that it runs, named before (%)`,
    columns: ['start', 'tokens', 'files', ...projects.map((name) => `… ${name}`), 'commands'],
    rows: methods.map((method) => [
      method,
      Math.round(sum(judged, ({ starts }) => starts.find((one) => one.method === method)?.tokens ?? 0) / judged.length),
      share(judged, method, 'reads'),
      ...projects.map((name) =>
        share(
          judged.filter(({ project }) => project === name),
          method,
          'reads',
        ),
      ),
      share(judged, method, 'commands'),
    ]),
  }
}

function lineTable(judged: readonly Judged[]) {
  const of = (section: string) => judged.flatMap(({ lines }) => lines.filter((line) => line.section === section)).length
  const wrong = (section: string) =>
    judged.flatMap(({ wrong: some }) => some.filter((text) => text.startsWith(`${section}:`))).length
  const sections = ['rules', 'commands', 'deadEnds', 'halfDone', 'places']
  const all = sections.reduce((sum, section) => sum + of(section), 0)
  const allWrong = sections.reduce((sum, section) => sum + wrong(section), 0)
  return {
    title: `Lines of ${judged.length} memories, and those that the next session shows to be false or stale`,
    columns: ['section', 'lines', 'wrong', '%'],
    rows: [
      ...sections.map((section) => [section, of(section), wrong(section), percent(wrong(section), of(section))]),
      ['all', all, allWrong, percent(allWrong, all)],
    ],
  }
}

function percent(part: number, whole: number): number | undefined {
  return rounded((100 * part) / (whole || 1))
}

function dataOf({ project, session, starts, needed, wrong }: Judged) {
  const named = starts.map(({ method, tokens, reads, commands }) => ({ method, tokens, reads, commands }))
  return { project, session, reads: needed.reads.length, commands: needed.commands.length, named, wrong }
}
