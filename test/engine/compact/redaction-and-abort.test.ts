import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { messagesOf } from '../../../src/model/types.ts'
import { assistant, call, modelSaying, result, turns, user } from '../../support/messages.ts'

const model = { contextWindow: 16_000 }
const log = logOf([user('my key is hunter2, fix the login'), assistant('done, hunter2 works now'), ...turns(60, 800)])

describe('a redaction after a compaction', () => {
  it.each([
    ['a digest', []],
    ['a model', [modelSaying('## Goal\nLog in with hunter2.')]],
  ])('takes the words out of the summary that %s wrote', async (_, summaryModels) => {
    const done = await compact({ log, model, summaryModels })
    const longer = [...log, ...done.entries]
    expect(JSON.stringify(messagesOf(viewOf(longer)))).toContain('hunter2')
    const redacted = appended(longer, [
      { type: 'redact', target: 1 },
      { type: 'redact', target: 2 },
    ])
    expect(JSON.stringify(messagesOf(viewOf(redacted)))).not.toContain('hunter2')
  })
})

describe('a compaction that was cancelled', () => {
  it('commits nothing, also when no model is asked', async () => {
    const done = await compact({ log, model, signal: AbortSignal.abort() })
    expect(done).toMatchObject({ outcome: 'cancelled', compacted: false })
  })

  it('commits nothing when the abort comes with the last word of the model', async () => {
    const controller = new AbortController()
    const last = {
      name: 'test/last',
      async *stream() {
        yield '## Goal\nTo get on.'
        controller.abort()
      },
    }
    const done = await compact({ log, model, summaryModels: [last], signal: controller.signal })
    expect(done).toMatchObject({ outcome: 'cancelled', compacted: false })
  })
})

it('a blank pending message blocks nothing', async () => {
  expect(await compact({ log, model, pending: [user('\n')] })).toMatchObject({ outcome: 'compacted' })
})

it('a command of Claude Code that reports no error has passed', () => {
  const again = [call('b', 'Bash', { command: 'npm test' }), result('b', 'all 14 tests pass', 'Bash')]
  const { commands } = indexDelta(viewOf(logOf([user('go'), ...again])).items.slice())
  expect(commands).toMatchObject([{ command: 'npm test', ok: true }])
})
