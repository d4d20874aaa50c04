import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runWorld } from '../../support/run-world.ts'
import { longText, scriptedBrain } from '../../support/scripted-brain.ts'

const REFUSED = (file: string) => new RegExp(`${file} is not read: it (?:leads out|is not a regular)`, 'g')

it('a cloned repository whose files are links out, devices and pipes is worked in, with one line about each', async () => {
  const world = await runWorld({ brain: scriptedBrain({ steps: [{ text: longText('answer', 3_000) }] }) })
  const { home, workspace } = world
  writeFileSync(join(home, 'key'), 'the private key')
  writeFileSync(join(home, 'away.yaml'), 'theme: no-such-theme-of-the-private-file')
  mkdirSync(join(workspace, '.pith'))
  symlinkSync('../../away.yaml', join(workspace, '.pith', 'config.yaml'))
  symlinkSync('../key', join(workspace, 'AGENTS.md'))
  execFileSync('mkfifo', [join(workspace, 'MEMORY.md')])
  const files = ['config.yaml', 'AGENTS.md', 'MEMORY.md']

  const run = await world.here('run', 'Do it.')
  expect(run.code).toBe(0)
  for (const file of files) expect(run.stderr.match(REFUSED(file)), file).toHaveLength(1)

  const json = await world.here('run', '--json', 'Again.')
  for (const file of files.slice(1)) expect(json.stdout.match(REFUSED(file)), file).toHaveLength(1)

  const { session } = JSON.parse(json.stdout.split('\n', 1)[0] ?? '')
  const compacted = await world.here('compact', session)
  for (const file of files) expect(compacted.stderr.match(REFUSED(file)), file).toHaveLength(1)
  const sent = JSON.stringify(world.server.requests.map(({ request }) => request))
  expect(sent).not.toContain('the private key')
  expect(run.stdout + run.stderr + compacted.stderr).not.toContain('no-such-theme')
})
