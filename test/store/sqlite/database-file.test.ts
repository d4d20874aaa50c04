import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { listening } from '../../server/support/listening.ts'
import { TOKENS } from '../../server/support/world.ts'
import { lockFile } from '../../support/lock-file.ts'
import { user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

const said = (text: string) => [{ type: 'message' as const, message: user(text) }]

it('while another program holds the file this one continues, and then everything is written in order', async () => {
  const { store, path, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '' })
  await store.append(id, said('before'))
  const release = await lockFile(path)
  let isDone = false
  const appends = ['one', 'two', 'three'].map((text) => store.append(id, said(text)))
  const all = Promise.all(appends).then(() => {
    isDone = true
  })
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setTimeout(resolve, 5))
  // Reads of the same file do not wait.
  expect((await store.entries(id)).entries).toHaveLength(1)
  expect(isDone).toBe(false)
  await release()
  await all
  const { entries } = await store.entries(id)
  expect(entries.map((entry) => entry.type === 'message' && entry.message.content)).toEqual([
    'before',
    'one',
    'two',
    'three',
  ])
})

it('a write that finds the file free comes after those that still wait', async () => {
  const { store, path, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '' })
  const other = new DatabaseSync(path)
  onTestFinished(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  const first = store.append(id, said('first'))
  other.exec('COMMIT')
  const second = store.append(id, said('second'))
  expect(await second).toMatchObject({ ok: true, entries: [{ seq: 2 }] })
  expect(await first).toMatchObject({ ok: true, entries: [{ seq: 1 }] })
})

it('a lock that outlasts all patience is one line that says what to do', async () => {
  const { path, remove } = await temporaryStore()
  onTestFinished(remove)
  const store = await openStore(path, { busyMs: 150 })
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'ann', workspace: '' })
  const release = await lockFile(path)
  const refused =
    /^\S.*pith\.db is locked by another process \(.*\), and nothing was written: try again, or end that process$/
  await expect(store.append(id, said('lost?'))).rejects.toThrow(refused)
  await release()
  await store.append(id, said('again'))
  expect((await store.entries(id)).entries).toHaveLength(1)
})

it('a caller that stops waiting gets the same line at once, and later work waits as before', async () => {
  const { store, path, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '' })
  const release = await lockFile(path)
  const refused = expect(store.append(id, said('not now'))).rejects.toThrow(/is locked by another process/)
  store.stopWaiting?.()
  await refused
  const later = store.append(id, said('later'))
  await release()
  expect(await later).toMatchObject({ ok: true, entries: [{ seq: 1 }] })
})

it('a server answers for other sessions while an append waits for the lock', async () => {
  const at = await listening()
  const [held, other] = [await at.session(), await at.session()]
  const release = await lockFile(`${at.folder}/data/pith.db`)
  const headers = { authorization: `Bearer ${TOKENS[0].token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ messages: [{ message: { role: 'user', content: 'typed' } }] })
  const append = fetch(`${at.url}/v1/sessions/${held}/messages`, { method: 'POST', headers, body })
  expect((await fetch(`${at.url}/v1/sessions/${other}/context`, { headers })).status).toBe(200)
  expect((await fetch(`${at.url}/health`)).status).toBe(200)
  await release()
  expect((await append).status).toBe(201)
})
