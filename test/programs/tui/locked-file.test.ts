import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { lockFile } from '../../support/lock-file.ts'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY } from '../../tui/support/program.ts'
import { replies } from '../../tui/support/talk.ts'

it('a message that another program keeps out of the file comes back with Esc, before what was typed since', async () => {
  const { at } = await ready(replies('A reply.'))
  const program = start(at)
  await program.sees('%')
  await program.send('the first message')
  await program.sees(/A reply\.[\s\S]*%/)
  const release = await lockFile(join(dirname(at.workspace), 'pith', 'pith.db'))
  await program.send('the second message')
  await program.sees('Working')
  program.press('typed since')
  await program.sees('typed since')
  program.press(KEY.escape)
  await program.sees(/is locked by\s+another/)
  const screen = await program.sees(/the second message\s+typed since/)
  expect(screen).not.toContain('Working')
  await release()
  program.press(KEY.enter)
  await program.sees(/A reply\.[\s\S]*› the second message\s+typed since[\s\S]*A reply\./)
})
