import { describe, expect, it } from 'vitest'
import { exampleOutput } from './example-output.ts'

describe('the recipes for a state', () => {
  it.each([
    ['chat-with-a-row.ts', /request 4: \d+ characters of messages, \d{4,5} of state/],
    ['workflow-step.ts', /step 4: \d+ messages, state of \d{4,5} characters/],
  ])('%s: requests continue from the state of the one before', async (file, last) => {
    const { text, errors, summaries, violations } = await exampleOutput(`state/${file}`, 30)
    expect(text).toMatch(last)
    expect(violations).toEqual([])
    expect(summaries).toBeGreaterThan(0)
    // Without the state each request would begin again: over twice as many.
    expect(summaries).toBeLessThan(8)
    expect(errors).not.toContain('pith:')
  })

  it('graph-checkpointer.ts: a channel of a graph carries it', async () => {
    const { text } = await exampleOutput('state/graph-checkpointer.ts')
    expect(text.match(/compacted to/g)?.length).toBeGreaterThan(1)
    expect(text).toContain('the first words are still there: true')
  })

  it('state-in-a-file.ts: files add up over the runs of a program', async () => {
    const { text } = await exampleOutput('state/state-in-a-file.ts')
    expect(text).toContain('after the ferry, files changed so far: src/ferry.ts, src/harbour.ts, src/lighthouse.ts')
  })
})
