import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { RetentionRule } from '../../../src/config/tables/program-settings.ts'
import type { RetentionLine } from '../../../src/server/observe/watch-requests.ts'
import { RetentionTask } from '../../../src/server/retention/retention-task.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { user } from '../../support/messages.ts'

const DAY = 86_400_000

async function storeWith(...days: readonly number[]) {
  const data = mkdtempSync(join(tmpdir(), 'pith-retention-'))
  const open = () => openStore(join(data, 'pith.db'))
  const store = await open()
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  for (const age of days) {
    const at = Date.now() - age * DAY
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo', createdAt: at })
    await store.append(id, [{ type: 'message', message: user('heron') }], { times: [at] })
  }
  return { data, store, open }
}

/** A task as a process of its own has it, with its log. */
function task(data: string, store: Store, rules: readonly RetentionRule[]) {
  const lines: RetentionLine[] = []
  const deleted: string[] = []
  const settings = { store: undefined }
  const running = new RetentionTask({
    store,
    settings,
    folders: { data },
    rules,
    log: (line) => lines.push(line),
    onDeleted: (session) => deleted.push(session),
  })
  running.start()
  onTestFinished(async () => {
    await running.close()
    await store.close()
  })
  return { running, lines, deleted }
}

it('of several processes on one database one applies the rules, and logs how many went', async () => {
  const { data, store, open } = await storeWith(100, 95, 1)
  const rules = [{ older_than: '90d' }]
  const both = [task(data, store, rules), task(data, await open(), rules)]
  for (const { running } of both) await running.run()
  const line = { retention: 'deleted', sessions: 2, entries: 2, bytes: expect.any(Number), kept_for_forks: [], left: 0 }
  expect(both.flatMap(({ lines }) => lines)).toEqual([{ at: expect.any(String), ...line }])
  expect(both.flatMap(({ deleted }) => deleted)).toHaveLength(2)
  expect((await store.sessions()).sessions).toHaveLength(1)
})

it('without rules, and for sessions that a rule keeps, nothing is ever deleted', async () => {
  const { data, store, open } = await storeWith(1_000)
  await task(data, store, []).running.close()
  const kept = task(data, await open(), [{ older_than: 'never', project: '/repo' }, { older_than: '1d' }])
  await kept.running.run()
  expect(kept.lines).toEqual([])
  expect((await store.sessions()).sessions).toHaveLength(1)
})

it('a failure is logged, and does not end the process', async () => {
  const { data, store } = await storeWith(100)
  const failing = { ...store, takeTask: () => Promise.reject(new Error('the database is gone')) }
  const { running, lines } = task(data, failing, [{ older_than: '90d' }])
  await running.run()
  expect(lines).toEqual([{ at: expect.any(String), retention: 'failed', error: 'the database is gone' }])
})
