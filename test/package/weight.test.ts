import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bundleLibrary } from '../../scripts/bundle.mjs'
import { bundleFit } from './bundle-fit.ts'
import { loadedModules, ROOT } from './loaded-modules.ts'

const HEAVY = [
  'ai',
  'hono',
  'pg',
  'commander',
  '@earendil-works/pi-tui',
  'node:sqlite',
  '@ai-sdk/anthropic',
  '@ai-sdk/openai',
  '@modelcontextprotocol/sdk',
]

const ALONE = ['fit/fit.ts', 'fit/compact-messages.ts', 'engine/plan/mask.ts', 'engine/plan/plan.ts']
const LIGHT = ['index.ts', 'formats/index.ts', 'adapters/ai-sdk/index.ts', 'store/index.ts', 'session/index.ts']
const LOADED = loadedModules([
  ...['engine.ts', 'client/index.ts', ...ALONE, ...LIGHT],
  ...['cli/program.ts', 'cli/commands/mcp/serve-mcp.ts', 'cli/commands/compact/compact-any.ts'],
  ...['plugins/pi/index.ts', 'plugins/pi/extension-work.ts'],
  ...['plugins/opencode/index.ts', 'plugins/opencode/plugin-work.ts'],
])
const loaded = (file: string) => LOADED[file] ?? []

describe('what an import loads', () => {
  it('pith/engine is the engine, and zod', () => {
    expect(loaded('engine.ts')).toContain('engine/compact/compact.ts')
    const other = loaded('engine.ts').filter((name) => !/^(engine\.ts|(engine|fit|study|tokens|model)\/)/.test(name))
    expect(other).toEqual(['zod'])
  })

  it('pith/client is itself and the reader of event streams', () => {
    expect(loaded('client/index.ts').toSorted()).toEqual([
      'client/index.ts',
      'client/operations.ts',
      'client/pith-client.ts',
      'contract/event-reader.ts',
    ])
  })

  it.each(ALONE)('%s is the engine alone, without zod', (file) => {
    expect(loaded(file)).toContain(file)
    expect(loaded(file).filter((name) => !/^(engine|fit|tokens|model)\//.test(name))).toEqual([])
  })

  it('a page with fit loads 27 kB, and as much as 118 kB more when a conversation is first compacted', async () => {
    const { first, later, modules } = await bundleFit()
    expect(modules.filter((name) => name.includes('/node_modules/'))).toEqual([])
    expect(first).toBeLessThan(27_500)
    expect(later).toBeLessThan(118_500)
  })

  it('a page that is bundled from the package loads as little', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pith-library-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
    await bundleLibrary(join(folder, 'dist'))
    const { first, later } = await bundleFit(join(folder, 'dist', 'engine.js'))
    expect(first).toBeLessThan(27_500)
    expect(later).toBeLessThan(118_500)
  })

  it('a command line loads the MCP SDK only when it serves MCP', () => {
    expect(loaded('cli/program.ts')).not.toContain('@modelcontextprotocol/sdk')
    expect(loaded('cli/commands/mcp/serve-mcp.ts')).toContain('@modelcontextprotocol/sdk')
  })

  it('pith compact loads the engine when there is a session, and the agent for one of our own', () => {
    const compact = loaded('cli/commands/compact/compact-any.ts')
    expect(compact).toContain('cli/sessions/session-source.ts')
    expect(compact.filter((name) => /^agent\/|^diff|^engine\/compact\/(?:compact|ladder)\.ts/.test(name))).toEqual([])
    expect(compact.filter((name) => HEAVY.includes(name) && name !== 'node:sqlite')).toEqual([])
  })

  it('the extension for pi loads no part of the engine before it has something to do, and no MCP SDK then', () => {
    expect(loaded('plugins/pi/index.ts').filter((name) => /^engine|^zod/.test(name))).toEqual([])
    expect(loaded('plugins/pi/extension-work.ts').filter((name) => HEAVY.includes(name))).toEqual([])
  })

  it('the plug-in for opencode loads zod alone before it has something to do, and nothing heavy then', () => {
    expect(loaded('plugins/opencode/index.ts').filter((name) => /^engine/.test(name))).toEqual([])
    expect(loaded('plugins/opencode/plugin-work.ts').filter((name) => HEAVY.includes(name))).toEqual([])
  })

  it.each(LIGHT)('%s loads no AI SDK, server, terminal or database', (file) => {
    expect(loaded(file)).toContain(file)
    expect(loaded(file).filter((name) => HEAVY.includes(name))).toEqual([])
  })
})
