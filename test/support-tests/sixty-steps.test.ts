import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelMessage } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { TOOLS } from '../../src/agent/tools/index.ts'
import { full } from '../support/full.ts'
import { PROTOCOLS, type ProtocolName } from '../support/model-server/index.ts'
import {
  checkResult,
  expectedResult,
  factsOf,
  LABELS,
  makeSixtyStepsWorkspace,
  sixtyStepsBrain,
  sixtyStepsPrompt,
} from '../support/model-server/sixty-steps.ts'
import { compactingLog, summariser } from './compacting-log.ts'
import { type ReferenceOptions, runReferenceAgent } from './reference-agent.ts'
import { closeServers, serve } from './serve.ts'

const folders: string[] = []
afterEach(async () => {
  await closeServers()
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

async function workspaceFor(seed: number): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pith-sixty-')))
  folders.push(folder)
  await makeSixtyStepsWorkspace(folder, seed)
  return folder
}

type Run = { seed: number; protocol: ProtocolName; window: number } & Pick<ReferenceOptions, 'shown' | 'tools' | 'log'>

async function run({ seed, protocol, window, ...options }: Run) {
  const workspace = await workspaceFor(seed)
  const server = await serve(sixtyStepsBrain, { window })
  const done = await runReferenceAgent({ server, protocol, workspace, prompt: sixtyStepsPrompt(seed), ...options })
  return { ...done, server, differences: await checkResult(workspace, seed) }
}

/** A careless agent at the end of its window: it sends the prompt and the latest messages, the rest is dropped. */
function latest(tokens: number): (messages: readonly ModelMessage[]) => readonly ModelMessage[] {
  return (messages) => {
    let start = messages.length
    let characters = 0
    for (let i = messages.length - 1; i > 0 && characters <= tokens * 3.6; i--) {
      characters += JSON.stringify(messages[i]).length
      if (messages[i]?.role === 'assistant' && characters <= tokens * 3.6) start = i
    }
    return [...messages.slice(0, 1), ...messages.slice(Math.max(1, start))]
  }
}

/** Only in the long form: in the short one test/agent runs the agent itself over each. */
const SHORT: readonly ProtocolName[] = full ? PROTOCOLS : []

/** Tests of the task itself, not of the project: once in the long form. */
const LONG = full ? ['once'] : []

const WITHOUT_RECALL = TOOLS.filter(({ name }) => name !== 'recall')

describe('the sixty steps', () => {
  it.each(SHORT)('can be done over %s when nothing is ever left out', async (protocol) => {
    const { differences, requests, server, text } = await run({ seed: 1, protocol, window: 200_000 })
    expect(differences).toEqual([])
    expect(server.violations).toEqual([])
    expect(text).toBe('All sixty steps are done.')
    expect(requests).toBe(61)
    expect(Math.max(...server.requests.map(({ tokens }) => tokens))).toBeGreaterThan(4 * 16_384)
  })

  it.each(full ? [2, 3] : [])('are done wrong when the oldest messages are dropped (seed %i)', async (seed) => {
    const { differences, server } = await run({
      seed,
      protocol: 'anthropic',
      window: 16_384,
      tools: WITHOUT_RECALL,
      shown: latest(9_000),
    })
    expect(server.violations).toEqual([])
    for (const label of LABELS.filter((each) => each !== 'licence-tag' && each !== 'manifest-path')) {
      expect(differences.join('\n'), label).toContain(`LOST(${label})`)
    }
    expect(differences.join('\n')).toContain('out/result-36.txt')
  })

  it.each(LONG)('are done right when the oldest messages are dropped but can be recalled', async () => {
    const { differences, requests, server } = await run({
      seed: 4,
      protocol: 'chat',
      window: 16_384,
      shown: latest(8_000),
    })
    expect(differences).toEqual([])
    expect(server.violations).toEqual([])
    expect(requests).toBeGreaterThan(65)
  })

  it("stop when the user's prompt is lost", async () => {
    const withoutPrompt = (messages: readonly ModelMessage[]): readonly ModelMessage[] =>
      messages.length < 20 ? messages : [{ role: 'user', content: 'Go on.' }, ...messages.slice(1)]
    const { differences, text } = await run({ seed: 5, protocol: 'google', window: 200_000, shown: withoutPrompt })
    expect(text).toContain('I do not know any more')
    expect(differences.length).toBeGreaterThan(0)
  })

  it.each(LONG)('continue from the progress file when the request shows none of the work', async () => {
    const record = (content: string): ModelMessage => ({
      role: 'user',
      content: `The earlier part was compacted.\n${content}`,
    })
    // Every 20th message all of the work is gone from the request.
    const forgetful = (messages: readonly ModelMessage[]): readonly ModelMessage[] => {
      const last = messages.length - 1
      const start = last - (last % 20)
      return start === 0 ? messages : [record(String(messages[0]?.content)), ...messages.slice(start + 1)]
    }
    const { differences, server } = await run({ seed: 6, protocol: 'responses', window: 60_000, shown: forgetful })
    expect(server.violations).toEqual([])
    expect(differences).toEqual([])
  })

  it('have other values for each seed, and the same for the same', () => {
    expect(factsOf(1)).toEqual(factsOf(1))
    for (const label of LABELS) expect(factsOf(1)[label]).not.toBe(factsOf(2)[label])
    expect(sixtyStepsPrompt(1)).toContain(factsOf(1)['licence-tag'])
  })
})

// In the short form test/agent shows the same with the agent itself.
if (full)
  describe('the sixty steps with the engine', () => {
    // The engine estimates, the server counts: the window that the engine is given has room for the difference.
    const model = { contextWindow: 10_500 }

    it.each(SHORT)('are done right over %s though they are five times the window', async (protocol) => {
      const compacting = compactingLog({ model })
      const { differences, server } = await run({ seed: 7, protocol, window: 16_384, ...compacting })
      expect(server.violations).toEqual([])
      expect(differences).toEqual([])
      expect(compacting.count('mask', 'compaction', 'squeeze')).toBeGreaterThan(5)
    })

    it('are done right with summaries that say nothing about what will be needed', async () => {
      const workspace = await workspaceFor(8)
      const server = await serve(sixtyStepsBrain, { window: 16_384 })
      const summaryModels = [summariser(server, 'anthropic')]
      const compacting = compactingLog({ model, summaryModels, policy: { rungs: ['cold', 'digest', 'squeeze'] } })
      const prompt = sixtyStepsPrompt(8)
      await runReferenceAgent({ server, protocol: 'anthropic', workspace, prompt, ...compacting })
      expect(server.violations).toEqual([])
      expect(await checkResult(workspace, 8)).toEqual([])
      expect(compacting.count('compaction')).toBeGreaterThan(5)
      const summaries = server.requests.filter(({ summarising }) => summarising)
      expect(summaries.length).toBeGreaterThan(5)
      expect(summaries.every(({ outcome }) => outcome === 'answered')).toBe(true)
    })
  })

describe('the check of the result', () => {
  it('names every file that is missing, wrong or too many', async () => {
    const folder = await workspaceFor(1)
    expect(await checkResult(folder, 1)).toHaveLength(Object.keys(expectedResult(1)).length)
    for (const [path, content] of Object.entries(expectedResult(1))) await writeFile(join(folder, path), content)
    expect(await checkResult(folder, 1)).toEqual([])
    await writeFile(join(folder, 'out/result-18.txt'), 'LOST(codeword-alpha)\n')
    await writeFile(join(folder, 'out/more.txt'), '')
    expect(await checkResult(folder, 1)).toEqual([
      expect.stringContaining('out/result-18.txt has "LOST(codeword-alpha)'),
      'out/more.txt should not be there',
    ])
  })
})
