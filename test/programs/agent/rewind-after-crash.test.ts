import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLocalPort } from '../../../src/tui/local/local-port.ts'
import { type RunWorld, runWorld } from '../../support/run-world.ts'
import { calling, scriptedBrain } from '../../support/scripted-brain.ts'

async function opened({ workspace, home, env }: RunWorld) {
  const { port } = await openLocalPort({
    version: '1.2.3',
    flags: {},
    cwd: workspace,
    home,
    env,
    open: { kind: 'continue' },
  })
  onTestFinished(() => port.close())
  return port
}

describe('a program that was killed in the middle of a command', { timeout: 60_000 }, () => {
  it('has kept the files of every call before it, and what that command had changed', async () => {
    const kill = 'echo half >> old.txt; kill -9 $PPID; sleep 5'
    const steps = [calling('write', { path: 'made.txt', content: 'made\n' }), calling('bash', { command: kill })]
    const world = await runWorld({ brain: scriptedBrain({ steps }) })
    const old = join(world.workspace, 'old.txt')
    writeFileSync(old, 'old\n')
    expect(await world.start(['run', '--permissions', 'full', 'Do it.']).ended).toMatchObject({ signal: 'SIGKILL' })
    expect(readFileSync(old, 'utf8')).toBe('old\nhalf\n')
    const port = await opened(world)
    const to = (await port.opened()).entries.find((entry) => entry.type === 'message')?.seq ?? 0
    const { files } = await port.rewindReport(to)
    // Nobody saw how the command ended: the user is asked about its file.
    expect(files).toMatchObject([
      { path: 'made.txt', change: 'delete', changedSince: false },
      { path: 'old.txt', change: 'restore', changedSince: true },
    ])
    await port.rewind({ to, files: 'all', conversation: false })
    expect(readFileSync(old, 'utf8')).toBe('old\n')
  })
})
