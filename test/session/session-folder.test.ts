import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { firstEntryHere, forkInto, otherFolder } from '../../src/session/session-folder.ts'
import type { Session } from '../../src/store/store.ts'
import { user } from '../support/messages.ts'
import { newStore } from '../support/new-store.ts'

function folders() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pith-folder-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const made = (name: string) => {
    mkdirSync(join(root, name, '.git'), { recursive: true })
    return join(root, name)
  }
  return { here: { workspace: made('here'), home: root }, there: made('there'), gone: join(root, 'gone') }
}

describe('a session works in another folder', () => {
  it('if its workspace is another one, whether that exists or not', () => {
    const { here, there, gone } = folders()
    expect(otherFolder({ workspace: there }, here)).toEqual({ folder: there, exists: true })
    expect(otherFolder({ workspace: gone }, here)).toEqual({ folder: gone, exists: false })
    expect(otherFolder({ workspace: 'name-on-a-server' }, here)).toMatchObject({ exists: false })
  })

  it('not if it was started in a folder of this workspace, or in none', () => {
    const { here } = folders()
    mkdirSync(join(here.workspace, 'below'))
    for (const workspace of [here.workspace, `${here.workspace}/below`, ''])
      expect(otherFolder({ workspace }, here)).toBeUndefined()
  })
})

describe('the first entry that was made here', () => {
  it('is after all that a fork shares with a session of another folder', async () => {
    const { here, there } = folders()
    const store = await newStore(join(here.home, 'pith.db'))
    onTestFinished(() => store.close())
    const said = async ({ id }: Session, count: number) => {
      for (let i = 0; i < count; i++) await store.append(id, [{ type: 'message', message: user(`${i}`) }])
      const now = await store.session(id)
      if (now === undefined) throw new Error('it is gone')
      return now
    }
    const first = (session: Session) => firstEntryHere(store, session, here)
    const origin = await said(await store.createSession({ owner: 'local', workspace: there }), 3)
    expect(await first(origin)).toBeUndefined()
    const fork = await said(await forkInto(store, origin, here), 2)
    expect(fork).toMatchObject({ workspace: here.workspace, parent: { id: origin.id, seq: 3 } })
    expect(await first(fork)).toBe(4)
    const draft = { owner: 'local', workspace: here.workspace }
    const late = await store.createSession({ ...draft, parent: { id: fork.id, seq: 5 } })
    expect(await first(late)).toBe(4)
    const early = await store.createSession({ ...draft, parent: { id: fork.id, seq: 2 } })
    expect(await first(early)).toBe(3)
    expect(await first(await store.createSession(draft))).toBe(1)
  })
})
