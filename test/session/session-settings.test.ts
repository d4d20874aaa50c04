import { describe, expect, it } from 'vitest'
import { appended } from '../../src/engine/context/view/log.ts'
import { sessionPolicy, sessionSettings } from '../../src/session/open-session.ts'
import { assistant, user } from '../support/messages.ts'

describe('the settings of a session', () => {
  it('are the last value of each, and a message by another model changes none', () => {
    const log = appended(
      [],
      [
        { type: 'settings', model: 'a/one', policy: { mode: 'ask' } },
        { type: 'message', message: user('Go.') },
        { type: 'settings', policy: { triggerPercent: 50 } },
        { type: 'message', message: assistant('Done.'), model: 'b/two' },
      ],
    )
    expect(sessionSettings([...log])).toMatchObject({ model: 'a/one', policy: { mode: 'ask', triggerPercent: 50 } })
  })

  it('begin again with another preset', () => {
    const log = appended(
      [],
      [
        { type: 'settings', policy: { triggerPercent: 50 } },
        { type: 'settings', policy: { preset: 'koda' } },
      ],
    )
    expect(sessionSettings([...log])).toMatchObject({ model: undefined, policy: { preset: 'koda' } })
    expect(sessionSettings([...log]).policy).toEqual({ preset: 'koda' })
  })

  it('override those of the configuration, none of which is left under a preset of the session', () => {
    const configured = { preset: 'agent', triggerPercent: 50 } as const
    const one = appended([], [{ type: 'settings', policy: { mode: 'ask' } }])
    const preset = appended([], [{ type: 'settings', policy: { preset: 'koda' } }])
    expect(sessionPolicy([...one], configured)).toEqual({ ...configured, mode: 'ask' })
    expect(sessionPolicy([...preset], configured)).toEqual({ preset: 'koda' })
  })

  it('have a level of thinking for each model', () => {
    const log = appended(
      [],
      [
        { type: 'settings', reasoning: { model: 'a/one', level: 'low' } },
        { type: 'settings', reasoning: { model: 'b/two', level: 'off' } },
        { type: 'settings', reasoning: { model: 'a/one', level: 'high' } },
      ],
    )
    expect([...sessionSettings([...log]).reasoning]).toEqual([
      ['a/one', 'high'],
      ['b/two', 'off'],
    ])
  })
})
