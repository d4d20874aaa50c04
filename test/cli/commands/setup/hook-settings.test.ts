import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { SetupWorld } from '../../../../src/cli/commands/setup/setup-agent.ts'
import { hookSettings } from '../../../../src/cli/commands/setup/setup-agents.ts'

/** An installation in a folder whose name means something to a shell, and the command of a hook that it adds. */
function installation(node = 'node') {
  const root = mkdtempSync(join(tmpdir(), 'pith hooks $HOME `x` "é" '))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, 'dist/plugins/claude-code')
  mkdirSync(folder, { recursive: true })
  const world: SetupWorld = {
    env: {},
    home: root,
    pith: { command: 'pith', args: [] },
    node,
    packageFile: (name) => join(root, name),
    builtFile: (name) => join(root, 'dist', name),
    exists: () => true,
  }
  const file = join(root, 'settings.json')
  const [setting] = hookSettings(world, file, [{ event: 'UserPromptSubmit', program: 'tell.sh' }])
  const { hooks } = JSON.parse(setting?.form.insertion('').text ?? '')
  const run = () => spawnSync('sh', ['-c', hooks.UserPromptSubmit[0].hooks[0].command], { encoding: 'utf8' })
  return { folder, run }
}

it('the hook at a prompt runs its program, whatever its path has in it', () => {
  const { folder, run } = installation()
  writeFileSync(join(folder, 'tell.sh'), 'echo "told $1"')
  expect(run()).toMatchObject({ status: 0, stdout: 'told UserPromptSubmit\n', stderr: '' })
})

it('the hook at a prompt ends well without a word once Pith is gone: status 2 would refuse the prompt', () => {
  expect(installation().run()).toMatchObject({ status: 0, stdout: '', stderr: '' })
})

it('the hooks of the single executable name it instead of node', () => {
  const { folder, run } = installation('/opt/my pith')
  writeFileSync(join(folder, 'tell.sh'), 'echo "said $1 $2"')
  expect(run()).toMatchObject({ status: 0, stdout: 'said UserPromptSubmit /opt/my pith\n', stderr: '' })
})
