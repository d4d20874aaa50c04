import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleLibrary } from '../../scripts/bundle.mjs'
import { loadRedactor } from '../../src/index.ts'
import { bundleScript } from './bundle-script.ts'
import { inBrowser } from './in-browser.ts'
import { ROOT } from './loaded-modules.ts'

const FITTED = `Pith.fit(
  Array.from({ length: 60 }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: 'message ' + i + ' ' + 'some words about the work '.repeat(40),
  })),
  { window: 8000 },
)`

let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pith-browser-'))
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  await bundleLibrary(join(folder, 'dist'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const scriptOf = (entry: string) => bundleScript(join(folder, 'dist', entry), false)

describe('the package in a browser', () => {
  it.each(['index.js', 'engine.js'])('%s is one file without Node, and fits a conversation', async (entry) => {
    const script = await scriptOf(entry)
    expect(script).not.toMatch(/["']node:|__vite-browser-external|\brequire\(/)
    const fitted = (await inBrowser(script, FITTED)) as { fits: boolean; tokensAfter: number }
    expect(fitted.fits).toBe(true)
    expect(fitted.tokensAfter).toBeLessThan(8_000)
  })

  it('removes the same secrets as on Node', async () => {
    const basic = btoa('me:Gk7-tulip-92-harbour')
    const text = `the token is ghp_${'Ab1'.repeat(12)} now\nAuthorization: Basic ${basic}`
    const redacted = inBrowser(
      await scriptOf('index.js'),
      `Pith.loadRedactor().then((redact) => redact(${JSON.stringify(text)}))`,
    )
    const onNode = (await loadRedactor())(text)
    expect(onNode).not.toContain(basic)
    expect(onNode).not.toContain('ghp_')
    expect(await redacted).toBe(onNode)
  })

  it.each(['langchain', 'openai-agents', 'mastra', 'opentelemetry'])(
    'the adapter for %s is one file without Node',
    async (name) => {
      expect(await scriptOf(`adapters/${name}/index.js`)).not.toMatch(/["']node:|__vite-browser-external|\brequire\(/)
    },
  )
})
