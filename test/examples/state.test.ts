import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { reader } from '../adapters/ai-sdk/world.ts'

const root = resolve(import.meta.dirname, '..', '..')
const run = promisify(execFile)

/** What a recipe prints, with a model that reads this many pages. */
async function output(file: string, pages = 0) {
  const server = await reader(pages)
  const env = { ...process.env, MODEL_URL: server.baseUrl('chat'), MODEL: 'pith-test', NO_COLOR: '1' }
  const { stdout, stderr } = await run(process.execPath, [join('examples', 'state', file)], { cwd: root, env })
  return { text: stdout, stderr, summaries: server.summaries(), violations: server.violations }
}

describe('the recipes for a state', () => {
  it.each([
    ['chat-with-a-row.ts', /request 4: \d+ characters of messages, \d{4,5} of state/],
    ['workflow-step.ts', /step 4: \d+ messages, state of \d{4,5} characters/],
  ])('%s: requests go on from the state of the one before', async (file, last) => {
    const { text, stderr, summaries, violations } = await output(file, 30)
    expect(text).toMatch(last)
    expect(violations).toEqual([])
    expect(summaries).toBeGreaterThan(0)
    // Without the state each request would begin anew: over twice as many.
    expect(summaries).toBeLessThan(8)
    expect(stderr).not.toContain('pith:')
  })

  it('graph-checkpointer.ts: a channel of a graph carries it', async () => {
    const { text } = await output('graph-checkpointer.ts')
    expect(text.match(/compacted to/g)?.length).toBeGreaterThan(1)
    expect(text).toContain('the first words are still there: true')
  })

  it('state-in-a-file.ts: files add up over the runs of a program', async () => {
    const { text } = await output('state-in-a-file.ts')
    expect(text).toContain('after the ferry, files changed so far: src/ferry.ts, src/harbour.ts, src/lighthouse.ts')
  })
})
