import { describe, expect, it, onTestFinished } from 'vitest'
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

describe('a first screen', () => {
  /** A first screen, and what another process sees of the store while it is open. */
  async function firstScreen(kind: 'new' | 'continue' = 'new') {
    const { workspace, home, env } = configFolders()
    const asked = { version: '1.2.3', flags: {}, cwd: workspace, home, env, open: { kind } }
    const { port } = await openLocalPort(asked)
    onTestFinished(() => port.close())
    const store = await openStore(`${env.PITH_HOME}/pith.db`)
    onTestFinished(() => store.close())
    const rows = async () => (await store.sessions()).sessions.map(({ id, title, lastSeq }) => ({ id, title, lastSeq }))
    return { port, store, rows, id: (await port.opened()).session.id, asked }
  }

  it.each(['new', 'continue'] as const)(
    'makes no row in the store, nor does a look at what there is (%s)',
    async (kind) => {
      const { port, rows } = await firstScreen(kind)
      await port.context()
      await port.policy()
      expect(await port.recall('anything')).toEqual([])
      expect(await port.sessions()).toEqual([])
      await port.newSession()
      expect(await rows()).toEqual([])
    },
  )

  it('makes one with its first change: a name, a setting, a message', async () => {
    const named = await firstScreen()
    await named.port.rename('Mine')
    expect(await named.rows()).toEqual([{ id: named.id, title: 'Mine', lastSeq: 1 }])
    const set = await firstScreen()
    await set.port.setPolicy('trigger_percent', '60')
    expect(await set.rows()).toEqual([{ id: set.id, title: undefined, lastSeq: 1 }])
    const said = await firstScreen()
    await said.port.say('Add a check for empty names.')
    expect((await said.rows()).map(({ id }) => id)).toEqual([said.id])
    const { entries } = await said.store.entries(said.id, { only: 'messages' })
    expect(entries).toMatchObject([{ message: { content: 'Add a check for empty names.' } }])
  })

  it('can be forked, and left for a session that is there, with nothing left of it', async () => {
    const { port, rows } = await firstScreen()
    expect(await port.fork()).toMatchObject({ ok: true })
    expect((await rows()).map(({ id }) => id)).toEqual([(await port.opened()).session.id])
    const next = await firstScreen()
    await next.store.createSession({ owner: 'local', workspace: next.asked.cwd, title: 'There', key: 'there' })
    const [there] = await next.rows()
    await next.port.openSession(there?.id ?? '')
    expect((await next.port.opened()).session.title).toBe('There')
    expect(await next.rows()).toHaveLength(1)
  })
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

describe('a permission mode that the user chose', () => {
  async function started(
    at: ReturnType<typeof configFolders>,
    kind: 'new' | 'continue',
    flags: { readonly permissions?: string } = {},
  ) {
    const { workspace, home, env } = at
    const { port } = await openLocalPort({ version: '1.2.3', flags, cwd: workspace, home, env, open: { kind } })
    let closed: Promise<void> | undefined
    const close = () => (closed ??= port.close())
    onTestFinished(close)
    const modes = async () => {
      const { notices = [], permissions } = await port.opened()
      return [permissions.split(',', 1)[0], ...notices.filter((notice) => notice.includes('permission mode'))]
    }
    return { port, modes, close }
  }

  const fellBack = 'The permission mode was auto-edit and is ask again: /permissions auto-edit sets it for this session'

  it.each([
    ['with /permissions', {}, 'auto-edit'],
    ['with a flag', { permissions: 'auto-edit' }, undefined],
  ] as const)('%s is not taken over by --continue, and one line says so', async (_, flags, set) => {
    const at = configFolders()
    const first = await started(at, 'new', flags)
    if (set !== undefined) await first.port.permissions(set)
    await first.port.say('Add a check for empty names.')
    expect(await first.modes()).toEqual(['auto-edit'])
    await first.close()
    const asked = await started(at, 'continue', { permissions: 'full' })
    expect(await asked.modes()).toEqual(['full'])
    await asked.close()
    const next = await started(at, 'continue')
    expect(await next.modes()).toEqual(['ask', fellBack])
    await next.port.permissions('auto-edit')
    expect(await next.modes()).toEqual(['auto-edit'])
  })

  it('is not that of the next session of the same program, and one line says so', async () => {
    const { port, modes } = await started(configFolders(), 'new')
    await port.permissions('auto-edit')
    await port.newSession()
    expect(await modes()).toEqual(['ask', fellBack])
  })

  it('is not mentioned if it is the configured one', async () => {
    const at = configFolders()
    const first = await started(at, 'new')
    await first.port.say('Add a check for empty names.')
    await first.close()
    expect(await (await started(at, 'continue')).modes()).toEqual(['ask'])
  })
})
