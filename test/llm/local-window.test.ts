import { expect, it } from 'vitest'
import { withLocalWindow } from '../../src/llm/choose-model.ts'
import { registryOf, resolveModel } from '../../src/models/registry.ts'

/** A server that lists one model with its window. */
const fetch: typeof globalThis.fetch = async () =>
  new Response(JSON.stringify({ data: [{ id: 'coder', max_model_len: 32_768 }] }))
const never: typeof globalThis.fetch = async () => expect.fail('nothing is asked')

async function windowOf(name: string, deps: { fetch: typeof globalThis.fetch; own?: number }) {
  const own = deps.own === undefined ? [] : [{ provider: 'vllm', model: 'coder', contextWindow: deps.own }]
  const { registry } = await withLocalWindow(name, { registry: registryOf(own), env: {}, fetch: deps.fetch })
  return resolveModel(registry, name).contextWindow
}

it('a model of a server on this machine has the window that the server reports', async () => {
  expect(await windowOf('vllm/coder', { fetch })).toBe(32_768)
})

it("a window of the user's own stays, and no other provider is asked", async () => {
  expect(await windowOf('vllm/coder', { fetch: never, own: 8_000 })).toBe(8_000)
  expect(await windowOf('openai/coder', { fetch: never })).toBeUndefined()
})
