import { describe, expect, it } from 'vitest'
import {
  type ContextOptions,
  contextManager,
  createSession,
  summaryModelOf,
} from '../../../../src/adapters/ai-sdk/index.ts'
import { namedModels, summaryModelsOf } from '../../../../src/adapters/ai-sdk/models/summary-model.ts'

const MAIN = 'anthropic/claude-sonnet-4-5'
const OTHER = 'openai/gpt-5-mini'

const namesOf = (options: ContextOptions) => summaryModelsOf(options, MAIN).map(({ name }) => name)

describe('the models for summaries', () => {
  it('are the model of the call if none is named', () => {
    expect(namesOf({})).toEqual([MAIN])
    expect(namedModels({})).toBeUndefined()
  })

  it('are those that are named, in their order', () => {
    expect(namesOf({ summaryModels: [OTHER, MAIN] })).toEqual([OTHER, MAIN])
    expect(namesOf({ summaryModels: [] })).toEqual([])
    const own = summaryModelOf(OTHER)
    expect(summaryModelsOf({ summaryModels: [own] }, MAIN)[0]).toBe(own)
  })

  it('are named by the former word, too; the new one goes first', () => {
    expect(namesOf({ summaryModel: OTHER })).toEqual([OTHER])
    expect(namesOf({ summaryModel: false })).toEqual([])
    expect(namesOf({ summaryModels: [MAIN], summaryModel: false })).toEqual([MAIN])
  })

  it('that are not a list are refused in one line, before anything is asked', async () => {
    const wrong = JSON.parse(`{"summaryModels":"${OTHER}"}`)
    const line = 'summaryModels: is not a list: write [model], or [] for digests without a model'
    expect(() => contextManager(wrong)).toThrowError(line)
    await expect(createSession({ ...wrong, model: MAIN, window: 8_000 })).rejects.toThrowError(line)
  })
})
