import { randomBytes } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Message, messagesOf } from '../../src/model/types.ts'
import { compactSession, exportSession, openSession } from '../../src/session/index.ts'
import { assistant, call, modelSaying, result, turns, user } from '../support/messages.ts'
import { temporaryStore } from '../support/store.ts'

const TOKEN = `ghp_${randomBytes(18).toString('hex')}`
const PASSWORD = `Xq7!${randomBytes(8).toString('hex')}`
const MARK = '[secret left out: GitHub token]'
const model = { contextWindow: 16_000 }

/** A session in which a token was typed, used in a command, printed and repeated. */
async function world() {
  const temporary = await temporaryStore()
  onTestFinished(temporary.remove)
  const { store } = temporary
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo', title: `Use ${TOKEN}` })
  const said: Message[] = [
    user(`Deploy it. Always use the token ${TOKEN}.`),
    call('c1', 'bash', {
      command: `git push https://x:${TOKEN}@github.com/acme/app.git && export DB_PASSWORD=${PASSWORD}`,
    }),
    result('c1', `fatal: could not read with ${TOKEN}\nError: Exit code 128`, 'bash'),
    assistant(`The token ${TOKEN} was refused.`),
    ...turns(30, 1_200),
  ]
  await store.append(
    id,
    said.map((message) => ({ type: 'message', message })),
  )
  return { store, id }
}

describe('a secret in a session', () => {
  it('is in no prompt for a summary, in no record and in no stored fact; the log still has it', async () => {
    const { store, id } = await world()
    const writer = modelSaying(
      `## Goal\nTo deploy the app with ${TOKEN}; the push was refused, see https://github.com/acme/app.git.`,
    )
    const made = await compactSession(store, id, { holder: 'test', model, summaryModels: [writer] })
    expect(made).toMatchObject({ outcome: 'compacted', rung: 'cold' })
    const asked = JSON.stringify(writer.requests)
    expect({ asked: asked.includes(TOKEN), password: asked.includes(PASSWORD), marked: asked.includes(MARK) }).toEqual({
      asked: false,
      password: false,
      marked: true,
    })
    const open = await openSession(store, id)
    const shown = JSON.stringify(messagesOf(open.view))
    const entry = JSON.stringify(made.entries)
    expect([shown.includes(TOKEN), entry.includes(TOKEN), entry.includes(PASSWORD)]).toEqual([false, false, false])
    expect(shown).toContain(MARK)
    // A mark in a summary is not an invented name.
    expect(made).not.toHaveProperty('flagged')
    expect(JSON.stringify((await store.entries(id)).entries[0])).toContain(TOKEN)
  })

  it('is in no digest either, and its fact is kept around it', async () => {
    const { store, id } = await world()
    const made = await compactSession(store, id, { holder: 'test', model })
    const shown = JSON.stringify(messagesOf(made.view))
    expect(made).toMatchObject({ outcome: 'compacted', rung: 'digest' })
    expect([shown.includes(TOKEN), shown.includes(PASSWORD)]).toEqual([false, false])
    expect(shown).toContain(`Always use the token ${MARK}.`)
    expect(shown).toContain('git push https://x:[secret left out: ')
  })

  it('stays in the record when the policy says so', async () => {
    const { store, id } = await world()
    const made = await compactSession(store, id, { holder: 'test', model, policy: { redactSecrets: false } })
    expect(JSON.stringify(messagesOf(made.view))).toContain(TOKEN)
  })

  it('is left out of an export, unless the whole log is asked for', async () => {
    const { store, id } = await world()
    const lines = async (secrets?: 'leave-out') => {
      let text = ''
      for await (const line of exportSession(store, id, secrets)) text += `${line}\n`
      return text
    }
    expect(await lines('leave-out')).not.toContain(TOKEN)
    expect(await lines('leave-out')).toContain(MARK)
    expect(await lines()).toContain(TOKEN)
  })
})
