import { describe, expect, it } from 'vitest'
import { sessionWithId } from '../../../src/tui/port/shared.ts'

const sessions = [{ id: 'abc1' }, { id: 'abc12' }, { id: 'def' }]

describe('a session', () => {
  it('is found by its id, also when that is the beginning of another', () => {
    expect(sessionWithId(sessions, 'abc1')).toEqual({ id: 'abc1' })
  })

  it('is found by the beginning of its id if only one begins like that', () => {
    expect(sessionWithId(sessions, 'd')).toEqual({ id: 'def' })
    expect(() => sessionWithId(sessions, 'ab')).toThrow('session ab: several begin like that; /sessions lists them')
    expect(() => sessionWithId(sessions, 'x')).toThrow('session x: there is none; /sessions lists them')
    expect(() => sessionWithId(sessions, 'x', 'pith --resume')).toThrow('there is none; pith --resume lists them')
  })
})
