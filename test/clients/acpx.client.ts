import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, it, onTestFinished } from 'vitest'
import { runWorld } from '../support/run-world.ts'
import { calling, longText, scriptedBrain } from '../support/scripted-brain.ts'
import { installedPackages } from './installed-packages.ts'

it('pith acp works under acpx: permissions, modes, sessions, commands and a compaction', async () => {
  const steps = [calling('write', { path: 'new.txt', content: 'hello\n' }), { text: 'It is written.' }]
  const { workspace, home, env } = await runWorld({ brain: scriptedBrain({ steps }), window: 16_000 })
  const programs = installedPackages('acpx', ['acpx@0.19.1'])
  const PATH = [dirname(process.execPath), programs, process.env.PATH].join(delimiter)
  const acpx = async (...args: readonly string[]) => {
    const agent = ['--agent', `'${process.execPath}' '${inject('program')}' acp`, '--cwd', workspace, '--ttl', '60']
    const options = { cwd: workspace, env: { PATH, HOME: home, ...env }, timeout: 120_000 }
    return (await promisify(execFile)(join(programs, 'acpx'), [...agent, ...args], options)).stdout
  }
  await acpx('sessions', 'new')
  onTestFinished(() => acpx('sessions', 'close').then(() => undefined))
  const written = await acpx('--approve-all', 'prompt', 'Write it down.')
  expect(written).toContain('It is written.')
  expect(written).toContain('[done] end_turn')
  expect(readFileSync(join(workspace, 'new.txt'), 'utf8')).toBe('hello\n')
  expect(await acpx('set-mode', 'plan')).toContain('mode set: plan')
  for (const mark of ['one', 'two', 'three']) await acpx('prompt', longText(mark, 1_500))
  expect(await acpx('prompt', '/compact')).toMatch(/Compacted \d+ messages/)
  expect(await acpx('prompt', '/context')).toContain('local/main')
})
