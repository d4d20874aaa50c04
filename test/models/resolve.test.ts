import { describe, expect, test } from 'vitest'
import { PithError } from '../../src/model/problems/errors.ts'
import { modelName } from '../../src/model/types.ts'
import { isKnown, loadRegistry, registryOf, resolveModel } from '../../src/models/index.ts'

const registry = loadRegistry()

describe('a model that is named', () => {
  test('as provider/model is the entry of that name', () => {
    expect(resolveModel(registry, 'anthropic/claude-opus-5')).toEqual(registry.get('anthropic/claude-opus-5'))
  })

  test.each([
    ['opencode/gpt-5.3-codex', 'openai/gpt-5.3-codex'],
    ['opencode/claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
    ['openrouter/anthropic/claude-sonnet-4.6', 'anthropic/claude-sonnet-4-6'],
    ['amazon-bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic/claude-sonnet-4-5'],
    ['bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic/claude-sonnet-4-5'],
    ['azure/gpt-5-mini', 'openai/gpt-5-mini'],
    ['azure-openai/gpt-5', 'openai/gpt-5'],
    ['gateway/anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5'],
    ['vertex/claude-sonnet-4-5@20250929', 'anthropic/claude-sonnet-4-5'],
    ['litellm/gpt-4o', 'openai/gpt-4o'],
  ])('as %s is %s, which a reseller offers', (name, base) => {
    const { provider: _, model: __, ...facts } = resolveModel(registry, base)
    expect(resolveModel(registry, name)).toMatchObject(facts)
    expect(modelName(resolveModel(registry, name))).toBe(name)
  })

  test('has the window of its reseller if that is smaller, or its maker is not known', () => {
    expect(resolveModel(registry, 'github-copilot/claude-opus-4.8').contextWindow).toBe(200_000)
    expect(resolveModel(registry, 'opencode-go/hy3').contextWindow).toBe(256_000)
    expect(resolveModel(registry, 'opencode-go/hy3').prices?.input).toBeGreaterThan(0)
  })

  test.each([
    'groq/llama-3.3-70b-versatile',
    'groq/openai/gpt-oss-120b',
    'openrouter/deepseek/deepseek-chat',
    'amazon-bedrock/us.meta.llama3-3-70b-instruct-v1:0',
    'amazon-bedrock/amazon.nova-pro-v1:0',
  ])('as %s, of a maker that the registry does not have, has the window that its seller says', (name) => {
    expect(resolveModel(registry, name).contextWindow).toBeGreaterThan(100_000)
  })

  test('on a server of one’s own has no window, whatever it is called', () => {
    expect(resolveModel(registry, 'lmstudio/gpt-5.3-codex').contextWindow).toBeUndefined()
  })

  test('without a provider is the one provider’s that has it', () => {
    expect(resolveModel(registry, 'claude-opus-5')).toEqual(registry.get('anthropic/claude-opus-5'))
    expect(resolveModel(registry, 'phi4').provider).toBe('ollama')
  })

  test.each([
    ['anthropic/claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4-5'],
    ['anthropic/claude-sonnet-4-5@20250929', 'anthropic/claude-sonnet-4-5'],
    ['anthropic/claude-sonnet-4-20250514', 'anthropic/claude-sonnet-4'],
    ['anthropic/claude-3-7-sonnet-latest', 'anthropic/claude-3-7-sonnet'],
    ['openai/gpt-5-2025-08-07', 'openai/gpt-5'],
    ['google/gemini-2.0-flash-001', 'google/gemini-2.0-flash'],
    ['google/gemini-2.5-flash-preview-09-2025', 'google/gemini-2.5-flash'],
    ['xai/grok-4-0709', 'xai/grok-4'],
    ['ollama/qwen3:14b', 'ollama/qwen3'],
    ['ollama/qwen3:latest', 'ollama/qwen3'],
    ['ollama/gemma3:1b', 'ollama/gemma3:1b'],
    ['ollama/gemma3:1b-it-qat', 'ollama/gemma3:1b'],
  ])('as %s has the facts of %s and keeps its name', (name, base) => {
    const entry = registry.get(base)
    expect(entry).toBeDefined()
    expect(resolveModel(registry, name)).toEqual({ ...entry, model: name.slice(name.indexOf('/') + 1) })
  })

  test('as a snapshot falls back without a provider too', () => {
    expect(resolveModel(registry, 'claude-sonnet-4-5-20250929')).toEqual({
      ...registry.get('anthropic/claude-sonnet-4-5'),
      model: 'claude-sonnet-4-5-20250929',
    })
  })

  test('as a snapshot with facts of its own has those', () => {
    expect(resolveModel(registry, 'openai/gpt-4o-2024-05-13').prices).toEqual({ input: 5, output: 15 })
  })

  test('as a snapshot does not take the window of another generation’s latest', () => {
    expect(resolveModel(registry, 'mistral/mistral-large-2407').contextWindow).toBeUndefined()
  })
})

describe('a model that is not known', () => {
  test('K5: has no window, and is not an error', () => {
    expect(resolveModel(registry, 'anthropic/claude-of-tomorrow')).toStrictEqual({
      provider: 'anthropic',
      model: 'claude-of-tomorrow',
    })
  })

  test('may be of an unknown provider and have slashes in its name', () => {
    expect(resolveModel(registry, 'openrouter/acme/big')).toStrictEqual({ provider: 'openrouter', model: 'acme/big' })
  })

  test('can be distinguished from a known one', () => {
    expect(isKnown(registry, { provider: 'anthropic', model: 'claude-of-tomorrow' })).toBe(false)
    expect(isKnown(registry, { provider: 'anthropic', model: 'claude-opus-5' })).toBe(true)
    expect(isKnown(registry, { provider: 'anthropic', model: 'claude-opus-5-20260724' })).toBe(true)
  })

  test('without a provider is an error that names the nearest', () => {
    expect(refusal(() => resolveModel(registry, 'claude-opus5'))).toBe(
      'Unknown model `claude-opus5`: did you mean `claude-opus-5`? If not, write provider/model',
    )
  })

  test.each(['/claude', 'anthropic/'])('%s is not a name', (name) => {
    expect(refusal(() => resolveModel(registry, name))).toContain('write provider/model')
  })
})

describe('a model of several providers, named without one,', () => {
  test('is its maker’s', () => {
    const both = registryOf([
      { provider: 'acme', model: 'gpt-5', contextWindow: 1 },
      { provider: 'openai', model: 'gpt-5', contextWindow: 400_000 },
    ])
    expect(resolveModel(both, 'gpt-5').provider).toBe('openai')
  })

  test('is an error that lists them when none is its maker', () => {
    const both = registryOf([
      { provider: 'acme', model: 'big' },
      { provider: 'ollama', model: 'big' },
    ])
    expect(refusal(() => resolveModel(both, 'big'))).toBe(
      '`big` is offered by several providers, name one: acme/big, ollama/big',
    )
  })
})

function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof PithError && error.code === 'unknown-model') return error.message
    throw error
  }
  throw new Error('The name was accepted')
}
