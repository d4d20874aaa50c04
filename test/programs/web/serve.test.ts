import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'

const MAIN = resolve(import.meta.dirname, '../../../src/cli/main.ts')

it('pith serve of a checkout serves the web inspector under the address that it prints', async () => {
  const home = mkdtempSync(join(tmpdir(), 'pith-serve-'))
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--quiet'], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, PITH_HOME: join(home, '.pith') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    await ended(child)
    rmSync(home, { recursive: true, force: true })
  })
  const [address = ''] = /http:\S+/.exec(await firstLine(child)) ?? []
  const { origin, hash } = new URL(address)
  expect(hash).toBe('')
  const page = await fetch(origin)
  const html = await page.text()
  const [, script = ''] = / src="\.(\/assets\/[^"]+\.js)"/.exec(html) ?? []
  expect((await fetch(origin + script)).headers.get('content-type')).toMatch(/^text\/javascript/)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|\*|http/)
})

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) return ''
  for await (const line of createInterface({ input: stdout })) return line
  return ''
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
