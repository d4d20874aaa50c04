import { expect, it } from 'vitest'
import { usableModels } from '../../src/llm/choose-model.ts'
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
