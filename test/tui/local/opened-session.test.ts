import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ready, start } from '../support/fixture.ts'
import { replies } from '../support/talk.ts'

it('a file that leads out of the workspace is named on the first screen, once', async () => {
  const { at } = await ready(replies())
  symlinkSync('/dev/zero', join(at.workspace, 'AGENTS.md'))
  const program = start(at)
  await program.sees('AGENTS.md is not read: it leads out of the workspace')
  await program.send('Do it.')
  await program.sees('Understood')
  expect((await program.transcript()).match(/AGENTS.md is not read/g)).toHaveLength(1)
})
