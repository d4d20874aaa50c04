import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { manifest, offline, pack } from './packed.ts'

const why = offline()
const { version } = manifest()

/** The single executable of the sources as they are, and a home and a path in which there is no Node. */
let made: { folder: string; program: string; env: Record<string, string> }

beforeAll(() => {
  if (why !== undefined) return
  const { folder } = pack()
  const copy = join(folder, 'copy')
  execFileSync(process.execPath, ['scripts/binary.mjs'], { cwd: copy, stdio: 'ignore' })
  const [bin, home] = ['bin', 'home'].map((name) => join(folder, name)) as [string, string]
  mkdirSync(bin)
  mkdirSync(home)
  for (const name of ['sh', 'git', 'env']) {
    const found = ['/bin', '/usr/bin'].map((place) => join(place, name)).find((file) => existsSync(file))
    if (found !== undefined) symlinkSync(found, join(bin, name))
  }
  made = { folder, program: join(copy, 'binary', 'pith'), env: { PATH: bin, HOME: home, LANG: 'C.UTF-8' } }
})
afterAll(() => {
  if (made !== undefined) rmSync(made.folder, { recursive: true, force: true })
})

describe.skipIf(why !== undefined || process.platform === 'win32')('the single executable, without Node', () => {
  const pith = (...args: string[]) => {
    const cwd = mkdtempSync(join(tmpdir(), 'pith-binary-'))
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
    return execFileSync(made.program, args, { cwd, env: made.env, encoding: 'utf8' })
  }

  it('says its version, and unpacks itself once', () => {
    expect(pith('--version').trim()).toBe(version)
    expect(pith('--version').trim()).toBe(version)
    expect(readdirSync(join(made.env.HOME ?? '', '.local', 'share', 'pith', 'program'))).toHaveLength(1)
  })

  it('compacts a session and finds what was compacted', () => {
    expect(pith('compact', 'example', '--offline', '--to', 'pith', '--out', 'short.jsonl')).toContain('Tokens: ')
    expect(pith('memory', '--help')).toContain('Usage: pith memory')
  })

  it('is an MCP server', async () => {
    const answer = await firstLine(['mcp'], {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    })
    expect(answer).toMatchObject({ id: 1, result: { serverInfo: { name: 'pith', version } } })
  })

  it('is an ACP agent', async () => {
    const answer = await firstLine(['acp'], {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: 1, clientCapabilities: {} },
    })
    expect(answer).toMatchObject({ id: 1, result: { agentInfo: { name: 'pith', version } } })
  })

  it('serves the web inspector', async () => {
    const child = spawn(made.program, ['serve', '--port', '0'], { env: made.env, cwd: made.folder })
    onTestFinished(() => void child.kill())
    let output = ''
    for await (const part of child.stdout) {
      output += part
      if (/http:\S+\n/.test(output)) break
    }
    const [address = ''] = /http:\S+/.exec(output) ?? []
    expect(await (await fetch(address)).text()).toContain('<title>Pith</title>')
  })
})

/** The first line that a command answers to a line of JSON. */
async function firstLine(args: readonly string[], request: unknown): Promise<unknown> {
  const child = spawn(made.program, args, { env: made.env, cwd: made.folder })
  onTestFinished(() => void child.kill())
  child.stdin.write(`${JSON.stringify(request)}\n`)
  let output = ''
  for await (const part of child.stdout) {
    output += part
    if (output.includes('\n')) break
  }
  return JSON.parse(output.slice(0, output.indexOf('\n')))
}
