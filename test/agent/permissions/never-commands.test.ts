import { describe, expect, it } from 'vitest'
import { decide } from '../../../src/agent/permissions/decide.ts'
import { PERMISSION_MODES, type Rules } from '../../../src/agent/permissions/rule.ts'
import { ORDINARY, PLACE, PUSHES, READS } from './never-commands.ts'

const never = (...rules: Rules['never']): Rules => ({ always: [], never: rules })
const PUSH = { kind: 'command', pattern: 'git push *' } as const
const ENV = { kind: 'read', pattern: '.env' } as const

const kindIn = (mode: (typeof PERMISSION_MODES)[number], rules: Rules, command: string) =>
  decide(mode, rules, { kind: 'command', command }, PLACE).kind

describe('never command: git push *', () => {
  it.each(PUSHES)('does not let %s run', (command) => {
    for (const mode of PERMISSION_MODES) expect(kindIn(mode, never(PUSH), command), mode).not.toBe('allow')
    expect(kindIn('full', never(PUSH), command)).toBe('refuse')
  })
})

describe('never read: .env', () => {
  it.each(READS)('does not let %s run', (command) => {
    for (const mode of PERMISSION_MODES) expect(kindIn(mode, never(ENV), command), mode).not.toBe('allow')
    expect(kindIn('full', never(ENV), command)).toBe('refuse')
  })
})

describe('neither rule', () => {
  it.each(ORDINARY)('is about %s', (command) => {
    expect(decide('full', never(PUSH, ENV), { kind: 'command', command }, PLACE)).toEqual({ kind: 'allow' })
  })
})
