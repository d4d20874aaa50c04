import { describe, expect, it } from 'vitest'
import { compactSession } from '../../../src/session/compaction/compact-session.ts'
import { undo } from '../../../src/session/user-changes.ts'
import type { Store } from '../../../src/store/store.ts'
import { OtherWriters } from '../../../src/tui/local/local-port.ts'
import { ready, start } from '../support/fixture.ts'
import { replies, talk } from '../support/talk.ts'

/** A session on the screen, and another process's way to it. */
async function opened() {
  const { at } = await ready(replies(), { window: 10_000 })
  const id = await at.session(talk(8, 5_000))
  const program = start(at, { open: { kind: 'continue' }, rows: 60 })
  await program.sees('50.00%')
  return { program, id, store: await at.store() }
}

async function say(store: Store, id: string, text: string): Promise<void> {
  await store.append(id, [{ type: 'message', message: { role: 'user', content: text } }])
}

describe('a session that another process works in', () => {
  it('shows what is said there, once, and how full the context is by it', async () => {
    const { program, id, store } = await opened()
    await say(store, id, `${'More of it. '.repeat(400)} Said elsewhere.`)
    const screen = await program.sees(/Said elsewhere[\s\S]*6\d\.\d\d%/)
    expect(screen.match(/Said elsewhere/g)).toHaveLength(1)
    await store.close()
  })

  it('shows a compaction, an undo and a new title from there', async () => {
    const { program, id, store } = await opened()
    await compactSession(store, id, {
      holder: 'another',
      model: { contextWindow: 10_000 },
      policy: { rungs: ['digest'] },
    })
    await program.sees(/Compacted 12 messages/)
    await undo(store, id)
    await program.sees('Undone: the compaction of')
    await store.renameSession(id, 'called otherwise')
    await program.sees('called otherwise')
    await store.close()
  })

  it('shows in order what was said there while the agent worked here', async () => {
    const { program, id, store } = await opened()
    await program.send('Said here.')
    await say(store, id, 'Said there meanwhile.')
    const screen = await program.sees(/Said here[\s\S]*Understood[\s\S]*/)
    expect(screen.match(/Said here/g)).toHaveLength(1)
    const later = await program.sees('Said there meanwhile.')
    expect(later.match(/Said there meanwhile/g)).toHaveLength(1)
    await store.close()
  })

  it('can be left for a new one when it was empty and deleted there', async () => {
    const { at } = await ready(replies())
    const program = start(at, { open: { kind: 'new' } })
    await program.sees('lists the commands')
    const store = await at.store()
    const { sessions } = await store.sessions()
    for (const { id } of sessions) await store.deleteSession(id)
    await program.send('/new')
    await program.send('Said in the new one.')
    const screen = await program.sees(/Said in the new one[\s\S]*Understood/)
    expect(screen).not.toContain('there is no session')
    await store.close()
  })

  it('emits nothing for a session that was left while it was looked at', async () => {
    const { at } = await ready(replies())
    const store = await at.store()
    const create = async () => (await store.createSession({ owner: 'local', workspace: at.workspace })).id
    const [left, next] = [await create(), await create()]
    await say(store, left, 'Said in the one that was left.')
    await say(store, next, 'Said in the next one.')
    let open = left
    const emitted: string[] = []
    const others = new OtherWriters({
      store: { ...store, entries: async (id, query) => store.entries(id, query).finally(() => (open = next)) },
      session: () => open,
      emitChanges: async (entries) => void emitted.push(JSON.stringify(entries)),
      deliver: () => {},
    })
    others.check()
    others.check()
    await others.stop()
    expect(emitted.join()).not.toContain('the one that was left')
    expect(emitted.join()).toContain('the next one')
    await store.close()
  })
})
