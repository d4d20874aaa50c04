import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { npm, offline, type Packed, pack } from './packed.ts'

/**
 * The contract of every adapter: a run of 100 steps by the framework itself, with a scripted model. The frameworks are
 * installed here and not in the repository, because together they have 400 MB.
 */
const why = offline()

const FRAMEWORKS = {
  langchain: ['langchain@1.5.14', '@langchain/core@1.2.13', '@langchain/langgraph@1.4.18', 'zod@4'],
  'openai-agents': ['@openai/agents@0.20', 'zod@4'],
  mastra: ['@mastra/core@1', 'zod@4'],
}
/** Later versions of these need packages that the registry does not have. npm then fails, or searches for many minutes. */
const overrides = { '@langchain/langgraph': '1.4.18', '@langchain/langgraph-sdk': '1.12.0' }
const TELEMETRY = ['@opentelemetry/api@1.9', '@opentelemetry/sdk-trace-base@2', '@opentelemetry/sdk-metrics@2']

const TYPES = `
import { Agent as MastraAgent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { Agent, type AgentInputItem, type Model, OpenAIProvider, run, Runner, type Session, tool as agentTool } from '@openai/agents'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { compactionMiddleware, recall, summaryModelOf as chainSummaries } from 'pith/langchain'
import { compactionProcessor } from 'pith/mastra'
import { compactionFilter, compactionSession } from 'pith/openai-agents'
import { metrics, trace } from '@opentelemetry/api'
import { compactionTelemetry } from 'pith/opentelemetry'
import { openai } from '@ai-sdk/openai'
import { streamText, ToolLoopAgent, wrapLanguageModel } from 'ai'
import { compactionMiddleware as sdkMiddleware, contextManager, createSession } from 'pith/ai-sdk'

const onEvent = compactionTelemetry({ tracer: trace.getTracer('pith'), meter: metrics.getMeter('pith') })
const options = { window: 200_000, onEvent }
const summaryModels = [chainSummaries(new ChatOpenAI({ model: 'gpt-5-mini', apiKey: 'none' }))]
const middleware = [compactionMiddleware({ ...options, summaryModels })]
export const one = createAgent({ model: 'openai:gpt-5', tools: [tool(...recall)], middleware })
export const two = run(new Agent({ name: 'a' }), 'hello', { callModelInputFilter: compactionFilter(options) })
const session = compactionSession(options)
export const named: Session = compactionSession<AgentInputItem>({ ...options, stored: undefined })
const agent = new Agent({ name: 'b', tools: [agentTool(session.recall)] })
export const again = run(agent, 'hello', { session, callModelInputFilter: session.filter })
export const recovering = new Runner({ modelProvider: session.filter.provider(new OpenAIProvider()) })
export const wrapped = (model: Model) => new Agent({ name: 'c', model: session.filter.model(model) })
const processors = [compactionProcessor(options)]
export const three = new MastraAgent({ id: 'a', name: 'a', instructions: '', model: 'openai/gpt-5', inputProcessors: processors, errorProcessors: processors, tools: { recall: createTool(processors[0]!.recall) } })

const model = openai('gpt-5')
const pith = contextManager({ window: 200_000 })
export const four = new ToolLoopAgent({ model, tools: pith.tools, prepareStep: pith.prepareStep })
export const five = wrapLanguageModel({ model, middleware: sdkMiddleware({ window: 200_000 }) })
const kept = await createSession({ model })
export const six = streamText({ model, tools: kept.tools, prompt: 'hello', prepareStep: kept.prepareStep, onStepEnd: kept.onStepEnd })
`

describe.runIf(why === undefined)('an adapter', () => {
  let packed: Packed
  let project: string
  beforeAll(() => {
    packed = pack()
    project = join(packed.folder, 'adapters')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true, overrides }))
    npm(
      [
        'install',
        packed.tarball,
        'typescript@5.9',
        '@types/node@22',
        'ai@7',
        '@ai-sdk/openai@4',
        '@langchain/openai@1',
        ...Object.values(FRAMEWORKS).flat(),
        ...TELEMETRY,
      ],
      project,
    )
    for (const folder of ['examples/frameworks', 'test/package/frameworks'])
      cpSync(folder, project, { recursive: true })
  })
  afterAll(() => rmSync(packed.folder, { recursive: true, force: true }))

  it.each(Object.keys(FRAMEWORKS))('for %s holds the window of a run of 100 steps', (name) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [`${name}.mjs`], { cwd: project, encoding: 'utf8' })
    expect({ status, stderr }).toMatchObject({ status: 0 })
    const { requests, equalPercent, mostCharacters, compactions, odd, said, last } = JSON.parse(stdout)
    expect(requests).toBe(100)
    expect(last).toContain('Done')
    // The framework keeps all that was said; only what is sent gets shorter.
    expect(said).toBeGreaterThanOrEqual(100)
    expect(compactions).toBeGreaterThan(0)
    expect(equalPercent).toBeGreaterThanOrEqual(85)
    expect(mostCharacters).toBeLessThan(32_000 * 4)
    // A result is never sent without its call.
    expect(odd).toEqual([])
  })

  it.each([['langchain'], ['mastra'], ['openai-agents'], ['openai-agents', '--stream']])(
    'for %s %s sends again, smaller, what the provider refused as too large',
    (name, ...options) => {
      const program = [`${name}-overflow.mjs`, ...options]
      const { stdout, stderr, status } = spawnSync(process.execPath, program, { cwd: project, encoding: 'utf8' })
      expect({ status, stderr }).toMatchObject({ status: 0 })
      const { refused, most, last, recalled } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
      expect({ refused, last }).toEqual({ refused: 1, last: 'Done.' })
      expect(most).toBeGreaterThan(0)
      expect(recalled).toContain('export const src_file1_ts_0')
    },
  )

  it('for OpenTelemetry exports a span and metrics of each compaction', () => {
    const { stdout } = spawnSync(process.execPath, ['opentelemetry.mjs'], { cwd: project, encoding: 'utf8' })
    const { spans, metrics } = JSON.parse(stdout)
    expect(spans).toHaveLength(2)
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.conversation.compacted': true }
    expect(spans[1]).toMatchObject({ name: 'chat my/model', attributes })
    expect(spans[0]).toMatchObject({
      name: 'compact_context',
      attributes: {
        'gen_ai.operation.name': 'compact_context',
        'gen_ai.conversation.id': 'thread-1',
        'gen_ai.conversation.compacted': true,
        'pith.compaction.reason': 'threshold',
        'pith.compaction.outcome': 'compacted',
        'pith.compaction.rung': expect.any(String),
        'pith.compaction.tokens_before': expect.any(Number),
        'pith.compaction.tokens_after': expect.any(Number),
        'pith.compaction.cost_usd': expect.any(Number),
      },
    })
    expect(metrics).toContain('gen_ai.client.operation.duration')
    expect(metrics).toContain('pith.compaction.tokens_removed')
  })

  it('has the types of its framework', () => {
    writeFileSync(join(project, 'types.ts'), TYPES)
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true }
    const compilerOptions = { ...strict, module: 'nodenext', target: 'es2023', noEmit: true }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['types.ts'] }))
    const { stdout } = spawnSync('npx', ['tsc'], { cwd: project, encoding: 'utf8' })
    expect(stdout).toBe('')
  })
})
