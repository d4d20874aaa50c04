import { describe, expect, it } from 'vitest'
import { sessionWithId, titleFrom } from '../../../src/tui/port/session-names.ts'

const sessions = [{ id: 'abc1' }, { id: 'abc12' }, { id: 'def' }]

describe('a session', () => {
  it('is found by its id, also when that is the beginning of another', () => {
    expect(sessionWithId(sessions, 'abc1')).toEqual({ id: 'abc1' })
  })

  it('is found by the beginning of its id if only one begins like that', () => {
    expect(sessionWithId(sessions, 'd')).toEqual({ id: 'def' })
    expect(() => sessionWithId(sessions, 'ab')).toThrow('session ab: several begin like that; /sessions lists them')
    expect(() => sessionWithId(sessions, 'x')).toThrow('session x: there is none; /sessions lists them')
  })

  it('is called after the first line of its first message', () => {
    expect(titleFrom('  mend the upload\nplease')).toBe('mend the upload')
    expect(titleFrom('x'.repeat(70))).toHaveLength(60)
    expect(titleFrom(' \n ')).toBe('session')
  })
})
