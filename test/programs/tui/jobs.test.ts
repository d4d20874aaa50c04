import { expect, it } from 'vitest'
import { commandThatWaits } from '../../support/command-that-waits.ts'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY } from '../../tui/support/program.ts'

it('Ctrl+B sends the running command to the background, /jobs lists and stops it, and the model reads its end', async () => {
  const { at, model } = await ready(({ messages }, number) =>
    number === 1
      ? { calls: [{ name: 'bash', input: { command: `echo begun; ${commandThatWaits('go')}` } }] }
      : { text: `Reply ${number}, ${messages.length} messages.` },
  )
  const program = start(at, { flags: { permissions: 'full' } })
  await program.sees('%')
  await program.send('run it')
  await program.sees('Ctrl+B background')
  await program.sees(/^ *begun/m)
  program.press('\x02')
  await program.sees('Reply 2')
  await program.sees('1 job')
  await program.send('/jobs')
  await program.sees(/j\d+ +running/)
  program.press(KEY.enter)
  await program.sees('let it run on when Pith ends')
  program.press(KEY.down)
  program.press(KEY.enter)
  await program.sees(/j\d+ ended: exit code 130/)
  await program.seesNot('1 job')
  await program.send('and now?')
  await program.sees('Reply 3')
  expect(JSON.stringify(model.requests.at(-1))).toMatch(/Background command j\d+ ended: exit code 130/)
})
