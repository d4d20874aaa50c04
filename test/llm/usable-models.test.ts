import { expect, it } from 'vitest'
import { chooseModel, usableModels } from '../../src/llm/choose-model.ts'
import { registryOf } from '../../src/models/registry.ts'

it('models are listed by provider, the newest first', () => {
  const names = [
    'b/gpt-4o-2024-05-13',
    'b/gpt-5',
    'a/x-3-5-mini',
    'b/gpt-5.3-codex',
    'a/x-mini-4-5',
    'a/x-latest',
    'b/gpt-4.1-70b',
  ]
  const registry = registryOf(
    names.map((name) => ({ provider: name.split('/')[0] ?? '', model: name.split('/')[1] ?? '' })),
  )
  expect(usableModels({ registry, env: {} }).models.map(({ name }) => name)).toEqual([
    'b/gpt-5.3-codex',
    'b/gpt-5',
    'b/gpt-4.1-70b',
    'b/gpt-4o-2024-05-13',
    'a/x-mini-4-5',
    'a/x-3-5-mini',
    'a/x-latest',
  ])
})

const OFFERED = [
  'openai/gpt-5',
  'openai/gpt-5.2',
  'openai/gpt-5.10',
  'openai/gpt-5.11-nano',
  'openai/gpt-5.12-codex',
  'google/gemini-2.5-flash',
  'google/gemini-3-flash-lite',
  'google/gemini-3-pro',
  'anthropic/claude-sonnet-4-5',
  'anthropic/claude-sonnet-4-6-fast',
  'anthropic/claude-opus-5',
  'xai/grok-4',
  'xai/grok-4-fast',
  'mistral/mistral-large-2512',
  'mistral/ministral-9b',
]

it.each([
  ['anthropic/claude-sonnet-4-5', { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }],
  ['openai/gpt-5.10', { OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' }],
  ['google/gemini-2.5-flash', { GEMINI_API_KEY: 'k', XAI_API_KEY: 'k' }],
  ['xai/grok-4', { XAI_API_KEY: 'k', MISTRAL_API_KEY: 'k' }],
  ['mistral/mistral-large-2512', { MISTRAL_API_KEY: 'k' }],
])(
  'without a wish of the user, the model is %s: the newest of the family that suits, by the keys',
  async (name, env) => {
    const registry = registryOf(
      OFFERED.map((offered) => ({ provider: offered.split('/')[0] ?? '', model: offered.split('/')[1] ?? '' })),
    )
    expect(await chooseModel({ registry, env })).toBe(name)
  },
)
