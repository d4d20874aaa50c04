import { describe, expect, it } from 'vitest'
import type { TurnEnd } from '../../../../src/agent/agent.ts'
import { runResult } from '../../../../src/cli/commands/run/print-turn.ts'

const end = (reason: TurnEnd['reason'], text: string): TurnEnd => ({ reason, text, answer: 'So far.', steps: 2 })
const exceeded = 'the run took 2 steps, as many as it may (--max-steps)'

describe('the result of a run', () => {
  it('names the limit of the run that ended it', () => {
    expect(runResult(end('step-limit', 'raise step_limit'), { refused: 0, exceeded })).toMatchObject({
      reason: 'step-limit',
      text: exceeded,
      answer: 'So far.',
      exitCode: 4,
    })
  })

  it('keeps what the turn says when it ended by itself', () => {
    const ofTheSetting = end('step-limit', 'raise step_limit')
    expect(runResult(ofTheSetting, { refused: 0, exceeded: undefined })).toMatchObject({ text: 'raise step_limit' })
    const late = 'the run took longer than 1 s (--max-time)'
    expect(runResult(end('done', ''), { refused: 0, exceeded: late })).toMatchObject({ text: '', exitCode: 0 })
  })

  it('says how many calls the permissions refused, before what the turn says itself', () => {
    const one = { refused: 1, exceeded: undefined }
    expect(runResult(end('done', ''), one)).toMatchObject({ text: '1 call refused by the permissions', exitCode: 3 })
    expect(runResult(end('done', 'The answer was cut'), { ...one, refused: 2 }).text).toBe(
      '2 calls refused by the permissions · The answer was cut',
    )
    expect(runResult(end('failed', 'No network'), one)).toMatchObject({ text: 'No network', exitCode: 1 })
  })
})
