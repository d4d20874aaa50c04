import { costText, count, counted, dollars, ifKnown, percentOf, percentText } from '../../engine/report/numbers.ts'
import { previewLines } from '../../engine/report/outcome.ts'
import { type ContextPartName, notInLogLines, PART_TITLES } from '../../engine/report/part-names.ts'
import { sourceText, windowText } from '../../engine/report/status-text.ts'
import {
  callsText,
  largestTools,
  requestCostText,
  serverTitle,
  type ToolReport,
  unusedTools,
  usedText,
} from '../../engine/report/tool-report.ts'
import type { SessionSpending } from '../../session/account/spent-meter.ts'
import type { Status } from '../../tokens/status.ts'
import { type ContextReport, type Line, line, type Span, type Tone, table } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import { todoLine } from '../state/apply-entry.ts'
import { type Command, type CommandContext, sayChange } from './command.ts'

export const slashContext: Command = {
  name: 'context',
  about: 'Show what fills the window, the largest items and the policy',
  anytime: true,
  run: async ({ port, show }) => show(contextLines(await port.context()), 'folded'),
}

const CELLS_A_ROW = 25
/** The cells between two gaps, which make them easy to count. */
const CELLS_A_GROUP = 5
const CELLS = 100

type Cell = { readonly glyph: string; readonly tone: Tone }

/** Each part has its own sign, so that the picture can be read without colours. */
const SIGNS: Readonly<Record<ContextPartName, Cell>> = {
  system: { glyph: '■', tone: 'muted' },
  tools: { glyph: '▤', tone: 'muted' },
  instructions: { glyph: '▥', tone: 'accent' },
  memory: { glyph: '▦', tone: 'accent' },
  hidden: { glyph: '□', tone: 'muted' },
  summary: { glyph: '◆', tone: 'success' },
  index: { glyph: '◇', tone: 'success' },
  user: { glyph: '●', tone: 'accent' },
  assistant: { glyph: '○', tone: 'code' },
  tool_results: { glyph: '▧', tone: 'warning' },
  reasoning: { glyph: '▨', tone: 'code' },
  images: { glyph: '▣', tone: 'warning' },
}
const RESERVE: Cell = { glyph: '▫', tone: 'muted' }
const FREE: Cell = { glyph: '·', tone: 'muted' }

type Part = { readonly name: string; readonly tokens: number; readonly cell: Cell }

/** The window as a picture, its parts, its largest items, the next compaction and the policy. */
function contextLines(report: ContextReport): Line[] {
  const { status, largest } = report
  const parts = partsOf(report)
  return [
    [
      ['Context  ', 'bold'],
      [percentText(status), 'bold'],
      [`  ${count(status.tokens)}${status.window === undefined ? ' tokens' : ` of ${windowText(status)}`}`],
      [`  ${report.model}`, 'muted'],
    ],
    line(''),
    ...picture(parts, status.window),
    line(''),
    ...legend(parts, status.window ?? status.tokens),
    line(sourceText(status), 'muted'),
    ...notInLogLines(report.parts).map((text) => line(text, 'muted')),
    ...(largest.length === 0 ? [] : [line(''), line('Largest', 'bold')]),
    ...table(
      largest.map(({ name, tokens }): Span[] => [[count(tokens)], [name, 'muted']]),
      ['right'],
    ),
    ...toolLines(report.tools),
    line(''),
    line(report.next),
    line(''),
    line(`Policy ${report.preset}: /policy shows all of it`, 'muted'),
  ]
}

const MOST_TOOLS = 5
const MOST_UNUSED = 12

/** The definitions of tools by server: tokens and cost in each request, and those that were never used. */
function toolLines(tools: ToolReport | undefined): Line[] {
  if (tools === undefined) return []
  const unused = unusedTools(tools)
  // Before the first call, the list of all tools would only be long.
  const isUsed = tools.servers.some((server) => server.tools.some(({ calls }) => calls > 0))
  const more = unused.length > MOST_UNUSED ? `, and ${unused.length - MOST_UNUSED} more` : ''
  return [
    line(''),
    [
      ['Tools in each request', 'bold'],
      [`  ${count(tools.tokens)} tokens  ${requestCostText(tools)}`, 'muted'],
    ],
    ...table(
      tools.servers.map((one): Span[] => [
        [count(one.tokens)],
        [safeText(serverTitle(one))],
        [usedText(one), 'muted'],
        [requestCostText(one), 'muted'],
      ]),
      ['right'],
    ),
    ...table(
      (isUsed ? largestTools(tools, MOST_TOOLS) : []).map((one): Span[] => [
        [count(one.tokens), 'muted'],
        [safeText(one.name), 'muted'],
        [callsText(one), 'muted'],
        [requestCostText(one), 'muted'],
      ]),
      ['right'],
    ),
    ...(unused.length === 0 || !isUsed
      ? []
      : [line(`never used: ${safeText(unused.slice(0, MOST_UNUSED).join(', '))}${more}`, 'muted')]),
  ]
}

function partsOf({ parts, status, reserve }: ContextReport): Part[] {
  const used = parts.map(({ name, tokens }): Part => ({ name: PART_TITLES[name], tokens, cell: SIGNS[name] }))
  if (status.window === undefined) return used
  const left = Math.max(0, status.window - status.tokens)
  const kept = Math.min(reserve, left)
  return [...used, { name: 'reserve', tokens: kept, cell: RESERVE }, { name: 'free', tokens: left - kept, cell: FREE }]
}

/** A hundred cells, one for each percent of the window. A part that has tokens has at least one cell. */
function picture(parts: readonly Part[], window: number | undefined): Line[] {
  if (window === undefined) return []
  const cells = parts.flatMap(({ tokens, cell, name }): Cell[] => {
    const share = Math.round((tokens / window) * CELLS)
    const least = tokens > 0 && name !== 'free' ? 1 : 0
    return Array.from({ length: Math.max(least, share) }, () => cell)
  })
  const free = Array.from({ length: Math.max(0, CELLS - cells.length) }, () => FREE)
  const all = [...cells, ...free].slice(0, CELLS)
  return Array.from({ length: CELLS / CELLS_A_ROW }, (_, row) =>
    all
      .slice(row * CELLS_A_ROW, (row + 1) * CELLS_A_ROW)
      .map(({ glyph, tone }, i): Span => [i % CELLS_A_GROUP === CELLS_A_GROUP - 1 ? `${glyph} ` : glyph, tone]),
  )
}

function legend(parts: readonly Part[], whole: number): Line[] {
  const shown = parts.filter(({ tokens }) => tokens > 0)
  return table(
    shown.map(({ name, tokens, cell }): Span[] => [
      [cell.glyph, cell.tone],
      [name],
      [count(tokens)],
      [percentOf(tokens, Math.max(1, whole), 2), 'muted'],
    ]),
    ['left', 'left', 'right', 'right'],
  )
}

export const slashCompact: Command = {
  name: 'compact',
  takes: '[focus]',
  about: 'Compact conversation context (optional: /compact <focus hint>)',
  run: async ({ port, compacting }, rest) => {
    compacting()
    await port.compact(rest === '' ? undefined : rest)
  },
}

export const slashUndo: Command = {
  name: 'undo',
  about: 'Take back the last compaction or change of the context',
  run: async (context) => {
    const after = await context.port.undoPreview()
    if (after === undefined || (await isWanted(context, after))) await sayChange(context, () => context.port.undo())
  },
}

/** Asks first when the context after the undo would not fit into the window. */
async function isWanted({ state, pick }: CommandContext, { window, tokens }: Status): Promise<boolean> {
  if (window === undefined || tokens <= window || (state().status?.tokens ?? 0) > window) return true
  const title = `The context would have ${count(tokens)} tokens, more than the window of ${count(window)}`
  const rows = [
    { value: 'no', cells: [['no, leave it compacted'] as const] },
    { value: 'yes', cells: [['yes, undo: it has to be compacted again before the next message'] as const] },
  ]
  return (await pick({ title, rows })) === 'yes'
}

export const slashRedo: Command = {
  name: 'redo',
  about: 'Take back the last /undo, also that of a rewind',
  run: (context) => sayChange(context, () => context.port.redo()),
}

export const slashPreview: Command = {
  name: 'preview',
  about: 'Show what /compact would do, and its price',
  anytime: true,
  run: async ({ port, show }) => show(previewLines(await port.preview()).map((text) => line(text))),
}

export const slashTodo: Command = {
  name: 'todo',
  about: 'Show the to-do list of the agent',
  anytime: true,
  run: async ({ port, show, note }) => {
    const todos = await port.todos()
    if (todos.length === 0) note('The to-do list is empty.', 'muted')
    else show(todos.map(todoLine))
  },
}

export const slashMemory: Command = {
  name: 'memory',
  about: 'Show the memory of the project that this session began with',
  anytime: true,
  run: async ({ port, show, note }) => {
    const page = await port.memory()
    if (page === '')
      return note('This session began without a memory of the project. pith memory shows it as it is now.', 'muted')
    const lines = page.split('\n').map((text): Line => [[text, text.startsWith('#') ? 'accent' : 'plain']])
    show(lines, 'folded')
  },
}

export const slashCost: Command = {
  name: 'cost',
  about: 'Show what the session has cost so far',
  anytime: true,
  run: async ({ port, show }) => show(costLines(await port.spent())),
}

const MISSING = ': the price of a model is missing'

function costLines(spent: SessionSpending): Line[] {
  const { cost, knownCost, calls, inputTokens, cacheReadTokens, outputTokens } = spent
  const { compactions, compactionCost, tasks } = spent
  const rows: Span[][] = [
    [
      ['cost so far'],
      [costText(cost, { known: knownCost, unknown: 'not known' }) + (cost === undefined ? MISSING : ''), 'bold'],
    ],
    [['model calls'], [count(calls)]],
    [['input tokens'], [`${count(inputTokens)} (${count(cacheReadTokens)} from the cache)`]],
    [['output tokens'], [count(outputTokens)]],
    ...(tasks === undefined
      ? []
      : [[['of sub-agents'], [`${counted(tasks.calls, 'call')} (${dollars(tasks.knownCost)})`]] as Span[]]),
    [['compactions made'], [`${count(compactions)} (${ifKnown(compactionCost, dollars)})`]],
  ]
  return [line('Cost', 'bold'), ...table(rows)]
}
