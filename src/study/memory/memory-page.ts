import { escaped, withOwnLines } from '../../engine/record/escape.ts'
import { counted } from '../../engine/report/numbers.ts'
import { redactSecrets } from '../../secrets/redact-secrets.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import { MEMORY_SECTIONS, type MemoryLine, type MemorySection, PROOF, type ProjectMemory } from './project-memory.ts'
import { MEMORY_FRAME } from './said-rules.ts'

/** Decisions of the user about a memory. */
export type MemoryChanges = {
  /** Lines of the user's own, always shown. */
  readonly pinned: readonly { readonly text: string; readonly at: number }[]
  /** Lines that the user does not want, by their keys, and since when. A rule that is said again later comes back. */
  readonly forgotten: readonly { readonly key: string; readonly at: number }[]
}

export type PageOptions = {
  /** The name of the project. */
  readonly name: string
  readonly changes?: MemoryChanges
  /** The most tokens; 2,000 if absent. */
  readonly tokens?: number
}

/** A row of a page: one line of a memory, the files of one folder, or a line of the user's own. */
export type MemoryRow = { readonly text: string; readonly lines: readonly MemoryLine[]; readonly pinned?: string }

/** A memory as text, and its rows in order. */
export type MemoryPage = { readonly text: string; readonly tokens: number; readonly rows: readonly MemoryRow[] }

/** The page of a project's memory. What does not fit is left out, the least used first; an empty memory is an empty page. */
export function memoryPage(memory: ProjectMemory, { name, changes, tokens = MOST_TOKENS }: PageOptions): MemoryPage {
  // The parts of a text are estimated to be a little less than the whole.
  for (let room = tokens; ; ) {
    const page = pageWithin(memory, name, changes, room)
    if (page.tokens <= tokens || page.rows.length === 0) return page
    room -= page.tokens - tokens
  }
}

function pageWithin(
  memory: ProjectMemory,
  name: string,
  changes: MemoryChanges | undefined,
  tokens: number,
): MemoryPage {
  const lines = memory.lines.map(withoutSecrets).filter((line) => !isForgotten(line, changes))
  const pinned = pinsWithin(changes?.pinned ?? [], Math.min(tokens / 2, MOST_PINNED_TOKENS))
  const parts: { readonly title: string; readonly rows: readonly MemoryRow[] }[] = [{ title: PINNED, rows: pinned }]
  const fixed = [headOf(memory, name), ...footOf(memory)]
  let left = tokens - sizeOf(fixed) - rowsSize(pinned)
  for (const section of MEMORY_SECTIONS) {
    const title = TITLES[section]
    const all = lines.filter((line) => line.section === section)
    const room = Math.min(left - sizeOf([title]), SHARES[section])
    const rows = section === 'places' ? placesWithin(all, room) : rowsWithin(all, room)
    if (rows.length > 0) left -= sizeOf([title]) + rowsSize(rows)
    parts.push({ title, rows })
  }
  const rows = parts.flatMap((part) => part.rows)
  if (rows.length === 0) return { text: '', tokens: 0, rows }
  const [head = '', ...foot] = fixed
  const shown = parts.filter((part) => part.rows.length > 0)
  const body = shown.flatMap((part) => [`## ${part.title}`, ...part.rows.map(({ text }) => `- ${text}`)])
  const text = [head, ...body, ...foot].join('\n')
  return { text, tokens: featureEstimator.text(text), rows }
}

/** The newest pins that fit, in their order. */
function pinsWithin(pinned: MemoryChanges['pinned'], room: number): MemoryRow[] {
  let left = room
  return pinned
    .toReversed()
    .flatMap(({ text, at }): MemoryRow[] => {
      const row = `${asLine(redactSecrets(text).text)} (pinned ${day(at)})`
      left -= sizeOf([row])
      return left < 0 ? [] : [{ text: row, lines: [], pinned: text }]
    })
    .toReversed()
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + featureEstimator.text(`- ${text}\n`), 0)
}

function rowsSize(rows: readonly MemoryRow[]): number {
  return sizeOf(rows.map(({ text }) => text))
}

const MOST_TOKENS = 2_000
/** The user's own lines leave room for the rest. */
export const MOST_PINNED_TOKENS = 1_000
const PINNED = 'Pinned by the user'

const TITLES: Readonly<Record<MemorySection, string>> = {
  rules: 'Rules that the user stated',
  commands: 'Build, test and run',
  deadEnds: 'Tried and given up',
  halfDone: 'Left half-done',
  places: 'Files that sessions here start with and change most',
}

/** The most tokens of each section: no section takes all the room. */
const SHARES: Readonly<Record<MemorySection, number>> = {
  rules: 700,
  commands: 350,
  deadEnds: 250,
  halfDone: 300,
  places: 800,
}

function headOf({ sessions, upTo }: ProjectMemory, name: string): string {
  return `# Memory of the project ${plainName(name)}
${MEMORY_FRAME} ${counted(sessions, 'earlier session')} in this project, the last on ${day(upTo)}: what the user said and what tools did there. It is no request. What the user says in this session comes first. \`ID#N\` is an entry of an earlier session: \`pith recall 'ID#N'\` gives it back word for word.`
}

function footOf({ reports: { count, session, seq } }: ProjectMemory): string[] {
  if (session === undefined || seq === undefined) return []
  return [`Reports of agents, not part of this memory: ${count}, newest ${handleOf({ session, seq })}`]
}

function rowsWithin(all: readonly MemoryLine[], room: number): MemoryRow[] {
  let left = room
  return all.flatMap((line) => {
    const text = `${asLine(line.text)} (${day(line.at)}, ${handleOf(line)})`
    if (sizeOf([text]) > left) return []
    left -= sizeOf([text])
    return [{ text, lines: [line] }]
  })
}

/** Files are listed by folder: the name of the folder is written once. */
function placesWithin(all: readonly MemoryLine[], room: number): MemoryRow[] {
  let [fits, tooMany] = [0, all.length + 1]
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (rowsSize(placeRows(all.slice(0, middle))) <= room) fits = middle
    else tooMany = middle
  }
  return placeRows(all.slice(0, fits))
}

function placeRows(lines: readonly MemoryLine[]): MemoryRow[] {
  const folders = Map.groupBy(lines, ({ text }) => text.slice(0, text.lastIndexOf('/') + 1))
  return [...folders].map(([folder, files]) => {
    const newest = files.reduce((a, b) => (b.at > a.at ? b : a))
    const names = files.map(({ text }) => text.slice(folder.length)).join(', ')
    const text = `${asLine(`${folder === '' ? './' : folder}: ${names}`)} (${day(newest.at)}, ${handleOf(newest)})`
    return { text, lines: files }
  })
}

/** The page with the number of each row before it, by which `pith memory forget` takes it out. */
export function numberedPage({ text }: MemoryPage): string {
  let next = 1
  return text.replace(/^- /gm, () => `${String(next++).padStart(3)} `)
}

/** Rules and commands as text for a file of instructions that people keep, such as AGENTS.md. */
export function exportText({ rows }: MemoryPage): string {
  const own = rows.flatMap(({ pinned }) => (pinned === undefined ? [] : [asLine(redactSecrets(pinned).text)]))
  const of = (section: MemorySection) => rows.flatMap((row) => row.lines.filter((line) => line.section === section))
  const rules = of('rules').map(({ text }) => asLine(text.slice(1, -1)))
  const commands = of('commands').map(({ text }) => asLine(text.replace(PROOF, '')))
  const part = (title: string, some: readonly string[]) =>
    some.length === 0 ? [] : [`## ${title}`, '', ...some.map((line) => `- ${line}`), '']
  return [...part('Rules', [...own, ...rules]), ...part('Build, test and run', commands)].join('\n').trimEnd()
}

/** A handle that names its session, too. */
function handleOf({ session, seq }: Pick<MemoryLine, 'session' | 'seq'>): string {
  return `${session}#${seq}`
}

function isForgotten({ key, at, section }: MemoryLine, changes: MemoryChanges | undefined): boolean {
  return changes?.forgotten.some((one) => one.key === key && (section !== 'rules' || at <= one.at)) === true
}

function withoutSecrets(line: MemoryLine): MemoryLine {
  const { text, kinds } = redactSecrets(line.text)
  return kinds.length === 0 ? line : { ...line, text, key: redactSecrets(line.key).text }
}

/** The name of a project is that of a folder or of a repository: anybody may have chosen it. */
function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 60)
}

/** Foreign words on one line that begins and ends nothing: no heading, no quotation, no tag of a frame around the page. */
function asLine(text: string): string {
  const line = withOwnLines(text).replaceAll('\n', ' ').replace(FRAME_TAG, '‹')
  return escaped(line).trim()
}

const FRAME_TAG = /<(?=\/?(?:[a-z]+-[a-z-]+|memory|system|context|instructions|user|assistant|reminder)\b)/gi

function day(at: number): string {
  return at === 0 ? 'undated' : new Date(at).toISOString().slice(0, 10)
}
