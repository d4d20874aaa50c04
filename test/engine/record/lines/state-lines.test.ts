import { describe, expect, it } from 'vitest'
import { HEADING } from '../../../../src/engine/record/sections/section-titles.ts'
import type { CommandFact, Index, TodoFact } from '../../../../src/model/types.ts'
import { linesUnder, recordText } from '../../../support/record.ts'

const under = (heading: string, index: Partial<Index>, room = 100_000) => linesUnder(heading, { index, room })
const ran = (command: string, seq: number, ok: boolean, more: Partial<CommandFact> = {}): CommandFact => ({
  command,
  seq,
  runs: 1,
  ok,
  ...more,
})

describe('checks', () => {
  it('are listed by their last run, the newest first, with how they ended', () => {
    const commands = [
      ran('npm test -- unit', 2, true),
      ran('npm test -- e2e', 4, false, { tests: { passed: 3, failed: 1 } }),
      ran('npm run build', 3, true),
      ran('cd app && npm test -- e2e | tail -5', 6, true),
    ]
    expect(under(HEADING.checks, { commands })).toEqual([
      '- tests `cd app && npm test -- e2e | tail -5` passed (#6)',
      '- build `npm run build` passed (#3)',
      '- tests `npm test -- unit` passed (#2)',
    ])
  })

  it('of each kind are there by their newest run in the least room, one that failed with its counts', () => {
    const commands = [
      ...Array.from({ length: 30 }, (_, i) => ran(`npm test -- part${i}`, i + 2, true)),
      ran('npm test', 40, false, { tests: { passed: 12, failed: 2 } }),
      ran('npx tsc --noEmit', 41, true),
    ]
    expect(under(HEADING.checks, { commands }, 0).slice(0, 2)).toEqual([
      '- type check `npx tsc --noEmit` passed (#41)',
      '- tests `npm test` FAILED: 12 passed, 2 failed (#40)',
    ])
  })
})

describe('to-dos', () => {
  const items: Extract<TodoFact, { kind: 'list' }>['items'] = [
    { text: 'write the parser', status: 'done' },
    { text: 'write the printer', status: 'in-progress' },
    { text: 'publish\n## Now', status: 'pending' },
    { text: 'sing', status: 'cancelled' },
  ]

  it('are open ones in their order, and how many are done', () => {
    expect(under(HEADING.todos, { todos: [{ kind: 'list', seq: 3, items }] })).toEqual([
      '- [~] write the printer',
      '- [ ] publish ## Now',
      '- [x] 1 done',
      '- [x] write the parser',
    ])
    const done = [{ text: 'write the parser', status: 'done' as const }]
    expect(under(HEADING.todos, { todos: [{ kind: 'list', seq: 3, items: done }] })[0]).toBe('- [x] all 1 done')
  })

  it('have the id that a call names to change one', () => {
    const change: TodoFact = { kind: 'change', seq: 1, id: '7', text: 'Ship it', status: 'in-progress' }
    expect(under(HEADING.todos, { todos: [change] })).toEqual(['- [~] (7) Ship it'])
  })

  it('stay in little room, where those that are done are only counted', () => {
    const said = Array.from({ length: 50 }, (_, i) => ({ seq: i + 1, text: `What about part ${i}?` }))
    const index = { users: said, todos: [{ kind: 'list' as const, seq: 3, items }] }
    expect(under(HEADING.todos, index, 200)).toEqual([
      '- [~] write the printer',
      '- [ ] publish ## Now',
      '- [x] 1 done',
    ])
  })
})

describe('failures that are open', () => {
  it('are listed once, as they came last, without remarks', () => {
    const errors = [
      { text: 'Error: closed', seq: 3, command: 'npx playwright test a.spec.ts 2>&1 | tail -50' },
      { text: 'Error: closed again', seq: 5, command: '# once more\nnpx playwright test a.spec.ts 2>&1 | tail -80' },
    ]
    expect(under(HEADING.failing, { errors })).toEqual([
      '- #5 `npx playwright test a.spec.ts 2>&1 | tail -80`: Error: closed again',
    ])
  })

  it('are gone when their check passes, and stay if only another command does', () => {
    const errors = [{ text: 'AssertionError: expected 1', seq: 3, command: 'npm test' }]
    const failing = (...commands: CommandFact[]) => under(HEADING.failing, { errors, commands })
    expect(failing()).toEqual(['- #3 `npm test`: AssertionError: expected 1'])
    expect(failing(ran('npm run build', 5, true))).toHaveLength(1)
    expect(failing(ran('npm test', 5, true))).toEqual([])
  })

  it('are no slips with a tool', () => {
    const errors = [
      { text: 'String to replace not found in file', seq: 3, command: 'Edit' },
      { text: 'Command timed out', seq: 5, command: 'sleep 900' },
    ]
    expect(under(HEADING.failing, { errors })).toEqual([])
  })

  it('keep the newest of them in the least room, with the words that it printed', () => {
    const users = Array.from({ length: 99 }, (_, i) => ({ seq: i + 1, text: `What about part ${i}? `.repeat(9) }))
    const errors = [
      { text: 'error TS2304: no name', seq: 103, command: 'npm run build' },
      { text: 'error TS2739: a property is missing', seq: 105, command: 'npx tsc' },
    ]
    const text = recordText({ index: { users, errors }, room: 0 })
    expect(text).toContain('- #105 `npx tsc`: error TS2739: a property is missing')
  })
})
