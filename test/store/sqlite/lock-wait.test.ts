import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { listening } from '../../server/support/listening.ts'
import { TOKENS } from '../../server/support/world.ts'
import { user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

/** Another program that holds the file until it is told to let go. */
async function holder(path: string): Promise<() => Promise<void>> {
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const database = new DatabaseSync(process.argv[1])
    database.exec('BEGIN EXCLUSIVE')
    console.log('held')
    process.stdin.once('data', () => { database.exec('COMMIT'); process.exit() })`
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.write('go')
    await once(child, 'exit')
  }
}

const said = (text: string) => [{ type: 'message' as const, message: user(text) }]

it('while another program holds the file this one goes on, and then everything is written in its order', async () => {
  const { store, path, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '' })
  await store.append(id, said('before'))
  const release = await holder(path)
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

it('a lock that outlasts all patience is one line that says what to do', async () => {
  const { path, remove } = await temporaryStore()
  onTestFinished(remove)
  const store = await openStore(path, { busyMs: 150 })
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'ann', workspace: '' })
  const release = await holder(path)
  const refused =
    /^\S+pith\.db is locked by another process \(.*\), and nothing was written: try again, or end that process$/
  await expect(store.append(id, said('lost?'))).rejects.toThrow(refused)
  await release()
  await store.append(id, said('again'))
  expect((await store.entries(id)).entries).toHaveLength(1)
})

it('a server answers for other sessions while an append waits for the lock', async () => {
  const at = await listening()
  const [held, other] = [await at.session(), await at.session()]
  const release = await holder(`${at.folder}/data/pith.db`)
  const headers = { authorization: `Bearer ${TOKENS[0].token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ messages: [{ message: { role: 'user', content: 'typed' } }] })
  const append = fetch(`${at.url}/v1/sessions/${held}/messages`, { method: 'POST', headers, body })
  expect((await fetch(`${at.url}/v1/sessions/${other}/context`, { headers })).status).toBe(200)
  expect((await fetch(`${at.url}/health`)).status).toBe(200)
  await release()
  expect((await append).status).toBe(201)
})
