import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MARK, newMark, OwnedProcess } from '../../../src/agent/processes/owned-process.ts'

const isLinux = process.platform === 'linux'
if (!isLinux) console.warn('Not tried: only Linux shows the environment of a process.')

const DEADLINE = { timeout: 20_000, interval: 20 }
const MODULE = resolve(import.meta.dirname, '../../../src/agent/processes/owned-process.ts')

function newToken(): string {
  return `601.${process.pid}${Math.random().toString().slice(2, 8)}`
}

function sleepers(token: string): number {
  const lines = execFileSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.endsWith(`sleep ${token}`) && !line.startsWith('Z')).length
}

/** A child, a grandchild, one without a parent and one in a session of its own. */
const tree = (token: string) =>
  `sleep ${token} & sh -c 'sleep ${token} & wait' & (sleep ${token} &); (setsid sleep ${token} &); wait`

describe.skipIf(!isLinux)('a process that we own', () => {
  it('is ended with all that comes of it', async () => {
    const token = newToken()
    const mark = newMark()
    const child = spawn('sh', ['-c', tree(token)], { detached: true, env: { ...process.env, [MARK]: mark } })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child, 'spawn')
    const owned = new OwnedProcess(child.pid ?? 0, mark)
    await expect.poll(() => sleepers(token), DEADLINE).toBe(4)
    await owned.end()
    expect(sleepers(token)).toBe(0)
  })

  it('is ended when we exit, even without a watchdog', async () => {
    const token = newToken()
    const script = `
      import { spawn } from 'node:child_process'
      import { MARK, newMark, OwnedProcess } from '${MODULE}'
      const { PATH } = process.env
      // The watchdog finds none of its tools.
      process.env.PATH = '/nowhere'
      const mark = newMark()
      const child = spawn('/bin/sh', ['-c', ${JSON.stringify(tree(token))}], { detached: true, env: { PATH, [MARK]: mark } })
      child.once('spawn', () => new OwnedProcess(child.pid, mark))
      process.stdin.once('data', () => process.exit(0))`
    const program = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    onTestFinished(() => void program.kill('SIGKILL'))
    await expect.poll(() => sleepers(token), DEADLINE).toBe(4)
    program.stdin.write('go\n')
    await once(program, 'exit')
    expect(sleepers(token)).toBe(0)
  })
})
