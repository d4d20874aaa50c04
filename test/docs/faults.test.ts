import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { stopReasonTable } from '../../bench/faults/stop-reason-table.ts'
import type { TurnEnd } from '../../src/agent/agent.ts'
import { runResult } from '../../src/cli/commands/run/print-turn.ts'

const page = readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8')
const none = { refused: 0, exceeded: undefined }
const exitOf = (reason: TurnEnd['reason']) => runResult({ reason, text: '', answer: '', steps: 1 }, none).exitCode

it('the page of faults has the exit code of pith run for every end of a turn', () => {
  const ends = [...page.matchAll(/\| (done|failed|refused|step-limit|context-limit) \| (\d+) \|$/gm)]
  expect(ends.length).toBeGreaterThan(80)
  for (const [row, reason, code] of ends) {
    expect(`${row} ${code}`).toBe(`${row} ${exitOf(reason as TurnEnd['reason'])}`)
  }
})

it('the page of faults lists the stop reasons of the providers as they are', () => {
  expect(page).toContain(stopReasonTable())
  expect(stopReasonTable()).toContain(`the turn ends as refused | ${exitOf('refused')} |`)
})
