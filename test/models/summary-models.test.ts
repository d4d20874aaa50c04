import { expect, test } from 'vitest'
import type { ModelInfo } from '../../src/model/types.ts'
import { loadRegistry, registryOf, resolveModel, summaryModels } from '../../src/models/index.ts'

const main = model('big-5', { tier: 'strong', prices: { input: 5, output: 25 } })
const small5 = model('small-5', { tier: 'standard', prices: { input: 1, output: 5 } })
const small4 = model('small-4-5', { tier: 'standard', prices: { input: 0.5, output: 2 } })

test('R3: a cheaper standard model of the same provider comes first, the main model last', () => {
  expect(summaryModels(registryOf([main, small5]), main, () => true)).toEqual([small5, main])
})

test('R3: the newest of the cheaper models is the one', () => {
  expect(summaryModels(registryOf([small4, main, small5]), main, () => true)).toEqual([small5, main])
})

test('R3: of two that are equally new the cheaper one is the one', () => {
  const mini5 = model('mini-5', { tier: 'standard', prices: { input: 0.5, output: 5 } })
  expect(summaryModels(registryOf([small5, mini5]), main, () => true)).toEqual([mini5, main])
})

test('R3: a version is a decimal number: 4.20 is older than 4.3', () => {
  const [old, recent] = [
    { ...small5, model: 'small-4.20' },
    { ...small5, model: 'small-4.3' },
  ]
  expect(summaryModels(registryOf([old, recent]), main, () => true)).toEqual([recent, main])
})

test('R3: a model that is not usable is passed over for one that is', () => {
  const usable = (info: ModelInfo) => info.model !== 'small-5'
  expect(summaryModels(registryOf([small4, small5]), main, usable)).toEqual([small4, main])
})

test('R3: the main model writes the summary alone when no other one is usable', () => {
  expect(summaryModels(registryOf([main, small5]), main, () => false)).toEqual([main])
})

test.each([
  ['of another provider', { ...small5, provider: 'other' }],
  ['of tier lite', { ...small5, tier: 'lite' as const }],
  ['of no tier', { ...small5, tier: undefined }],
  ['that is dearer', { ...small5, prices: { input: 6, output: 30 } }],
  ['that is cheaper to read and dearer to write', { ...small5, prices: { input: 1, output: 30 } }],
  ['that costs the same', { ...small5, prices: main.prices }],
])('R3: a model %s does not write the summary', (_, info) => {
  expect(summaryModels(registryOf([info]), main, () => true)).toEqual([main])
})

test('R3: if prices are not known, standard is cheaper than strong and than nothing else', () => {
  const unpriced = model('small-5', { tier: 'standard' })
  expect(summaryModels(registryOf([unpriced]), main, () => true)).toEqual([unpriced, main])
  const unknown = model('of-tomorrow', {})
  expect(summaryModels(registryOf([small5]), unknown, () => true)).toEqual([unknown])
})

test('R3: a small main model gives way to a cheaper successor but not to its predecessor', () => {
  const small6 = model('small-6', { tier: 'standard', prices: { input: 0.1, output: 0.5 } })
  expect(summaryModels(registryOf([small4, small5]), small5, () => true)).toEqual([small5])
  expect(summaryModels(registryOf([small4, small5, small6]), small5, () => true)).toEqual([small6, small5])
  const alias = { ...small5, model: 'small-latest' }
  expect(summaryModels(registryOf([alias, small4]), alias, () => true)).toEqual([alias])
})

test.each([
  ['anthropic/claude-opus-5-5', 'claude-haiku-5-5'],
  ['openai/gpt-6.1-sol', 'gpt-6.1-terra'],
  ['google/gemini-3.1-pro-preview', 'gemini-3.8-flash'],
  ['mistral/mistral-large-2512', 'mistral-small-2603'],
  ['deepseek/deepseek-v4-pro', 'deepseek-v4-flash'],
  ['xai/grok-4.7', 'grok-4.3'],
  ['qwen/qwen3.8-max', 'qwen3.8-flash'],
])('R3: with the models of the package %s is summarised with %s', (name, cheaper) => {
  const strong = resolveModel(loadRegistry(), name)
  expect(summaryModels(loadRegistry(), strong, () => true).map((info) => info.model)).toEqual([cheaper, strong.model])
})

test('R3: a local model is summarised with itself, as none costs less', () => {
  const local = resolveModel(loadRegistry(), 'ollama/qwen3:14b')
  expect(summaryModels(loadRegistry(), local, () => true)).toEqual([local])
})

function model(name: string, facts: Partial<ModelInfo>): ModelInfo {
  return { provider: 'acme', model: name, ...facts }
}
