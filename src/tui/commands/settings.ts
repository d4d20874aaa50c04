import { count, counted, ifKnown, rate, short } from '../../engine/report/numbers.ts'
import { CONFIG_KEYS } from '../../model/policy/policy.ts'
import { PRESET_NAMES } from '../../model/policy/preset-names.ts'
import { nearest } from '../../model/problems/problem-text.ts'
import type { PickerRow } from '../parts/picker.ts'
import {
  type Line,
  line,
  type McpReport,
  type McpRow,
  type ModelRow,
  type PolicyReport,
  type Span,
  type Tone,
  table,
} from '../port/port.ts'
import { visibleText } from '../port/safe-text.ts'
import { type Command, type CommandContext, sayResult } from './command.ts'

export const slashModel: Command = {
  name: 'model',
  takes: '[provider/model]',
  about: 'Choose the model: window, price, whether it can be used; asks for a key that is missing',
  run: async (context, rest) => {
    const name = rest === '' ? await pickModel(context) : rest
    if (name === undefined) return
    const change = await context.port.setModel(name)
    sayResult(context, change)
    if (change.needsKey === undefined) return
    if (await storedKey(context, change.needsKey)) sayResult(context, await context.port.setModel(name))
  },
}

async function storedKey(context: CommandContext, provider: string): Promise<boolean> {
  const { port, secret } = context
  const key = await secret(`Key for ${provider}`)
  if (key === undefined || key === '') return false
  const stored = await port.setKey(provider, key)
  sayResult(context, stored)
  return stored.ok
}

async function pickModel({ port, pick, state }: CommandContext): Promise<string | undefined> {
  const rows = (await port.models()).map((row) => ({ value: row.name, cells: cellsOf(row) }))
  return pick({ title: 'Model', rows, align: ['left', 'right', 'right', 'right', 'left'], current: state().model })
}

function cellsOf({ name, window, inputPrice, outputPrice, usable, why }: ModelRow): Span[] {
  return [
    [name],
    [ifKnown(window, count)],
    [ifKnown(inputPrice, rate), 'muted'],
    [ifKnown(outputPrice, rate), 'muted'],
    usable ? ['usable', 'success'] : [why ?? 'not usable', 'muted'],
  ]
}

export const slashThink: Command = {
  name: 'think',
  takes: '[level]',
  about: 'How much the model thinks: auto, off, low, medium, high',
  anytime: true,
  run: async (context, rest) => {
    const { port, pick, state } = context
    const { model, thinking = 'auto' } = state()
    const list = { title: `${model} thinks: ${thinking}`, rows: LEVELS, current: thinking }
    const level = rest === '' ? await pick(list) : rest
    if (level !== undefined) sayResult(context, await port.think(level))
  },
}

const LEVELS: readonly { value: string; cells: readonly Span[] }[] = [
  { value: 'auto', cells: [['auto'], ['the provider’s default', 'muted']] },
  { value: 'off', cells: [['off'], ['not at all, if the model can', 'muted']] },
  { value: 'low', cells: [['low'], ['a little', 'muted']] },
  { value: 'medium', cells: [['medium'], ['some', 'muted']] },
  { value: 'high', cells: [['high'], ['much: slower, and more tokens', 'muted']] },
]

export const slashPolicy: Command = {
  name: 'policy',
  takes: '[preset | key value]',
  about: 'Show or set when and how this session is compacted',
  run: async (context, rest) => {
    const { port, show, note } = context
    if (rest === '') return show(policyLines(await port.policy()), 'folded')
    const [key = '', ...words] = rest.split(/\s+/)
    if (words.length > 0) return sayResult(context, await port.setPolicy(key, words.join(' ')))
    if (PRESET_NAMES.some((name) => name === key)) return sayResult(context, await port.setPolicy('preset', key))
    note(CONFIG_KEYS.has(key) ? `Say the value: /policy ${key} <value>` : unknownText(key), 'error')
  },
}

function unknownText(name: string): string {
  const meant = nearest(name, [...PRESET_NAMES, ...CONFIG_KEYS.keys()])
  const hint =
    meant === undefined
      ? `the presets are ${PRESET_NAMES.join(', ')}, and /policy lists the settings`
      : `did you mean ${meant}?`
  return `There is no preset or setting ${name}: ${hint}`
}

function policyLines({ preset, values }: PolicyReport): Line[] {
  // A small screen shows only the first rows, so the values that somebody has set come before those of the preset.
  const sorted = values.toSorted((a, b) => Number(isOfPreset(a)) - Number(isOfPreset(b)))
  const rows = sorted.map(({ key, value, source }): Span[] => [[key], [value], [source, 'muted']])
  return [
    line(`Policy ${preset}`, 'bold'),
    line('/policy <preset> or /policy <key> <value> changes this session; pith config set changes all', 'muted'),
    ...table(rows),
  ]
}

function isOfPreset({ source }: PolicyReport['values'][number]): boolean {
  return source === 'default' || source.startsWith('preset ')
}

export const slashPlan: Command = {
  name: 'plan',
  takes: '[task | off]',
  about: 'Plan first: the agent only reads, and hands over a plan; accepted, it becomes the to-do list',
  run: async (context, rest) => {
    const { port, say } = context
    const change = await port.plan(rest !== 'off')
    sayResult(context, change)
    if (change.ok && rest !== '' && rest !== 'off') await say(rest)
  },
}

export const slashPermissions: Command = {
  name: 'permissions',
  takes: '[mode | rules]',
  about: 'What the agent may do without asking: ask, auto-edit, full; list and remove rules',
  anytime: true,
  run: async (context, rest) => {
    const { port, pick, state, note } = context
    // A word about the sandbox may follow the mode.
    const [current, sandbox] = state().permissions.split(',', 2)
    if (sandbox === undefined && ROWS.some(({ value }) => value === current)) note(NO_SANDBOX)
    const list = { title: 'Without asking the agent may', rows: ROWS, current }
    const wish = rest === '' ? await pick(list) : rest
    if (wish === 'rules') await removeRules(context)
    else if (wish !== undefined) sayResult(context, await port.permissions(wish))
  },
}

const NO_SANDBOX =
  'There is no sandbox for commands here: it is off, or none works on this system. They can read and change what you can.'

const ROWS: readonly PickerRow[] = [
  { value: 'ask', cells: [['ask'], ['read the workspace; edits and commands are asked about', 'muted']] },
  {
    value: 'auto-edit',
    cells: [['auto-edit'], ['edit the workspace and run commands in the sandbox, if there is one', 'muted']],
  },
  { value: 'full', cells: [['full'], ['read and edit the workspace and run commands', 'muted']] },
  { value: 'rules', cells: [['rules'], ['what you answered with always or never: list, remove', 'muted']] },
]

/** Lists the rules until the user leaves. A rule that the user chooses is removed. */
async function removeRules(context: CommandContext): Promise<void> {
  const { port, pick, note } = context
  for (;;) {
    const rules = await port.rules()
    if (rules.length === 0) return note('There are no rules for this workspace.')
    const rows = rules.map(
      ({ answer, rule }, i): PickerRow => ({
        value: String(i),
        cells: [[answer, answer === 'never' ? 'warning' : 'success'], [visibleText(rule).replaceAll('\n', ' ')]],
      }),
    )
    const picked = await pick({ title: 'Rules of this workspace: Enter removes one', rows })
    const rule = picked === undefined ? undefined : rules[Number(picked)]
    if (rule === undefined) return
    sayResult(context, await port.removeRule(rule))
  }
}

export const slashMcp: Command = {
  name: 'mcp',
  takes: '[name | trust]',
  about: 'List MCP servers: state, tools, errors',
  anytime: true,
  run: async (context, rest) => {
    const { port, show, note } = context
    if (rest === 'trust') return sayResult(context, await port.trustMcp())
    const report = await port.mcp()
    if (report.unavailable !== undefined) return note(report.unavailable)
    if (report.servers.length === 0)
      return note('There are no MCP servers: name some under `mcp` in the configuration.')
    const server = report.servers.find((each) => each.name === rest)
    if (rest !== '' && server === undefined) return note(`There is no MCP server ${rest}: /mcp lists them`, 'error')
    show(server === undefined ? serverLines(report) : toolLines(server))
  },
}

const TONES: Readonly<Record<McpRow['state'], Tone>> = {
  ready: 'success',
  starting: 'muted',
  failed: 'error',
  off: 'muted',
}

function serverLines({ servers }: McpReport): Line[] {
  const rows = servers.map(({ name, state, tools, tokens, why = '' }): Span[] => [
    [name, 'bold'],
    [state, TONES[state]],
    [counted(tools.length, 'tool')],
    [`${short(tokens)} tokens`, 'muted'],
    [why, state === 'failed' ? 'error' : 'muted'],
  ])
  return [line('MCP servers', 'bold'), ...table(rows), line('/mcp <name> lists its tools', 'muted')]
}

function toolLines({ name, tools, state, why }: McpRow): Line[] {
  const rows = tools.map((tool): Span[] => [
    [tool.name, 'accent'],
    [tool.about, 'muted'],
  ])
  const isNot = state === 'ready' ? '' : ` (${[state, why].filter((text) => text !== undefined).join(': ')})`
  return [line(`Tools of ${name}${isNot}`, 'bold'), ...table(rows)]
}
