import { describe, expect, it } from 'vitest'
import { usableModels } from '../../src/llm/choose-model.ts'
import { findLocalServers } from '../../src/llm/local-servers.ts'
import { registryOf } from '../../src/models/registry.ts'
import { KEY } from './support/ask.ts'
import { type Json, type Reply, serve } from './support/server.ts'

/** A port that has no listener any more. */
async function nothing(): Promise<string> {
  const { url, stop } = await serve()
  await stop()
  return `${url}/v1`
}

async function settings(own: Record<string, string>) {
  const free = await nothing()
  const at = (id: string) => ({ baseUrl: own[id] ?? free })
  return { ollama: at('ollama'), lmstudio: at('lmstudio'), llamacpp: at('llamacpp'), vllm: at('vllm') }
}

const answers =
  (table: Record<string, Json | ((body: Json) => Json)>): Reply =>
  (response, { path, body }) => {
    const found = table[path]
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(typeof found === 'function' ? found(body) : (found ?? {})))
  }

describe('a server on this machine', () => {
  it('of Ollama is found with the context that it really runs a model with', async () => {
    const { url } = await serve(
      answers({
        '/v1/models': { object: 'list', data: ['loaded:8b', 'set:4b', 'bare:1b'].map((id) => ({ id })) },
        '/api/ps': { models: [{ name: 'loaded:8b', context_length: 16_384 }] },
        '/api/show': ({ model }: Json) => ({
          model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
          parameters: model === 'set:4b' ? 'temperature 0.6\nnum_ctx                        8192' : 'temperature 0.6',
        }),
      }),
    )
    const found = await findLocalServers({ providers: await settings({ ollama: `${url}/v1` }), timeoutMs: 5_000 })
    expect(found).toEqual([
      {
        provider: 'ollama',
        baseUrl: `${url}/v1`,
        models: [
          { provider: 'ollama', model: 'loaded:8b', contextWindow: 16_384 },
          { provider: 'ollama', model: 'set:4b', contextWindow: 8_192 },
          // The window that the model could have is not the one that it is run with: unknown.
          { provider: 'ollama', model: 'bare:1b' },
        ],
      },
    ])
  })

  it.each([
    ['vllm', { '/v1/models': { data: [{ id: 'm', max_model_len: 32_768 }] } }],
    [
      'lmstudio',
      {
        '/v1/models': { data: [{ id: 'm' }] },
        '/api/v0/models': { data: [{ id: 'm', loaded_context_length: 32_768 }] },
      },
    ],
    [
      'llamacpp',
      { '/v1/models': { data: [{ id: 'm' }] }, '/props': { default_generation_settings: { n_ctx: 32_768 } } },
    ],
  ])('of %s says its context in its own way', async (provider, table) => {
    const { url } = await serve(answers(table))
    const found = await findLocalServers({ providers: await settings({ [provider]: `${url}/v1` }), timeoutMs: 5_000 })
    expect(found).toMatchObject([{ provider, models: [{ provider, model: 'm', contextWindow: 32_768 }] }])
  })

  it('that is something else, or does not answer, is not found', async () => {
    const web = await serve((response) => response.end('<html>It works!</html>'))
    const mute = await serve(() => {})
    const odd = await serve(answers({ '/v1/models': { data: 'none' } }))
    const own = { ollama: `${web.url}/v1`, lmstudio: `${mute.url}/v1`, vllm: `${odd.url}/v1` }
    expect(await findLocalServers({ providers: await settings(own), timeoutMs: 50 })).toEqual([])
  })
})

describe('what is usable', () => {
  const registry = registryOf([
    { provider: 'anthropic', model: 'claude', contextWindow: 200_000 },
    { provider: 'openai', model: 'gpt' },
  ])
  const local = [{ provider: 'ollama', baseUrl: 'x', models: [{ provider: 'ollama', model: 'qwen3:4b' }] }]
  const used = usableModels({ registry, env: { OPENAI_API_KEY: KEY }, local })

  it('is stated for every model, with the reason if it is not', () => {
    expect(used.models.map(({ info: _, ...use }) => use)).toEqual([
      { name: 'anthropic/claude', usable: false, why: expect.stringContaining('set ANTHROPIC_API_KEY') },
      { name: 'openai/gpt', usable: true },
      { name: 'ollama/qwen3:4b', usable: true },
    ])
  })

  it('is stated for every provider, also those whose models the registry does not list', () => {
    const of = (id: string) => used.providers.find(({ provider }) => provider === id)
    expect(of('openrouter')).toMatchObject({ usable: false, why: expect.stringContaining('set OPENROUTER_API_KEY') })
    expect(of('ollama')).toMatchObject({ usable: true, isLocal: true })
    expect(of('vllm')).toMatchObject({ usable: false, why: 'nothing answers at 127.0.0.1:8000: start vllm' })
  })

  it('shows no key', () => {
    expect(JSON.stringify(used)).not.toContain(KEY)
  })
})
