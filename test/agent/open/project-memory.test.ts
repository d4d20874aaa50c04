import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openAgent } from '../../../src/agent/open/open-agent.ts'
import { settingsOf } from '../../../src/config/tables/settings.ts'
import { noModel } from '../../../src/llm/open-model.ts'
import { loadRegistry } from '../../../src/models/registry.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { rememberRedacted } from '../../../src/store/search/redacted-texts.ts'
import { LOCAL_OWNER } from '../../../src/store/store.ts'

async function world() {
  const folder = mkdtempSync(join(tmpdir(), 'pith-memory-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const workspace = join(folder, 'work')
  mkdirSync(workspace)
  const store = await openStore(':memory:')
  const { id } = await store.createSession({ owner: LOCAL_OWNER, workspace })
  const folders = { config: join(folder, 'config'), data: join(folder, 'data') }
  const open = async (memory: string | undefined) => {
    const { agent } = await openAgent({
      store,
      session: id,
      model: noModel('none'),
      models: { registry: loadRegistry(), providers: {}, env: {} },
      settings: settingsOf([]),
      workspace,
      folders,
      onEvent: () => undefined,
      memory: () => memory,
    })
    return agent
  }
  return { open, store, id, folders, workspace }
}

test('a session begins with the memory of its project, and keeps it as it was', async () => {
  const { open, store, id } = await world()
  const first = (await open('# Memory of the project x\n- “always use tabs”')).deps.fixed
  expect(first.blocks().join('\n')).toContain('always use tabs')
  expect(first.names).toEqual(['the memory of this project'])

  await store.append(id, [{ type: 'message', message: { role: 'user', content: 'Hello' } }])
  const later = (await open('# Memory of the project x\n- “always use spaces”')).deps.fixed
  expect(later.blocks()).toEqual(first.blocks())
})

test('a session that began without one does not get one later', async () => {
  const { open, store, id } = await world()
  expect((await open(undefined)).deps.fixed.names).toEqual([])
  await store.append(id, [{ type: 'message', message: { role: 'user', content: 'Hello' } }])
  expect((await open('# Memory')).deps.fixed.names).toEqual([])
})

test('the memory is no fact that the user wants to be remembered', async () => {
  const { open, workspace } = await world()
  writeFileSync(join(workspace, 'MEMORY.md'), 'The server is called bee.')
  const text = (await open('# Memory of the project x')).deps.fixed.blocks().at(-1) ?? ''
  expect(text.indexOf('Facts that the user wants to be remembered')).toBeLessThan(text.indexOf('bee'))
  expect(text.slice(text.indexOf('# Memory of the project x'))).not.toContain('Facts')
})

test('a redaction deletes the pages that sessions began with', async () => {
  const { open, store, id, folders } = await world()
  await open('# Memory of the project x\n- “the code word is heron”')
  const message = { role: 'user', content: 'the code word is heron' } as const
  await store.append(id, [{ type: 'message', message }])
  const { entries } = await store.entries(id)
  rememberRedacted(folders.data, entries)
  expect((await open(undefined)).deps.fixed.blocks().join('\n')).not.toContain('heron')
})
