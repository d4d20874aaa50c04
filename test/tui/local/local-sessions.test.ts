import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { openLocalPort } from '../../../src/tui/local/local-port.ts'
import { configFolders } from '../../support/config-folders.ts'
import { assistant, user } from '../../support/messages.ts'

it('a session in which only greetings were said is listed under them', async () => {
  const { workspace, home, env } = configFolders()
  const store = await openStore(`${env.PITH_HOME}/pith.db`)
  const { id } = await store.createSession({ owner: 'local', workspace })
  await store.append(
    id,
    [user('hello'), assistant('Hi!')].map((message) => ({ type: 'message' as const, message })),
  )
  await store.close()
  const { port } = await openLocalPort({
    version: '1.2.3',
    flags: {},
    cwd: workspace,
    home,
    env,
    open: { kind: 'new' },
  })
  onTestFinished(() => port.close())
  expect(await port.sessions()).toMatchObject([{ id, title: 'hello' }])
})

it('an unknown id at the start names the command that lists sessions there', async () => {
  const { workspace, home, env } = configFolders()
  const opened = openLocalPort({
    version: '1.2.3',
    flags: {},
    cwd: workspace,
    home,
    env,
    open: { kind: 'id', id: 'nope' },
  })
  await expect(opened).rejects.toThrow('session nope: there is none; pith --resume lists them')
})
