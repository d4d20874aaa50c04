import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const HOOK = resolve(import.meta.dirname, '../../../src/plugins/hooks/hook.ts')

/** Runs the program as an agent does. */
function run(input: string, stdout: 'pipe' | number = 'pipe') {
  const data = mkdtempSync(join(tmpdir(), 'pith-hook-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const env = { ...process.env, PITH_HOME: data }
  const stdio = ['pipe', stdout, 'pipe'] as const
  const ended = spawnSync(process.execPath, [HOOK, 'PreCompact'], { input, env, stdio: [...stdio], encoding: 'utf8' })
  return { ...ended, log: () => readFileSync(join(data, 'hooks.log'), 'utf8') }
}

it('gives its answer', () => {
  expect(run('{}')).toMatchObject({ status: 0, stdout: expect.stringContaining('Name every file'), stderr: '' })
})

it('ends well and notes why if its input cannot be read', () => {
  const ended = run('{"session_id":')
  expect(ended).toMatchObject({ status: 0, stdout: '', stderr: '' })
  expect(ended.log()).toMatch(/^\S+ PreCompact: .*JSON.*\n$/)
})

it.runIf(process.platform === 'linux')('ends well and notes why if its answer is not read', () => {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const ended = run('{}', full)
  expect(ended).toMatchObject({ status: 0, stderr: '' })
  expect(ended.log()).toContain('ENOSPC')
})
