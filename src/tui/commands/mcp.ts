import { counted, short } from '../../engine/report/numbers.ts'
import { type Line, line, type McpReport, type McpRow, type Span, type Tone, table } from '../port/port.ts'
import { type Command, sayResult } from './command.ts'

export const slashMcp: Command = {
  name: 'mcp',
  takes: '[name | restart name | trust]',
  about: 'List MCP servers: state, tools, errors',
  anytime: true,
  run: async (context, rest) => {
    const { port, show, note } = context
    if (rest === 'trust') return sayResult(context, await port.trustMcp())
    const [word, name] = rest.split(/\s+/)
    if (word === 'restart' && name !== undefined) return sayResult(context, await port.restartMcp(name))
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
  return [
    line('MCP servers', 'bold'),
    ...table(rows),
    line('/mcp <name> lists its tools · /mcp restart <name>', 'muted'),
  ]
}

function toolLines({ name, tools, state, why }: McpRow): Line[] {
  const rows = tools.map((tool): Span[] => [
    [tool.name, 'accent'],
    [tool.about, 'muted'],
  ])
  const isNot = state === 'ready' ? '' : ` (${[state, why].filter((text) => text !== undefined).join(': ')})`
  return [line(`Tools of ${name}${isNot}`, 'bold'), ...table(rows)]
}
