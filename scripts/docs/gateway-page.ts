import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageWithBlocks } from './blocks.ts'
import { table } from './markdown.ts'
import { money, time } from './number-forms.ts'
import { ResultTable } from './results.ts'

/** docs/gateway.md: the time and memory that the gateway takes, and the cost of sessions and agents behind it. */
export function gatewayPage(): string {
  return pageWithBlocks('docs/gateway.md', {
    agents: agentTable(),
    measured: `${timeTable()}\n\n${costTable()}`,
  })
}

const PRICED = join(import.meta.dirname, '..', '..', 'test', 'clients', 'priced.json')
const PRICED_WAYS = ['observe', 'answer', 'long', 'rewrite', 'early'] as const
type PricedRun = { readonly date: string; readonly dollars: number; readonly compactions: number }
type PricedAgent = {
  readonly agent: string
  readonly version: string
  readonly ways: { readonly direct: PricedRun } & Readonly<Partial<Record<(typeof PRICED_WAYS)[number], PricedRun>>>
}

/** The costs of the real agents at their own trigger, relative to the same agent without Pith. Codex has another provider in its settings there. */
export function equalTriggerRatios(way: 'answer' | 'long' | 'rewrite'): number[] {
  return pricedAgents().flatMap(({ agent, ways }) => {
    const run = ways[way]
    return run === undefined || agent === 'codex' ? [] : [run.dollars / ways.direct.dollars]
  })
}

/** The real agents, as `npm run bench:agents` has measured them last. */
function pricedAgents(): PricedAgent[] {
  return JSON.parse(readFileSync(PRICED, 'utf8'))
}

function agentTable(): string {
  const rows = pricedAgents().map(({ agent, version, ways }) => {
    const runs = PRICED_WAYS.map((way) => ways[way])
    const ratios = runs.map((run) =>
      run === undefined ? 'not measured' : (run.dollars / ways.direct.dollars).toFixed(3),
    )
    const all = [ways.direct, ...runs]
    const compactions = all.map((run) => run?.compactions ?? '–').join(' / ')
    // The oldest number of the row.
    const [date = ''] = all.flatMap((run) => run?.date ?? []).toSorted()
    return [`${agent} ${version}`, money(ways.direct.dollars), ...ratios, compactions, date]
  })
  const modes = ['`observe`', '`answer`', '`answer`, long summary', '`rewrite`', "`rewrite`, Pith's trigger"]
  return table(['agent', 'without Pith', ...modes, 'compactions', 'measured'], rows)
}

function timeTable(): string {
  const waited = new ResultTable('gateway/own-time', /^Milliseconds/)
  const memory = new ResultTable('gateway/memory', /^Megabytes/)
  const modes = ['answer', 'rewrite']
  const waits = modes.map((mode) => {
    const [own, ratio] = [waited.number(mode, 'waited'), waited.number(mode, 'ratio')]
    return `${time(own * 1_000)}, ${ratio.toFixed(1)} times \`JSON.parse\` of it`
  })
  const taken = modes.map((mode) => {
    const [most, idle] = [memory.number(mode, 'most'), memory.number(mode, 'at the start')]
    return `${Math.round(most)} MB, an idle one ${Math.round(idle)}`
  })
  const sessions = `${memory.number('answer', 'sessions')} sessions of 150,000 tokens at once in one process`
  return table(
    ['', '`answer`', '`rewrite`', 'measured'],
    [
      ['a request of 600 kB waits', ...waits, waited.date],
      [sessions, ...taken, memory.date],
    ],
  )
}

function costTable(): string {
  const replay = new ResultTable('gateway/replay', /^Cost/)
  const rows = replay.rows.map((row) => {
    const of = (column: string) => replay.cell(row, column)
    const ratios = ['answer', 'rewrite'].map((mode) => of(mode).toFixed(2))
    return [`${row[0]}, as ${row[1]}`, money(of('direct $')), ...ratios, replay.date]
  })
  return table(['session', 'without Pith', 'in `answer`', 'in `rewrite`', 'measured'], rows)
}
