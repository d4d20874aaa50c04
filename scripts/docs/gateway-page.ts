import { pageWithBlocks } from './blocks.ts'
import { table } from './markdown.ts'
import { money, time } from './number-forms.ts'
import { ResultTable } from './results.ts'

/** docs/gateway.md: what it takes of time and memory, and what sessions cost behind it. */
export function gatewayPage(): string {
  return pageWithBlocks('docs/gateway.md', { measured: `${timeTable()}\n\n${costTable()}` })
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
