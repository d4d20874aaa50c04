import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pith, pithBeside } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'

describe('pith models', () => {
  it('lists models in columns and says what to set for those that cannot be used', async () => {
    const { stdout, stderr, code } = await pith(configFolders(), ['models', 'CLAUDE-SONNET-4-5'])
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    const [header, row] = rowsOf(stdout)
    expect(header).toEqual(['MODEL', 'WINDOW', 'IN/M', 'OUT/M', 'USABLE'])
    expect(row?.slice(0, 4)).toEqual(['anthropic/claude-sonnet-4-5', '200,000', '$3.00', '$15.00'])
    expect(row?.[4]).toContain('set ANTHROPIC_API_KEY')
  })

  it('puts the usable ones first and prints no key', async () => {
    const { stdout } = await pith(configFolders(), ['models'], { XAI_API_KEY: 'sk-very-secret' })
    const [, ...rows] = rowsOf(stdout)
    const usable = rows.map((row) => row[4] === 'yes')
    const xai = rows.filter((row) => row[0]?.startsWith('xai/'))
    expect(xai.length).toBeGreaterThan(0)
    expect(xai.every((row) => row[4] === 'yes')).toBe(true)
    expect(usable.slice(0, xai.length)).toEqual(xai.map(() => true))
    expect(stdout).not.toContain('very-secret')
  })

  it('shows the user’s own models and says what is not known', async () => {
    const folders = configFolders()
    folders.user(`
providers: { mine: { base_url: 'http://127.0.0.1:9/v1' } }
models: [{ provider: mine, model: small, context_window: 4096, price: { input: 0.125, output: 1 } }, { provider: mine, model: new }]
`)
    const { stdout } = await pith(folders, ['models', 'mine/'])
    expect(rowsOf(stdout).slice(1)).toEqual([
      ['mine/small', '4,096', '$0.125', '$1.00', 'yes'],
      ['mine/new', '?', '?', '?', 'yes'],
    ])
  })

  it('lists what a server on this machine has', async () => {
    const server = createServer((request, response) => {
      const known = request.url === '/v1/models'
      response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
      response.end(known ? '{ "data": [{ "id": "our-model", "max_model_len": 8192 }] }' : '{}')
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const address = server.address()
    if (address === null || typeof address === 'string') return expect.unreachable('no port')
    const folders = configFolders()
    folders.user(`providers: { vllm: { base_url: 'http://127.0.0.1:${address.port}/v1' } }`)
    const { stdout } = await pithBeside(folders, ['models', 'our-model'])
    expect(rowsOf(stdout)[1]).toEqual(['vllm/our-model', '8,192', '?', '?', 'yes'])
  })

  it('gives the same as JSON', async () => {
    const { stdout } = await pith(configFolders(), ['models', 'claude-sonnet-4-5', '--json'])
    const { models, providers } = JSON.parse(stdout)
    expect(models[0]).toMatchObject({
      model: 'anthropic/claude-sonnet-4-5',
      context_window: 200_000,
      price: { input: 3, output: 15 },
      usable: false,
      why: expect.stringContaining('ANTHROPIC_API_KEY'),
    })
    expect(providers).toContainEqual(expect.objectContaining({ provider: 'anthropic', local: false, usable: false }))
  })

  it('does not use a provider that an untrusted project names, and says so', async () => {
    const folders = configFolders()
    folders.project(`providers: { evil: { base_url: 'http://127.0.0.1:9/v1' } }`)
    const { stdout, stderr } = await pith(folders, ['models', 'claude-sonnet-4-5'])
    expect(stderr).toContain('Ignored until you trust this workspace: providers.evil.base_url')
    expect(stdout).not.toContain('evil')
    expect((await pith(folders, ['models', 'evil'])).stdout).toContain('No model name contains `evil`')
  })

  it('says in one line that no model has such a name', async () => {
    const folders = configFolders()
    expect(await pith(folders, ['models', 'quux'])).toEqual({
      stdout: 'No model name contains `quux`: pith models lists them all\n',
      stderr: '',
      code: 0,
    })
    const { stdout, code } = await pith(folders, ['models', 'quux', '--json'])
    expect({ code, models: JSON.parse(stdout).models }).toEqual({ code: 0, models: [] })
  })
})

function rowsOf(stdout: string): string[][] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/))
}
