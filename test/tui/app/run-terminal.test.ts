import { expect, it } from 'vitest'
import { runTerminal } from '../../../src/tui/app/run-terminal.ts'
import { openRemotePort } from '../../../src/tui/remote/remote-port.ts'
import { listening } from '../../server/support/listening.ts'
import { TOKENS } from '../../server/support/world.ts'
import { turns } from '../../support/messages.ts'
import { ScreenTerminal } from '../support/screen-terminal.ts'

it('the line that resumes a session of a server names the server, and not its token', async () => {
  const { url, session } = await listening({ noModel: true })
  const id = await session({ messages: turns(1) })
  const { token } = TOKENS[0]
  const printed: string[] = []
  await runTerminal({
    terminal: new ScreenTerminal(80, 24),
    env: {},
    theme: 'dark',
    first: '/quit',
    open: async () => ({
      port: await openRemotePort({ url, token, open: { kind: 'id', id } }),
      theme: 'dark',
      server: url,
    }),
    print: (line) => printed.push(line),
  })
  expect(printed).toEqual([`Resume this session: pith --session ${id.slice(0, 8)} --server ${url}`])
})

it('a start that fails leaves nothing on the screen but what was there before', async () => {
  const terminal = new ScreenTerminal(80, 24)
  terminal.write('$ pith --session nothere\r\n')
  const open = () => Promise.reject(new Error('there is none'))
  await expect(runTerminal({ terminal, env: {}, theme: 'dark', open })).rejects.toThrow('there is none')
  terminal.write('pith: there is none')
  await terminal.settled()
  expect(terminal.all().filter((line, i) => i < 2 || line !== '')).toEqual([
    '$ pith --session nothere',
    'pith: there is none',
  ])
})
