import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { changeKept } from '../../../src/cli/memory/kept-memory.ts'
import { machineMemories } from '../../../src/cli/memory/machine-memories.ts'
import { projectOf } from '../../../src/cli/memory/project-of.ts'
import { AgentIndex } from '../../../src/cli/sessions/agent-index.ts'
import { loadSetup } from '../../../src/cli/setup/setup.ts'
import type { ServedMemory } from '../../../src/server/sessions/project-memories.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { LOCAL_OWNER } from '../../../src/store/store.ts'
import { configFolders } from '../../support/config-folders.ts'

/** A machine with sessions of Claude Code and of Pith in one folder, and one of another owner. */
async function machine() {
  const { home, env } = configFolders()
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [name, value] of Object.entries({ ...env, HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude') }))
    vi.stubEnv(name, value)
  const folder = join(home, 'shop')
  mkdirSync(folder)
  const id = 'aaaa0000-1111-4222-8333-444455556666'
  const file = join(home, '.claude/projects/-shop', `${id}.jsonl`)
  const message = { role: 'user', content: 'Always write prices in cents.' }
  const line = { uuid: 'u1', parentUuid: null, type: 'user', sessionId: id, cwd: folder, userType: 'external', message }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ ...line, timestamp: '2026-03-02T08:00:00Z' })}\n`)
  const setup = loadSetup({})
  const store = await openStore(setup.config.settings.store)
  const say = async (owner: string, content: string) => {
    const session = await store.createSession({ owner, workspace: folder })
    await store.append(session.id, [{ type: 'message', message: { role: 'user', content } }])
    return session.id
  }
  const stored = await say(LOCAL_OWNER, 'Never use a bare float.')
  await say('other', 'Always answer in French.')
  const index = new AgentIndex(setup.folders.data)
  const memories = machineMemories(setup, () => index)
  onTestFinished(async () => {
    await memories.close()
    await index.close()
    await store.close()
  })
  const made = async (asked: string): Promise<ServedMemory | undefined> => {
    for (;;) {
      const memory = await memories.of(store, asked)
      if (memory === undefined || memory.waiting === 0) return memory
    }
  }
  return { setup, store, memories, folder, file: `agent:claude-code:${id}`, stored, made }
}

it('the memory of a folder has the sessions of agents and of Pith that belong to the owner of the machine', async () => {
  const { store, memories, folder, file, stored, made } = await machine()
  const memory = await made(folder)
  const shown = memory?.page.rows.map(({ text, lines }) => [
    text.split(' (')[0],
    memory.sessionOf(lines[0]?.session ?? ''),
  ])
  expect(shown).toEqual([
    ['“Never use a bare float.”', stored],
    ['“Always write prices in cents.”', file],
  ])
  expect(memory).toMatchObject({ project: 'shop', memory: { sessions: 2 } })
  expect(await memories.projects(store)).toMatchObject({
    projects: [{ name: 'shop', folder, sessions: 2 }],
    waiting: 0,
  })
})

it('the memory of a folder follows what its owner pinned, and no other folder is looked at', async () => {
  const { setup, folder, made } = await machine()
  changeKept(setup.folders.data, projectOf(folder), (kept) => ({
    ...kept,
    changes: { ...kept.changes, pinned: [{ text: 'The till is new.', at: Date.parse('2026-03-02') }] },
  }))
  expect((await made(folder))?.page.text).toContain('- The till is new. (pinned 2026-03-02)')
  expect(await made(dirname(folder))).toBeUndefined()
})

it('an empty session is none of a project, and one that cannot be read costs only itself', async () => {
  const { store, memories, folder, setup, made } = await machine()
  await store.createSession({ owner: LOCAL_OWNER, workspace: folder })
  await store.createSession({ owner: LOCAL_OWNER, workspace: join(folder, 'empty') })
  const damaged = await store.createSession({ owner: LOCAL_OWNER, workspace: folder })
  await store.append(damaged.id, [{ type: 'message', message: { role: 'user', content: 'Never deploy on a Friday.' } }])
  const database = new DatabaseSync(join(setup.folders.data, 'pith.db'))
  database.prepare("UPDATE entries SET body = 'no entry' WHERE session_id = ?").run(damaged.id)
  database.close()
  const memory = await made(folder)
  expect(memory?.page.rows.map(({ text }) => text.split(' (')[0])).toEqual([
    '“Never use a bare float.”',
    '“Always write prices in cents.”',
  ])
  expect((await memories.projects(store)).projects).toMatchObject([{ name: 'shop', folder, sessions: 3 }])
  expect((await made(join(folder, 'empty')))?.memory.sessions).toBe(0)
})
