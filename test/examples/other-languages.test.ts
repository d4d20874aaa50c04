import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { fileToken } from '../server/support/file-token.ts'
import { ROOT } from './example-output.ts'

const run = promisify(execFile)
const FOLDER = join(ROOT, 'examples', 'other-languages')

function installed(command: string, flag: string): boolean {
  const has = spawnSync(command, [flag]).status === 0
  if (!has) console.warn(`the example for ${command} is left out: this machine has no ${command}`)
  return has
}

describe('a program in another language', () => {
  const home = mkdtempSync(join(tmpdir(), 'pith-languages-'))
  let stop: () => Promise<unknown> = async () => {}
  let url = ''
  const token = fileToken(home, { name: 'languages', access: 'write' }).secret

  beforeAll(async () => {
    const server = spawn(process.execPath, [inject('program'), 'serve', '--port', '0', '--quiet'], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, PITH_HOME: home, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => server.once('close', resolve))
    stop = () => {
      server.kill('SIGKILL')
      return ended
    }
    for await (const text of server.stdout.setEncoding('utf8')) {
      url = /^Pith serves at (\S+)/.exec(text)?.[1] ?? ''
      if (url !== '') break
    }
  })
  afterAll(async () => {
    await stop()
    rmSync(home, { recursive: true, force: true })
  })

  const outputOf = async (command: string, args: string[], secret = token) => {
    const env = { ...process.env, PITH_URL: url, PITH_TOKEN: secret, PYTHONDONTWRITEBYTECODE: '1' }
    return run(command, args, { cwd: FOLDER, env })
  }

  it.runIf(installed('python3', '--version'))('in Python stays inside its limit, recalls and undoes', async () => {
    const { stdout } = await outputOf('python3', ['pith_client.py'])
    const [most = 0, end = 0, undone = 0] = (stdout.match(/\d+/g) ?? []).map(Number)
    expect(stdout).toMatch(/^at most .*\nrecall found #\d+ \(tool, read\)\n$/)
    expect(most).toBeLessThan(4_500)
    expect(undone).toBeGreaterThan(end)
    await expect(outputOf('python3', ['pith_client.py'], 'wrong')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pith: this server does not know that token[^\n]*\n$/),
    })
  })

  it.runIf(installed('go', 'version'))('in Go stays inside its limit, and recalls', async () => {
    const { stdout } = await outputOf('go', ['run', 'main.go'])
    const [, most = 30] = /^30 messages are stored, at most (\d+) were sent; recall found #\d+$/m.exec(stdout) ?? []
    expect(Number(most)).toBeLessThan(25)
  })

  it('has a client for Python that is one short file', () => {
    const lines = readFileSync(join(FOLDER, 'pith_client.py'), 'utf8').split('\n')
    expect(lines.length).toBeLessThan(150)
  })
})
