import { describe, expect, it } from 'vitest'
import { compactLog } from '../../../src/cli/compaction/compact-log.ts'
import { appended } from '../../../src/engine/context/view/log.ts'
import { statusOf } from '../../../src/engine.ts'
import { turns } from '../../support/messages.ts'

describe('the compaction of a session that is not ours', () => {
  it('has the size in the written log that the command has said, though the counts of its provider are not in it', async () => {
    // Each report grows by twice our estimate: a model that counts more than we do.
    let input = 20_000
    const log = appended(
      [],
      turns(40, 600).map((message) => {
        input += 2 * statusOf(appended([], [{ type: 'message', message }])).tokens
        const usage = message.role === 'assistant' ? { usage: { inputTokens: input, outputTokens: 150 } } : {}
        return { type: 'message', message, ...usage }
      }),
    )
    const { after, result } = await compactLog(log, {
      flags: {},
      model: {},
      policy: {},
      writers: { models: [] },
      signal: new AbortController().signal,
      onEvent: () => {},
    })
    expect(result.outcome).toBe('compacted')
    expect(statusOf(after).tokens).toBe(result.tokensAfter)
  })
})
